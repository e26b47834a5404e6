"""Gives up the processor again and again, so as to have waited for it and not used it.

want: error time-limit
"""

import os
import time

END = time.monotonic() + 30


def attention(q, k, v, keep):
    while time.monotonic() < END:
        os.sched_yield()
