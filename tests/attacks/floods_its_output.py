"""Writes to its output by descriptor and from C, bypassing the stream that limits it.

want: fail
"""

import ctypes
import os

written = 0
for _ in range(100):
    try:
        written += os.write(1, b"x" * 1_000_000)
    except OSError:
        break
libc = ctypes.CDLL(None)
for _ in range(50):
    libc.puts(b"x" * 1_000_000)
    libc.fflush(None)
if written > 1_000_000 or os.fstat(1).st_size > 1_000_000:
    os.lseek(1, 0, os.SEEK_SET)
    os.write(1, b"GOT an endless output\n")


def attention(q, k, v, keep):
    return None
