"""The evidence of a kata, which only a checkout has."""

from pathlib import Path
from typing import Final

from checker.kata.catalog import PACKAGE, Kata

TESTS: Final = PACKAGE.parent / "tests"
NEAR_MISSES, ALTERNATIVES = "near_misses", "alternatives"


def alternatives(kata: Kata) -> list[Path]:
    """Right answers written differently, which must pass."""
    return sorted((TESTS / ALTERNATIVES / kata.name).glob("*.py"))
