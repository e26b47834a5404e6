"""Linux system functions that Python does not offer."""

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

SIGKILL: Final = 9
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
MEMORY: Final = 2 << 30  # bytes for a grading process; grading and diagnosing all katas takes 0.3
CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER = 1 << 26, 1 << 27, 1 << 28
CLONE_NEWPID, CLONE_NEWNET = 1 << 29, 1 << 30


def call(function: str, *arguments: Any) -> int:
    """Call a function of the C library. Raises `OSError` if it returns a negative number."""
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = getattr(libc, function)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def prctl(option: int, value: int) -> None:
    """Set a property of this process. Raises `OSError`."""
    call("prctl", option, value, 0, 0, 0)


def keep_private() -> None:
    """Hide this process's memory and environment from other processes of the same user."""
    if sys.platform == "linux":
        prctl(PR_SET_DUMPABLE, 0)


def follow_parent() -> None:
    """End when the parent process does."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, SIGKILL)


def leave(namespaces: int) -> None:
    """Move to new namespaces of these kinds; whoever is not root gets a user namespace too.

    There the user keeps its number, so that its children can make namespaces as well.
    """
    user, group = os.geteuid(), os.getegid()
    call("unshare", namespaces | (CLONE_NEWUSER if user else 0))
    with suppress(OSError):
        if user:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def process_ids(process: str = "self") -> list[int]:
    """The ids of a process in /proc: in the namespace of /proc, and in each one further in."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return [int(number) for number in line.split()[1:]]
    return [os.getpid()]


def children() -> dict[int, int]:
    """The children of this thread: their ids as this process sees them, and those in /proc."""
    level, found = len(process_ids()) - 1, {}
    with suppress(FileNotFoundError):  # a kernel without this list
        for number in Path("/proc/thread-self/children").read_text().split():
            with suppress(OSError):
                found[process_ids(number)[level]] = int(number)
    return found


def limit_memory() -> int:
    """Limit this process, and those it starts, to `MEMORY` of address space; return the limit."""
    if sys.platform != "linux":
        return MEMORY
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if soft == resource.RLIM_INFINITY else min(soft, MEMORY)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    return limit
