"""What the README shows is what a person sees."""

import pytest

from checker.cli import COMMANDS

from .conftest import ROOT, Run

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["kata03", "verify kata03"])
def test_a_pasted_session_is_true(command: str, run: Run) -> None:
    assert f"$ python -m checker {command}\n{run(*command.split()).stdout}" in README


def test_every_command_is_in_the_readme() -> None:
    assert [name for name in COMMANDS if f"python -m checker {name}" not in README] == []
