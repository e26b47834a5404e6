"""Keeps the linear algebra library busy, outside the interpreter.

want: error time-limit
"""

import time

import numpy as np

END = time.monotonic() + 30


def attention(q, k, v, keep):
    square = np.ones((2000, 2000))
    while time.monotonic() < END:
        square = square @ square * 1e-4
