"""Attaches to the grader and to its parent, without stopping either.

want: fail
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SEIZE, KCMP, GETFD, MADVISE = 0x4206, 312, 438, 440
for pid in (os.getppid(), TARGET["grader"]):
    if libc.ptrace(SEIZE, pid, None, None) == 0:
        print("GOT ptrace of", pid, flush=True)
    if libc.syscall(KCMP, pid, os.getpid(), 0, 0, 0) >= 0:
        print("GOT kcmp with", pid, flush=True)
    pidfd = libc.syscall(434, pid, 0)
    if pidfd >= 0 and libc.syscall(GETFD, pidfd, 0, 0) >= 0:
        print("GOT a descriptor of", pid, flush=True)


def attention(q, k, v, keep):
    return None
