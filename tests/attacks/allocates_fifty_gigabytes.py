"""Allocates fifty gigabytes at once.

want: error memory-limit
"""

import numpy as np


def attention(q, k, v, keep):
    space = np.empty(50 << 30, np.uint8)
    print("GOT", space.size, "bytes", flush=True)
