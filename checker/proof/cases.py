"""The near misses and alternatives of a kata, which only a checkout has."""

from pathlib import Path
from typing import Final

from checker.kata.catalog import PACKAGE, Kata

TESTS: Final = PACKAGE.parent / "tests"
NEAR_MISSES, ALTERNATIVES = "near_misses", "alternatives"


def near_misses(kata: Kata) -> list[Path]:
    """Plausible wrong fixes, which must fail."""
    return sorted((TESTS / NEAR_MISSES / kata.name).glob("*.py"))


def alternatives(kata: Kata) -> list[Path]:
    """Right answers written differently, which must pass."""
    return sorted((TESTS / ALTERNATIVES / kata.name).glob("*.py"))
