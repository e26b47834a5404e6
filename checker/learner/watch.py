"""Wait for saved files and pressed keys."""

import os
import queue
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from checker.kata import catalog

TICK: Final = 0.25  # seconds between checks of the files, whether or not a change was reported
STEADY: Final = 0.02  # seconds without a change before a file counts as saved
LONGEST: Final = 50  # how often to wait that long

SUSPEND: Final = "\x1a"  # Ctrl-Z
SEQUENCE: Final = re.compile(r"\x1b(?:[\[O][0-9;]*)?.?")  # what arrow and function keys send

Event = catalog.Kata | str  # a kata whose file was saved or deleted, or a key
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

    def events(self, first: catalog.Kata) -> Iterator[Event]:
        """This kata, then saved or deleted ones and pressed keys, until the iterator is closed.

        Ctrl-Z takes effect when the next event is asked for: a process that stands still while it
        grades would find that the time is over.
        """
        threads = [threading.Thread(target=self._listen, daemon=True)]
        with _unbuffered_keys(self.woken) as suspend:
            if suspend:
                threads.append(threading.Thread(target=self._read_keys, daemon=True))
            for thread in threads:
                thread.start()
            try:
                yield first
                while True:
                    with suppress(queue.Empty):
                        if key := self.woken.get(timeout=TICK):
                            if key == SUSPEND and suspend:
                                suspend()
                            yield key
                    yield from self.saved()
            finally:
                self.stop.set()

    def saved(self) -> Iterator[catalog.Kata]:
        """The katas whose files have changed, or are no longer there, since the last look."""
        changed = [kata for kata in self.katas if _look(kata.file) != self.seen[kata.name]]
        if changed:
            self.seen |= _steady(changed)
        yield from changed

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


def _steady(katas: list[catalog.Kata]) -> dict[str, Look]:
    """The same by kata, once they have settled: editors may empty a file before they write it."""
    before = {kata.name: _look(kata.file) for kata in katas}
    for _ in range(LONGEST):
        time.sleep(STEADY)
        now = {kata.name: _look(kata.file) for kata in katas}
        if now == before and all(look and look[1] for look in now.values()):
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
def _unbuffered_keys(
    pressed: "queue.SimpleQueue[str]",
) -> Iterator[Callable[[], None] | None]:
    """Read keys without Enter, if there is a terminal, and restore it afterwards.

    Ctrl-Z becomes a key too; what is returned suspends this process, until `fg`.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        yield None
        return
    if sys.platform == "win32":
        yield lambda: None
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def suspend() -> None:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # returns after `fg`
        signal.signal(signal.SIGTSTP, note)
        tty.setcbreak(terminal)

    def note(*_: object) -> None:
        pressed.put(SUSPEND)

    handled = signal.signal(signal.SIGTSTP, note)
    try:
        tty.setcbreak(terminal)
        yield suspend
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.signal(signal.SIGTSTP, handled)
