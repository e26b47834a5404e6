"""Wait for saved files and pressed keys."""

import os
import queue
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from checker.kata import catalog

TICK: Final = 0.25  # seconds between checks of the files, whether or not a change was reported
STEADY: Final = 0.02  # seconds without a change before a file counts as saved
LONGEST: Final = 50  # how often to wait that long

SEQUENCE: Final = re.compile(r"\x1b(?:[\[O][0-9;]*)?.?")  # what arrow and function keys send

Event = catalog.Kata | str  # a kata whose file was saved, or a key
Look = tuple[int, int, int] | None


class Watch:
    """Events as they happen. A reported change only wakes the watch, which then checks the files.

    So it does not matter whether an editor renames a new file or writes in place, and where changes
    are not reported (network drives, WSL) a save is found at the next tick.
    """

    def __init__(self, katas: list[catalog.Kata]) -> None:
        self.katas = katas
        self.woken: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.stop = threading.Event()
        self.seen = {kata.name: _look(kata.file) for kata in katas}

    def events(self) -> Iterator[Event]:
        """Saved katas and pressed keys, until the iterator is closed."""
        threads = [threading.Thread(target=self._listen, daemon=True)]
        with _unbuffered_keys() as terminal:
            if terminal:
                threads.append(threading.Thread(target=self._read_keys, daemon=True))
            for thread in threads:
                thread.start()
            try:
                while True:
                    with suppress(queue.Empty):
                        if key := self.woken.get(timeout=TICK):
                            yield key
                    yield from self.saved()
            finally:
                self.stop.set()

    def saved(self) -> Iterator[catalog.Kata]:
        """The katas whose files have changed since the last look."""
        for kata in self.katas:
            if _look(kata.file) != self.seen[kata.name]:
                self.seen[kata.name] = _steady(kata.file)
                if self.seen[kata.name]:
                    yield kata

    def _listen(self) -> None:
        """Wake the watch at every change in the folder, if the system reports changes."""
        import watchfiles

        folder = self.katas[0].file.parent
        options = {"debounce": 50, "step": 10, "rust_timeout": 1000, "recursive": False}
        with suppress(Exception):  # if, say, no watches are left, the ticks are enough
            for _ in watchfiles.watch(folder, stop_event=self.stop, **options):  # type: ignore[arg-type]
                self.woken.put("")

    def _read_keys(self) -> None:
        while not self.stop.is_set():
            keys = _keys()
            if not keys:
                return
            for key in SEQUENCE.sub("", keys):
                self.woken.put(key)


def _look(file: Path) -> Look:
    """Time, size and inode of a file, which a save changes; None if there is no file."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _steady(file: Path) -> Look:
    """The same, once it has settled: editors may empty a file before they write it."""
    before = _look(file)
    for _ in range(LONGEST):
        time.sleep(STEADY)
        now = _look(file)
        if now == before and now is not None and now[1]:
            break
        before = now
    return before


def _keys() -> str:
    """The next keys, not echoed; empty at the end of input."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.getwch()
    return os.read(sys.stdin.fileno(), 64).decode(errors="replace")


@contextmanager
def _unbuffered_keys() -> Iterator[bool]:
    """Read keys without Enter, if there is a terminal, and restore it afterwards."""
    if not (sys.stdin and sys.stdin.isatty()):
        yield False
        return
    if sys.platform == "win32":
        yield True
        return
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield True
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
