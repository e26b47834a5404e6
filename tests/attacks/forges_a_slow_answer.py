"""Sends an answer one byte at a time, so that every read is in time.

want: error time-limit
"""

import os
import time


def attention(q, k, v, keep):
    os.write(3, b"KATA" + (60_000).to_bytes(4, "little") + bytes(8))
    for _ in range(200):
        os.write(3, b" ")
        time.sleep(0.1)
