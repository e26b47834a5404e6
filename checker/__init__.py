"""attention-katas: find real bugs in attention code."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from checker.version import __version__ as __version__

if TYPE_CHECKING:
    from checker.learner.notebook import Report


def check(kata: str, *parts: Callable[..., Any]) -> "Report":
    """Grade functions of this process as a kata, for a notebook: see `checker.learner.notebook`."""
    from checker.learner.notebook import check as checked

    return checked(kata, *parts)
