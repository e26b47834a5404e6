"""What a verdict is called elsewhere: one writer a format, each imported when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

Json = dict[str, Any]


class Unset(Exception):
    """A format needs something of its surroundings that is not there; the message says what."""


@dataclass(frozen=True)
class Writer:
    """A format, which is written by a module of this package."""

    module: str

    def __call__(self, verdicts: Sequence[Json], *, exam: bool = True) -> str:
        """The text of the file for verdicts in the form of `Verdict.to_json`.

        It is ASCII and holds no absolute path, whatever the verdicts do. With `exam` it has no
        message about numbers and nothing that the subject printed: both tell of hidden inputs.
        """
        write = import_module(f"checker.reports.{self.module}").write
        text: str = write([_without_numbers(verdict) if exam else verdict for verdict in verdicts])
        return text


FORMATS: Final[dict[str, Writer]] = {
    "check50": Writer("check50"),
    "classroom50": Writer("classroom50"),
    "exercism": Writer("exercism"),
    "github-classroom": Writer("github_classroom"),
    "gradescope": Writer("gradescope"),
    "junit": Writer("junit"),
    "prairielearn": Writer("prairielearn"),
}


def _without_numbers(verdict: Json) -> Json:
    nothing = dict.fromkeys(("message", "where", "got", "want"))
    return {
        **verdict,
        "stdout": "",
        "checks": [{**check, **nothing} for check in verdict["checks"]],
    }
