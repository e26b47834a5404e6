"""The processes that a test has started, and waiting for them; no others are looked at."""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from checker.sandbox import linux

PR_SET_CHILD_SUBREAPER: Final = 36
HANG_SECONDS: Final = 600.0  # a test that waits this long for another process hangs


def adopt_orphans() -> None:
    """Become the parent of what outlives its own, so that all we have started stays below us."""
    if sys.platform == "linux":
        linux.prctl(PR_SET_CHILD_SUBREAPER, 1)


def descendants(pid: int = 0) -> set[int]:
    """The running processes below one, ours by default."""
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            state, parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(name)] = int(parent)
    found, last = set[int](), {pid or os.getpid()}
    while last:
        last = {child for child, parent in parents.items() if parent in last}
        found |= last
    return found


def leaders(pid: int) -> set[int]:
    """The processes below one that lead a session, as a fork server and each worker does."""
    found = set()
    for process in descendants(pid):
        with contextlib.suppress(OSError):
            if os.getsid(process) == process:
                found.add(process)
    return found


def serving(server: int) -> set[int]:
    """A fork server's process, and the one inside its namespace."""
    with contextlib.suppress(OSError):
        return {
            server,
            *map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split()),
        }
    return {server}


def wait_for(condition: Callable[[], object]) -> None:
    """Return once the condition holds. Raises `TimeoutError` where it never does."""
    deadline = time.monotonic() + HANG_SECONDS / 2
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)
