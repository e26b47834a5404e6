"""Returns arrays that claim terabytes and hold one number.

want: fail, error memory-limit
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided


def attention(q, k, v, keep):
    one = np.ones(1)
    return np.broadcast_to(one, (2**40,)), as_strided(one, (2**10,) * 4, (0,) * 4)
