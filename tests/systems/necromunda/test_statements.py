"""Every statement of the text and each of its gaps stands in exactly one docstring or ruling.

RF, UW, BL are the statements about Rapid Fire, Unwieldy and Blaze, A the gaps in them.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import firepower.systems.necromunda as game
from firepower.systems.necromunda import SYSTEM

HOW_MANY = {"RF": 15, "UW": 4, "BL": 12, "A": 36}
STATEMENTS = {
    f"{part}-{number:02}" for part, most in HOW_MANY.items() for number in range(1, most + 1)
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
PAGE = Path(__file__).parents[3] / "docs" / "rulings" / "necromunda.md"


def stated() -> Counter[str]:
    """How often each statement is named in a docstring or a ruling."""
    found: Counter[str] = Counter()
    for path in Path(str(game.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, DOCUMENTED):
                text = ast.get_docstring(node) or ""
                found.update(re.findall(r"\b(?:RF|UW|BL|A)-\d\d\b", text))
    tables = SYSTEM.tables()
    found.update(ruling.statement for ruling in tables.rulings.values() if ruling.statement)
    return found


def test_every_statement_stands_in_one_place() -> None:
    found = stated()
    assert set(found) == STATEMENTS
    assert [each for each, times in found.items() if times > 1] == []


def test_the_page_names_every_statement_of_the_text() -> None:
    text = PAGE.read_text("utf-8")
    named = set(re.findall(r"\b(?:RF|UW|BL)-\d\d\b", text))
    assert named == {each for each in STATEMENTS if not each.startswith("A-")}


def test_what_the_page_names_is_there() -> None:
    """Steps as `module.Name`, rulings, and tests by the beginning of their names."""
    text = PAGE.read_text("utf-8").split("```", maxsplit=1)[0]
    folder = Path(str(game.__file__)).parent
    for module, name in re.findall(r"`([a-z_]+)\.([A-Z]\w+)", text):
        assert f"class {name}" in (folder / f"{module}.py").read_text("utf-8")
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for name in re.findall(r"`(test_(?:rf|uw|bl)_\d\d)", text):
        assert f"def {name}" in tests
    tables = SYSTEM.tables()
    for row in re.findall(r"rulings? ((?:`\w+`(?:, )?)+)", text):
        for name in re.findall(r"`(\w+)`", row):
            assert name in tables.rulings
