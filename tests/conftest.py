"""What the tests share: the project's paths, a judge of source text, and the command line."""

import contextlib
import gc
import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from checker.sandbox.host import processes

os.environ.update(processes.ONE_THREAD)  # before numpy is imported

import pytest

from checker import cli
from checker.judge import grading
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox import linux

from .processes import HANG_SECONDS, adopt_orphans

ROOT: Final = Path(__file__).parents[1]

Judge = Callable[..., Verdict]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session", autouse=True)
def _session() -> Iterator[None]:
    """Adopt orphans, so that what we started is always below us, and pass no ignored signal on.

    `nohup` ignores SIGHUP and a shell's background job SIGINT; a child inherits that, but not a
    handler.
    """
    adopt_orphans()
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
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


def run_process(
    *arguments: str, cwd: Path = ROOT, seconds: float = HANG_SECONDS, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `python -m checker` with these arguments in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "checker", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def run_here(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command line in this process, which keeps its fork server from one to the next."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _restored(),
    ):
        status = cli.run(list(arguments))
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Keep what a command line does to its process from the tests that follow."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "close", lambda: None)
        patch.setattr(linux, "keep_private", lambda: None)  # or /proc/self is closed to us
        patch.setattr(catalog, "_named", [])
        patch.setattr(catalog, "_stayed", [])
        patch.setattr(sys, "argv", ["checker"])
        yield
    for number, handler in handlers.items():
        signal.signal(number, handler)
    gc.unfreeze()


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the memory of this process alone: its browser needs more than a grader."""
    monkeypatch.setattr(linux, "limit_memory", lambda: linux.MEMORY)


@pytest.fixture
def run() -> Run:
    """Run a command line: here, or in a process of its own where variables or a limit are given."""

    def ran(
        *arguments: str, cwd: Path = ROOT, seconds: float | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        if seconds or environment:
            return run_process(*arguments, cwd=cwd, seconds=seconds or HANG_SECONDS, **environment)
        return run_here(*arguments, cwd=cwd)

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
