"""Sleeps, which uses no CPU time that a limit could see.

want: error time-limit
"""

import time


def attention(q, k, v, keep):
    time.sleep(30)
