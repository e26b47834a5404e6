"""Sends a hundred megabytes that were not requested.

want: error crashed, error time-limit
"""

import os
import time

END = time.monotonic() + 20


def attention(q, k, v, keep):
    head = b"KATA\x02\0\0\0" + bytes(8) + b"{}"
    for _ in range(100):
        os.write(3, head * (1_000_000 // len(head)))
