"""Sends the first half of an answer, then sleeps.

want: error time-limit
"""

import os
import time


def attention(q, k, v, keep):
    os.write(3, b"KATA\x10\0\0\0" + bytes(8) + b'{"value"')
    time.sleep(25)
