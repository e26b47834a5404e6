"""Loops in its call until it is stopped.

want: error time-limit
"""

import time

END = time.monotonic() + 30


def attention(q, k, v, keep):
    while time.monotonic() < END:
        try:
            time.perf_counter()
        except BaseException:
            continue
