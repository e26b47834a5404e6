"""Moves the end of its output far away, so that mostly zeros are read.

want: fail
"""

import os

os.lseek(1, 65_000, os.SEEK_SET)
os.write(1, b"end")


def attention(q, k, v, keep):
    os.lseek(1, -1, os.SEEK_END)
    print("\0\33[2J")
