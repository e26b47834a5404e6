"""Every attack is blocked at the strict level, for whichever user runs these tests."""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .attacks.bench import ATTACKS, Bench

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="strict is Linux on x86-64"
)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """One bench for all attacks; a right file passes after the last of them too."""
    with Bench("strict") as bench:
        yield bench
        assert list(bench.right_file_faults()) == []


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_is_blocked(attack: Path, bench: Bench) -> None:
    assert bench.run(attack).faults == []
