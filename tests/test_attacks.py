"""Every attack is held off at the strict level, for root and for an ordinary user."""

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .attacks.bench import ATTACKS, Bench
from .conftest import ROOT

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="strict is Linux on x86-64"
)

USER = 54321  # a user that nobody is
PACKAGES = ("numpy", "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "click")


def interpreter() -> str | None:
    """A Python of this version that an ordinary user can run."""
    version = f"{sys.version_info[:2]}"
    for path in (sys.executable, os.path.realpath(sys.executable), "/usr/bin/python3"):
        command = [path, "-c", "import sys; print(sys.version_info[:2])"]
        try:
            told = subprocess.run(
                command, user=USER, group=USER, extra_groups=[], capture_output=True
            )
        except OSError:
            continue
        if told.stdout.decode().strip() == version:
            return path
    return None


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Path]:
    """The project and what it needs, in a folder that an ordinary user can read."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    unneeded = shutil.ignore_patterns("__pycache__", "tests")
    for name in PACKAGES:
        (found,) = importlib.util.find_spec(name).submodule_search_locations  # type: ignore[union-attr, misc]
        shutil.copytree(found, folder / name, ignore=unneeded)
        libraries = Path(found).with_name(f"{name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, folder / libraries.name)
    for name in ("pytest_timeout", "py"):
        module = importlib.util.find_spec(name)
        if module and module.origin:
            shutil.copy(module.origin, folder)
    for name in ("checker", "katas", "solutions", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module", autouse=True)
def by_a_user(elsewhere: Path) -> Iterator[subprocess.Popen[bytes] | None]:
    """All attacks, tried by an ordinary user while the tests of this file try them as root."""
    python = interpreter() if os.geteuid() == 0 else None
    if not python:
        yield None
        return
    with (elsewhere / "told.txt").open("w") as told:
        yield subprocess.Popen(
            [python, "-m", "tests.attacks", "strict"],
            cwd=elsewhere,
            env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
            user=USER,
            group=USER,
            extra_groups=[],
            stdout=told,
            stderr=subprocess.STDOUT,
        )


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench("strict") as bench:
        yield bench


def test_there_are_enough() -> None:
    assert len(ATTACKS) >= 60


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_is_held_off(attack: Path, bench: Bench) -> None:
    assert bench.run(attack).faults == []


@pytest.mark.timeout(600)
def test_every_attack_is_held_off_for_an_ordinary_user(
    by_a_user: subprocess.Popen[bytes] | None, elsewhere: Path
) -> None:
    if not by_a_user:
        pytest.skip("these tests are run by an ordinary user, or there is no Python for one")
    assert by_a_user.wait(timeout=600) in (0, 1)
    lines = (elsewhere / "told.txt").read_text().splitlines()
    count = len(ATTACKS)
    want = {"level": "strict", "who": "a user", "tried": count, "held off": count}
    assert json.loads(lines[-1]) == want, "\n".join(lines)
