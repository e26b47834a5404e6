"""Sleeps, and burns no processor time that a limit could see.

want: error time-limit
"""

import time


def attention(q, k, v, keep):
    time.sleep(30)
