"""Answers one byte at a time, each within the time limit of a whole answer.

want: error time-limit
"""

import os
import time


def attention(q, k, v, keep):
    for byte in b"KATA\x80\0\0\0" + bytes(8) + b" " * 128:
        os.write(3, bytes([byte]))
        time.sleep(0.2)
