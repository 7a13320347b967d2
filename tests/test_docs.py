"""The documentation shows what the program prints."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from docs.refresh import PAGES, ROOT, refreshed


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_output_in_the_documentation_is_what_the_commands_print(page: Path) -> None:
    text = page.read_text("utf-8")
    assert refreshed(text) == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documentation_gives_what_it_says(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_python_in_docstrings_gives_what_it_says() -> None:
    result = doctest.testmod(import_module("firepower.chance.dice"))
    assert (result.attempted, result.failed) == (2, 0)


def test_an_example_is_what_new_prints() -> None:
    from firepower.systems.necromunda import SYSTEM as NECROMUNDA
    from firepower.systems.rate_of_fire import SYSTEM

    assert (ROOT / "examples" / "scout.toml").read_text("utf-8") == SYSTEM.example
    stubber = (ROOT / "examples" / "stubber.toml").read_text("utf-8")
    assert stubber == NECROMUNDA.example
