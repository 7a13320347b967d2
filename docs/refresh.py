"""Run the commands in the documentation and put their output below them: `make docs`.

A block that begins with ```console and `$ firepower ...` holds that command's output.
"""

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

from firepower.cli.main import main

ROOT = Path(__file__).parent.parent
FIFTH = ROOT / "tests" / "fifth"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

_BLOCK = re.compile(r"```console\n\$ (firepower [^\n]*)\n.*?```", re.DOTALL)


def output(command: str) -> str:
    """What a command prints, on standard output and standard error, the fifth game installed."""
    said = io.StringIO()
    if str(FIFTH) not in sys.path:
        sys.path.insert(0, str(FIFTH))
    given, sys.argv = sys.argv, shlex.split(command)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            main()
    except SystemExit:
        pass
    finally:
        sys.argv = given
    return said.getvalue()


def refreshed(text: str) -> str:
    """The text of a page with the output of each command as it is now."""
    return _BLOCK.sub(lambda found: f"```console\n$ {found[1]}\n{output(found[1])}```", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(refreshed(page.read_text("utf-8")), "utf-8")
