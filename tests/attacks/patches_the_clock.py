"""Stops every clock, then runs for a long time.

want: error time-limit
"""

import time

sleep = time.sleep
time.monotonic = time.time = time.perf_counter = time.process_time = lambda: 0.0
time.sleep = lambda seconds: None


def attention(q, k, v, keep):
    sleep(8)
