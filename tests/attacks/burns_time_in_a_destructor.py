"""Wastes time in `__del__`: after the call, and when the interpreter exits.

want: error time-limit
"""

import atexit
import time

END = time.monotonic() + 30


def burn():
    while time.monotonic() < END:
        sum(range(10**6))


class Ash:
    __del__ = staticmethod(burn)


atexit.register(burn)


def attention(q, k, v, keep):
    Ash()
