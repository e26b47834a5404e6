"""Linux system functions that Python does not offer."""

import ctypes
import os
import sys
from typing import Any, Final

SIGKILL: Final = 9
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
MEMORY: Final = 2 << 30  # bytes for a grading process; grading and diagnosing all katas takes 0.3


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


def limit_memory() -> int:
    """Limit this process, and those it starts, to `MEMORY` of address space; return the limit."""
    if sys.platform != "linux":
        return MEMORY
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if soft == resource.RLIM_INFINITY else min(soft, MEMORY)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    return limit
