"""The verdict: what the checker says about one file, and its JSON."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

SCHEMA: Final = "attention-katas/verdict/v1"
MAX_SCORE: Final = 100  # points per kata
NO_INVARIANTS: Final = "no-invariants"  # the reason if only the example could be tried
LEFT_OUT: Final = "left-out"  # the reason if a part of what a student handed in was not read
LAST_SHARE: Final = 50  # points for the last invariant, agreement with plain loops
GUARD_POINTS: Final = 10  # subtracted for each broken guard

EXAM_SENTENCES: Final = {  # in an exam, instead of messages that code can fill with hidden inputs
    "syntax-error": "Python cannot parse the file.",
    "import-error": "The file raises an exception while it is imported.",
    "missing-name": "The file does not define a name that its docstring promises.",
    "time-limit": "The code takes too long.",
    "memory-limit": "The code needs too much memory.",
    "exited": "The code ends the Python process.",
    "crashed": "The code crashes the Python process.",
    "sandbox": "The checker itself failed.",
}

Json = dict[str, Any]  # a JSON object
EXAM_CHECK: Final[Json] = {
    **dict.fromkeys(("message", "where", "got", "want")),
    "duration_ms": 0,
}
Status = Literal["pass", "fail", "error", "not-graded"]
Role = Literal["target", "guard"]
CheckStatus = Literal["kept", "broken", "error", "timeout", "skipped"]


@dataclass
class Check:
    """One invariant, asked of one subject."""

    name: str
    statement: str
    role: Role = "guard"
    status: CheckStatus = "skipped"
    points: int = 0
    max_points: int = 0
    message: str | None = None
    where: tuple[int, ...] | None = None
    got: float | None = None
    want: float | None = None
    duration_ms: int = 0


@dataclass
class Isolation:
    """The level the subject ran at, and the layers that the worker had and lacked."""

    level: str = "none"
    layers: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


@dataclass
class Verdict:
    """What the checker says about one file.

    `sha256` is the hash of its bytes, `fingerprint` that of its text without regard to line
    endings; `excerpt` is a line of the file with a caret below, where that helps.
    """

    kata: str
    title: str
    file: str
    sha256: str | None
    status: Status
    reason: str | None = None
    message: str | None = None
    excerpt: list[str] = field(default_factory=list)
    fingerprint: str | None = None
    score: int = 0
    max_score: int = MAX_SCORE
    checks: list[Check] = field(default_factory=list)
    stdout: str = ""
    isolation: Isolation = field(default_factory=Isolation)
    seed: int = 0
    duration_ms: int = 0

    @property
    def kept(self) -> bool:
        """Whether every check that was asked is kept."""
        return bool(self.checks) and all(check.status == "kept" for check in self.checks)

    @property
    def broken(self) -> list[str]:
        """The names of the checks that were asked and are not kept."""
        return broken(asdict(check) for check in self.checks)

    @property
    def is_graded(self) -> bool:
        """Whether there were points to earn: not if only the kata's example was tried."""
        return self.max_score > 0

    def for_exam(self) -> "Verdict":
        """The verdict as an exam shows it; see `for_exam`."""
        checks = [replace(check, **EXAM_CHECK) for check in self.checks]
        return replace(self, checks=checks, **_exam_fields(self.reason, self.message))

    def to_json(self) -> Json:
        """The verdict as plain JSON values."""
        data = {"schema": SCHEMA, **asdict(self), "versions": versions()}
        for check in data["checks"]:
            for key in ("got", "want"):
                check[key] = _json_number(check[key])
        return data


def broken(checks: Iterable[Json]) -> list[str]:
    """The names of the checks, as JSON, that were asked and are not kept."""
    return [check["name"] for check in checks if check["status"] not in ("kept", "skipped")]


def for_exam(verdict: Json) -> Json:
    """A verdict, in the form of `Verdict.to_json`, as an exam shows it.

    It says which invariants broke, and one fixed sentence for each reason. What the subject can
    choose is left out, since it may be the hidden inputs: messages, output, statuses and times.
    """
    checks = [{**check, **EXAM_CHECK} for check in verdict["checks"]]
    return {**verdict, "checks": checks, **_exam_fields(verdict["reason"], verdict["message"])}


def _exam_fields(reason: str | None, message: str | None) -> Json:
    """The fields that an exam replaces; a file that was never run keeps its message."""
    sentence = EXAM_SENTENCES.get(reason or "", message)
    return {"message": sentence, "excerpt": [], "stdout": "", "duration_ms": 0}


def score(checks: list[Check], roles: Mapping[str, Role]) -> int:
    """Give each check its role and points, and return their sum, at least zero.

    A kept target earns its points. A guard that is not kept costs some, even if the subject ended
    before it was asked: ending early is worth no more than a wrong answer. The last target is worth
    half: a trivial answer can keep a law, but it cannot agree with plain loops. The other targets
    share the rest as evenly as whole points allow, the first ones taking the remainder.
    """
    for check in checks:
        check.role = roles.get(check.name, "guard")
        if check.role == "guard" and check.status != "kept":
            check.points = -GUARD_POINTS
    targets = [check for check in checks if check.role == "target"]
    for check, share in zip(targets, _shares(len(targets)), strict=True):
        check.max_points = share
        check.points = share if check.status == "kept" else 0
    return max(0, sum(check.points for check in checks))


def _shares(targets: int) -> list[int]:
    if targets < 2:
        return [MAX_SCORE] * targets
    share, left = divmod(MAX_SCORE - LAST_SHARE, targets - 1)
    return [share + (i < left) for i in range(targets - 1)] + [LAST_SHARE]


def versions() -> dict[str, str]:
    """The versions that a verdict depends on."""
    import platform

    import numpy as np

    from checker.version import __version__

    return {"python": platform.python_version(), "numpy": np.__version__, "suite": __version__}


def _json_number(value: float | None) -> float | str | None:
    if isinstance(value, complex):
        return str(value)
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
