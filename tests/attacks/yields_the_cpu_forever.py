"""Yields the CPU again and again, so that its time counts as waiting.

want: error time-limit
"""

import os
import time

END = time.monotonic() + 30


def attention(q, k, v, keep):
    while time.monotonic() < END:
        os.sched_yield()
