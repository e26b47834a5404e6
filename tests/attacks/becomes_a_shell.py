"""Replaces itself with a shell, by path and by descriptor.

want: fail
"""

import ctypes
import os

SHELL = ["/bin/sh", "-c", "echo GOT a shell"]
libc = ctypes.CDLL(None)
arguments = (ctypes.c_char_p * 4)(*(word.encode() for word in SHELL))
nothing = (ctypes.c_char_p * 1)()
place = os.open(SHELL[0], os.O_PATH)
libc.syscall(322, place, b"", arguments, nothing, 0x1000)  # execveat, AT_EMPTY_PATH
libc.fexecve(place, arguments, nothing)
libc.execve(SHELL[0].encode(), arguments, nothing)
try:
    os.execv(SHELL[0], SHELL)
except OSError:
    pass
try:
    os.execv("/lib64/ld-linux-x86-64.so.2", ["ld.so", *SHELL])
except OSError:
    pass


def attention(q, k, v, keep):
    return None
