"""`watch` in a real terminal, 60 columns wide: every kind of save, the keys, and how it ends."""

import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.kata import catalog
from checker.kata.catalog import find
from checker.learner import progress
from checker.learner.watch import Watch

from .conftest import ROOT, solve
from .processes import HANG_SECONDS

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
termios = pytest.importorskip("termios", reason="no pseudo-terminals here")

COLUMNS = 60
SECONDS = HANG_SECONDS / 2
IN_A_TERMINAL = "import os, sys; os.login_tty(0); os.execvp(sys.argv[1], sys.argv[1:])"
WATCH = (sys.executable, "-m", "checker", "watch")


class Terminal:
    """A terminal in which `watch` runs, or a shell with which to start it."""

    def __init__(self, place: Path, *command: str, **environment: str) -> None:
        self.master, self.slave = os.openpty()
        termios.tcsetwinsize(self.slave, (30, COLUMNS))
        self.before = termios.tcgetattr(self.slave)
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_A_TERMINAL, *command],
            cwd=place,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm",
                "COLUMNS": "",
                **environment,
            },
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
    shown = Terminal(place, *WATCH, "kata02")
    yield shown
    shown.close()


def test_a_session_of_saves_and_keys(terminal: Terminal, place: Path) -> None:
    first = terminal.until(r"\[q\]uit")
    assert "kata02  An average above the maximum" in first
    assert "0 of 100 points" in first
    assert max(len(line) for line in re.sub(r"\x1b\[[\d;]*\w", "", first).splitlines()) <= COLUMNS

    assert "next: edit katas/kata02.py, then save or [g]rade" in " ".join(first.split())
    assert "[h]int" in first.splitlines()[-1]

    solve(place, "kata02")  # written in place
    passed = terminal.until(r"\[q\]uit")
    assert "100 of 100 points" in passed
    assert "next: [e]xplain, then [n]ext (kata03)" in passed
    terminal.press("e")
    assert "Why it hides" in terminal.until(r"\[q\]uit")
    terminal.press("h")  # after a pass, so that it does not count
    assert "kata02, hint 1 of 5" in terminal.until(r"\[q\]uit")
    assert progress.load(place).of("kata02").hints == 0
    terminal.press("g")
    assert "100 of 100 points" in terminal.until(r"\[q\]uit")
    terminal.press("n")
    assert "kata03  Next to a longer sentence" in terminal.until(r"\[q\]uit")

    file = place / "katas/kata02.py"
    file.with_suffix(".tmp").write_text("def attention(q, k, v):\n    return None\n")
    os.replace(file.with_suffix(".tmp"), file)  # written to another file and renamed
    assert "0 of 100 points" in terminal.until(r"\[q\]uit")

    solve(place, "kata03")  # another kata
    assert "kata03" in terminal.until(r"\[q\]uit")

    terminal.press("h")
    assert "kata03, hint 1 of 5" in terminal.until(r"\[q\]uit")
    terminal.press("t")
    assert "call 1: attention" in terminal.until(r"\[q\]uit")
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
    events = watch.events(kata)
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


def test_a_deleted_file_is_reported_and_may_return(terminal: Terminal, place: Path) -> None:
    terminal.until(r"\[q\]uit")
    (place / "katas/kata02.py").unlink()
    gone = " ".join(terminal.until(r"\[q\]uit").split())
    assert "error: there is no file katas/kata02.py: [r]eset restores it" in gone
    solve(place, "kata02")
    assert "100 of 100 points" in terminal.until(r"\[q\]uit")
    (place / "katas/kata02.py").unlink()
    terminal.until(r"\[q\]uit")
    terminal.press("rr")
    assert "kata02.py is restored" in " ".join(terminal.until(r"next: .*\n").split())


def test_a_folder_that_is_moved_away_is_reported_once_for_each_kata(place: Path) -> None:
    katas = list(catalog.katas().values())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        watch = Watch(katas)
        (place / "katas").rename(place / "moved")
        patch.setattr(catalog, "_stayed", [place])
        assert list(watch.saved()) == katas
        assert list(watch.saved()) == []


def test_after_the_last_kata_next_shows_the_recap(place: Path) -> None:
    known = progress.load(place)
    *others, last = catalog.katas()
    for name in others:
        known.of(name).first_pass = progress.now()
    known.save()
    terminal = Terminal(place, *WATCH, last)
    try:
        terminal.until(r"\[q\]uit")
        solve(place, last)
        assert "next: [e]xplain, then [n]ext\r" in terminal.until(r"\[q\]uit")
        terminal.press("n")
        assert "That was the last one" in terminal.until(r"\[q\]uit")
    finally:
        terminal.close()


def test_a_dumb_terminal_gets_no_escape_sequences(place: Path) -> None:
    terminal = Terminal(place, *WATCH, "kata02", TERM="dumb")
    try:
        assert "\x1b" not in terminal.until(r"\[q\]uit")
    finally:
        terminal.close()


@pytest.fixture
def shell(place: Path) -> Iterator[Terminal]:
    """`watch` in a shell that leaves the terminal as it is, so that what is set is ours."""
    if not shutil.which("dash"):
        pytest.skip("there is no dash")
    terminal = Terminal(place, "dash", "-i", PS1="$ ")
    terminal.until(r"\$ ")
    terminal.press(shlex.join([*WATCH, "kata02"]) + "\r")
    terminal.until(r"\[q\]uit")
    yield terminal
    terminal.press("q")
    terminal.until(r"\$ ")
    assert termios.tcgetattr(terminal.slave) == terminal.before
    terminal.close()


def test_ctrl_z_restores_the_terminal_and_fg_goes_on(shell: Terminal, place: Path) -> None:
    assert not echoes(shell)
    shell.press("\x1a")
    shell.until("Stopped")
    assert echoes(shell)
    solve(place, "kata02")
    shell.press("fg\r")
    assert "100 of 100 points" in shell.until(r"100 of 100 points[^$]*\[q\]uit")
    assert not echoes(shell)
    shell.press("l")
    assert "white belt" in shell.until(r"\[q\]uit")


def test_ctrl_z_while_grading_waits_for_the_verdict(shell: Terminal, place: Path) -> None:
    solution = (ROOT / "solutions/kata02.py").read_text()
    (place / "katas/kata02.py").write_text(f"{solution}\nimport time\ntime.sleep(1)\n")
    shell.until("grading")
    shell.press("\x1a")
    assert "100 of 100 points" in shell.until("Stopped")
    shell.press("fg\r")
    shell.until(r"\[q\]uit")


def echoes(terminal: Terminal) -> bool:
    """Whether the terminal shows what is typed, as it does for a shell."""
    return bool(termios.tcgetattr(terminal.slave)[3] & termios.ECHO)
