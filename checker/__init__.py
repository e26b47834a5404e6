"""attention-katas: find the bugs that attention code really has."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from checker.notebook import Report

__version__ = "0.1.0"


def check(kata: str, *parts: Callable[..., Any]) -> "Report":
    """Grade functions of this process as a kata, for a notebook: see `checker.notebook`."""
    from checker.notebook import check as checked

    return checked(kata, *parts)
