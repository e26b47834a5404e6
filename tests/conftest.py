"""What the tests share: the project's paths, a judge of source text, and the command line."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.judge import grading
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox.host import processes

ROOT = Path(__file__).parents[1]

Judge = Callable[..., Verdict]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session", autouse=True)
def _no_fork_server_left() -> Iterator[None]:
    yield
    processes.close()


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Grade a source text (or bytes) as kata 03, unless another is named."""

    def judged(source: str | bytes, *, kata: str = "kata03", isolation: str = "auto") -> Verdict:
        file = tmp_path / "subject.py"
        file.write_bytes(source if isinstance(source, bytes) else source.encode())
        return grading.grade(catalog.find(kata), file, isolation=isolation)

    return judged


@pytest.fixture
def run() -> Run:
    """Run `python -m checker` with these arguments in a process of its own."""

    def ran(
        *arguments: str, cwd: Path = ROOT, seconds: float = 60, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "checker", *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    return ran


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium without a window, where there is one."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    chromium = next(filter(None, found), None)
    if not chromium:
        pytest.skip("there is no Chromium")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of katas to edit, with blanks and other letters in its name."""
    folder = tmp_path / "meine Übungen"
    shutil.copytree(ROOT / "katas", folder / "katas")
    return folder


def solve(place: Path, name: str) -> None:
    """Put the reference in the place of a kata."""
    shutil.copy(ROOT / "solutions" / f"{name}.py", place / "katas" / f"{name}.py")
