"""Forks by the system calls fork, clone and clone3, bypassing the interpreter.

want: fail
"""

import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD = 17
arguments = struct.pack("<8Q", 0, 0, 0, 0, SIGCHLD, 0, 0, 0)
for name, number, *rest in (
    ("fork", 57),
    ("clone", 56, SIGCHLD, 0, 0, 0, 0),
    ("clone3", 435, arguments, ctypes.c_size_t(len(arguments))),
):
    child = libc.syscall(ctypes.c_long(number), *rest)
    if child == 0:
        os._exit(0)
    if child > 0:
        print("GOT a process by", name, flush=True)
        os.waitpid(child, 0)


def attention(q, k, v, keep):
    return None
