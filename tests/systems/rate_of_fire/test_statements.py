"""Every statement of the rules stands in exactly one docstring or ruling of the game.

R are the statements of the rules text, numbered as in `test_sentences`; A to G are its gaps: tests
and degrees, hits and Storm, jams and ammunition, melee, pinning and range, damage, the turn.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import firepower.systems.rate_of_fire as game
from firepower.systems.rate_of_fire import SYSTEM

HOW_MANY = {"R": 42, "A": 7, "B": 13, "C": 10, "D": 8, "E": 11, "F": 4, "G": 3}
STATEMENTS = {
    f"{part}{number:02}" if part == "R" else f"{part}{number}"
    for part, most in HOW_MANY.items()
    for number in range(1, most + 1)
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def stated() -> Counter[str]:
    """How often each statement is named in a docstring or a ruling."""
    found: Counter[str] = Counter()
    for path in Path(str(game.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, DOCUMENTED):
                text = ast.get_docstring(node) or ""
                found.update(re.findall(r"\b(?:R\d\d|[A-G]\d{1,2})\b", text))
    tables = SYSTEM.tables()
    found.update(ruling.statement for ruling in tables.rulings.values() if ruling.statement)
    return found


def test_every_statement_stands_in_one_place() -> None:
    found = stated()
    assert set(found) == STATEMENTS
    assert [each for each, times in found.items() if times > 1] == []
