"""Announces an answer of many exabytes, and sends a few bytes.

want: error crashed
"""

import os
import time


def attention(q, k, v, keep):
    os.write(3, b"KATA\x02\0\0\0" + b"\xff" * 7 + b"\x7f" + b"{}" + bytes(1000))
    time.sleep(20)
