"""Makes its output long without writing it: by truncating, allocating and seeking.

want: fail
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for name, long in (
    ("ftruncate", lambda: os.ftruncate(1, 60_000)),
    ("fallocate", lambda: os.posix_fallocate(1, 0, 60_000)),
    ("ftruncate of a terabyte", lambda: os.ftruncate(1, 1 << 40)),
    ("lseek", lambda: (os.lseek(1, 1 << 40, os.SEEK_SET), os.write(1, b"x"))),
    ("pwrite", lambda: os.pwrite(1, b"x", 50_000)),
):
    try:
        long()
    except OSError:
        continue
    os.lseek(1, 0, os.SEEK_SET)
    os.write(1, b"GOT a hole by %s\n" % name.encode())


def attention(q, k, v, keep):
    return None
