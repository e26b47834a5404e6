"""Returns an array of eight hundred megabytes.

want: fail, error memory-limit
"""

import numpy as np


def attention(q, k, v, keep):
    return np.zeros(100_000_000), np.zeros(3)
