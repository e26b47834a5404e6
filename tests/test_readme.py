"""What the README shows is what a person sees."""

import re

import pytest

from .conftest import ROOT, Run

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["kata03", "verify kata03"])
def test_a_pasted_session_is_true(command: str, run: Run) -> None:
    assert f"$ python -m checker {command}\n{run(*command.split()).stdout}" in README


def test_every_command_is_told(run: Run) -> None:
    commands = re.findall(
        r"^  (\w+) ", run("--help").stdout.partition("Commands:")[2], re.MULTILINE
    )
    assert len(commands) >= 4
    assert [c for c in commands if f"python -m checker {c}" not in README] == []
