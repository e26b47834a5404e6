"""Verdicts in the formats of other tools: one module per format, imported when needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from checker.errors import CheckerError
from checker.kata.verdict import Json, for_exam


class Unset(CheckerError):
    """A format needs environment variables that are not set; the message says which."""


@dataclass(frozen=True)
class Format:
    """A format, implemented by a module of this package."""

    module: str
    suffix: str = "json"  # of its files

    def __call__(self, verdicts: Sequence[Json], *, exam: bool = True) -> str:
        """The text of the file for verdicts in the form of `Verdict.to_json`.

        It is ASCII and contains no absolute path, whatever is in the verdicts. With `exam` it has
        nothing that reveals hidden inputs; see `for_exam`.
        """
        report = import_module(f"checker.reports.{self.module}").report
        text: str = report([for_exam(verdict) if exam else verdict for verdict in verdicts])
        return text


FORMATS: Final[dict[str, Format]] = {
    "check50": Format("check50"),
    "classroom50": Format("classroom50"),
    "exercism": Format("exercism"),
    "github-classroom": Format("github_classroom", "txt"),
    "gradescope": Format("gradescope"),
    "junit": Format("junit", "xml"),
    "prairielearn": Format("prairielearn"),
}
