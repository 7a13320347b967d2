"""Fixtures for asking through the command line."""

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

from firepower.cli.main import main

Ask: TypeAlias = Callable[..., str]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Ask something wrong, by the words of the command line; gives the one sentence of refusal.

    The exit code is 2, and there is nothing else on standard error or output.
    """

    def asked(*words: object) -> str:
        monkeypatch.setattr(sys, "argv", ["firepower", *map(str, words)])
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        assert exit_.value.code == 2, err
        assert out == ""
        assert err.endswith("\n")
        assert err.count("\n") == 1, err
        assert err.startswith("firepower: ")
        return err.removeprefix("firepower: ").strip()

    return asked
