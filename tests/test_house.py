"""The house: imports point one way, and no two modules import each other, lazily or not."""

import grimp


def test_no_circle_of_imports() -> None:
    graph = grimp.build_graph("firepower")
    below: dict[str, set[str]] = {}
    for module in graph.modules:
        below[module] = set(graph.find_modules_directly_imported_by(module))
    while below:
        free = {module for module, needs in below.items() if not needs & below.keys()}
        assert free, f"these import each other: {sorted(below)}"
        below = {module: needs for module, needs in below.items() if module not in free}
