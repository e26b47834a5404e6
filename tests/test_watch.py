"""`watch` in a real terminal, 60 columns wide: every kind of save, the keys, and how it ends."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.kata.catalog import find
from checker.learner.watch import Watch

from .conftest import ROOT, solve
from .processes import HANG_SECONDS

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
termios = pytest.importorskip("termios", reason="no pseudo-terminals here")

COLUMNS = 60
SECONDS = HANG_SECONDS / 2


class Terminal:
    """A terminal in which `watch` runs."""

    def __init__(self, place: Path, *arguments: str) -> None:
        self.master, self.slave = os.openpty()
        termios.tcsetwinsize(self.slave, (30, COLUMNS))
        self.before = termios.tcgetattr(self.slave)
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "checker", "watch", *arguments],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": ""},
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
        )

    def until(self, pattern: str) -> str:
        """The output up to and including the pattern."""
        deadline = time.monotonic() + SECONDS
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < deadline, f"no {pattern!r} in {self.text!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 4096).decode(errors="replace")
        text, self.text = self.text[: found.end()], self.text[found.end() :]
        return text

    def press(self, key: str) -> None:
        """Type a key."""
        os.write(self.master, key.encode())

    def close(self) -> None:
        """End `watch` and the terminal."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(place: Path) -> Iterator[Terminal]:
    shown = Terminal(place, "kata02")
    yield shown
    shown.close()


def test_a_session_of_saves_and_keys(terminal: Terminal, place: Path) -> None:
    first = terminal.until(r"\[q\]uit")
    assert "kata02  An average above the maximum" in first
    assert "0 of 100 points" in first
    assert max(len(line) for line in re.sub(r"\x1b\[[\d;]*\w", "", first).splitlines()) <= COLUMNS

    solve(place, "kata02")  # written in place
    assert "100 of 100 points" in terminal.until(r"\[q\]uit")

    file = place / "katas/kata02.py"
    file.with_suffix(".tmp").write_text("def attention(q, k, v):\n    return None\n")
    os.replace(file.with_suffix(".tmp"), file)  # written to another file and renamed
    assert "0 of 100 points" in terminal.until(r"\[q\]uit")

    solve(place, "kata03")  # another kata
    assert "kata03" in terminal.until(r"\[q\]uit")

    terminal.press("h")
    assert "kata03, hint 1 of 4" in terminal.until(r"\[q\]uit")
    terminal.press("t")
    assert "attention is given" in terminal.until(r"\[q\]uit")
    terminal.press("l")
    assert "white belt" in terminal.until(r"\[q\]uit")
    terminal.press("n")
    assert "kata04" in terminal.until(r"\[q\]uit")
    terminal.press("r")
    terminal.until("press r again")
    terminal.press("\x1b[A")  # an arrow key does nothing
    terminal.press("x")
    terminal.until(r"\[q\]uit")
    terminal.press("rr")
    terminal.until("press r again")
    assert "as it was shipped" in terminal.until(r"next: .*\n")
    terminal.press("q")
    assert terminal.process.wait(SECONDS) == 0
    assert termios.tcgetattr(terminal.slave) == terminal.before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_terminal_is_restored(terminal: Terminal, number: signal.Signals) -> None:
    terminal.until(r"\[q\]uit")
    terminal.process.send_signal(number)
    assert terminal.process.wait(SECONDS) == 128 + number
    assert termios.tcgetattr(terminal.slave) == terminal.before


def test_saves_are_found_without_file_events(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on network drives and WSL, where the file system is silent."""
    monkeypatch.chdir(place)
    kata = find("kata02")
    watch = Watch([kata])
    monkeypatch.setattr(watch, "_listen", lambda: None)
    events = watch.events()
    solve(place, "kata02")
    assert next(events) == kata
    events.close()  # type: ignore[attr-defined]


def test_a_half_written_file_is_waited_for(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    kata = find("kata02")
    watch = Watch([kata])
    kata.file.write_text("")

    def write(_: float) -> None:
        if not kata.file.stat().st_size:
            solve(place, "kata02")

    monkeypatch.setattr(time, "sleep", write)
    assert list(watch.saved()) == [kata]
    assert list(watch.saved()) == []  # a save is reported once


def test_a_deleted_file_is_not_a_save(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    kata = find("kata02")
    watch = Watch([kata])
    kata.file.unlink()
    monkeypatch.setattr(time, "sleep", lambda _: None)
    assert list(watch.saved()) == []
