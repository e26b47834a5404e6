"""Seeks to far positions in its output and writes there.

want: fail
"""

import contextlib
import os


def attention(q, k, v, keep):
    for place in (2**62, 2**31, 70_000, 4_200, 0):
        with contextlib.suppress(OSError):
            os.lseek(1, place, os.SEEK_SET)
            os.write(1, b"passed" * 1000)
    for change in (lambda: os.ftruncate(1, 2**40), lambda: os.posix_fallocate(1, 0, 2**20)):
        with contextlib.suppress(OSError):
            change()
