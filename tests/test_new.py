"""Starting a kata: `new` writes all of its files, and `verify` lists what is left to write."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checker.kata import catalog

from .conftest import ROOT

NUMBER = f"{len(catalog.katas()) + 1:02}"
NAME = f"kata{NUMBER}"
FILES = [f"{folder}/{NAME}.py" for folder in ("katas", "solutions")]
FILES += [f"checker/{folder}/{NAME}.py" for folder in ("invariants", "domains")]
FOLDERS = [f"tests/{folder}/{NAME}" for folder in ("near_misses", "alternatives")]

Done = subprocess.CompletedProcess[str]


def run(checkout: Path, *arguments: str, module: str = "checker") -> Done:
    """Run a module in a checkout, with the checker of that checkout."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def copied(folder: Path) -> Path:
    """A copy of what an author works in."""
    for part in ("katas", "solutions", "checker", "tests/near_misses", "tests/alternatives"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """A checkout with a new kata, and what `new` printed."""
    checkout = copied(tmp_path_factory.mktemp("started"))
    return checkout, run(checkout, "new", NAME)


@pytest.fixture(scope="module")
def verified(started: tuple[Path, Done]) -> Done:
    """What `verify` says about the new kata."""
    return run(started[0], "verify", NAME)


def test_every_file_is_written(started: tuple[Path, Done]) -> None:
    assert [path for path in FILES if not (started[0] / path).is_file()] == []


def test_folders_for_near_misses_and_alternatives_are_made(started: tuple[Path, Done]) -> None:
    assert [path for path in FOLDERS if not (started[0] / path).is_dir()] == []


def test_what_was_written_is_printed(started: tuple[Path, Done]) -> None:
    assert [path for path in FILES if f"written: {path}\n" not in started[1].stdout] == []


def test_the_last_line_is_the_next_command(started: tuple[Path, Done]) -> None:
    last = started[1].stdout.splitlines()[-1]
    assert last == f"next: python -m checker verify {NAME}, which lists what is left to write"


def test_a_new_kata_is_graded_like_any_other(started: tuple[Path, Done]) -> None:
    done = run(started[0], NAME)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_linter_and_the_formatter_accept_a_new_kata(started: tuple[Path, Done]) -> None:
    for arguments in (["check"], ["format", "--check"]):
        done = run(started[0], *arguments, *FILES, module="ruff")
        assert done.returncode == 0, done.stdout


def test_verify_lists_everything_to_fill_in(started: tuple[Path, Done], verified: Done) -> None:
    written = [*FILES, "checker/kata/catalog.toml"]
    todo = sum((started[0] / path).read_text().count("FILL IN") for path in written)
    assert verified.stdout.count(": fill in ") == todo > 10


def test_verify_lists_what_has_no_place_yet(verified: Done) -> None:
    for problem in (
        "it is not stored yet",
        "the shipped kata gives pass, want fail",
        "0 near misses, want at least 8",
        "0 alternatives, want at least 5",
        "kata and reference differ by 0 lines of code, want 1 to 4",
        "no sources in the catalog",
    ):
        assert problem in verified.stdout


def test_the_invariants_of_a_new_kata_catch_every_fault(verified: Done) -> None:
    assert "no invariant notices" not in verified.stdout


def test_the_calls_of_a_new_kata_fit_its_contract(verified: Done) -> None:
    assert "Contract" not in verified.stdout


def test_a_new_kata_is_not_proved(verified: Done) -> None:
    assert (verified.returncode, verified.stderr) == (1, "")


def test_the_short_number_names_the_kata_too(checkout: Path) -> None:
    assert run(checkout, "new", NUMBER).returncode == 0


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("kata03", "kata03 exists"),
        ("kata98", "'kata98' is not the number of the next kata"),
        ("masks", "'masks' is not the number of the next kata"),
    ],
)
def test_another_name_gets_the_next_one_proposed(word: str, message: str, checkout: Path) -> None:
    done = run(checkout, "new", word)
    assert done.stderr == f"error: {message}. Did you mean {NAME}?\n"
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("path", [*FILES, *FOLDERS])
def test_nothing_is_overwritten(path: str, checkout: Path) -> None:
    (checkout / path).parent.mkdir(exist_ok=True)
    (checkout / path).write_text("mine")
    before = sorted(checkout.rglob("*.py"))
    done = run(checkout, "new", NAME)
    assert done.stderr == f"error: {path} exists: nothing is overwritten, move it away first\n"
    assert (checkout / path).read_text() == "mine"
    assert sorted(checkout.rglob("*.py")) == before


def test_it_needs_a_checkout(checkout: Path) -> None:
    shutil.rmtree(checkout / "tests")
    done = run(checkout, "new", NAME)
    message = "new needs a checkout of the suite: clone it, and run new there"
    assert (done.returncode, done.stderr) == (2, f"error: {message}\n")
