"""Begins an answer and never finishes it.

want: error time-limit
"""

import os
import time


def attention(q, k, v, keep):
    os.write(3, b"KATA" + (60_000).to_bytes(4, "little") + (4_000_000).to_bytes(8, "little") + b"{")
    time.sleep(20)
