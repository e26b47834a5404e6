"""Returns memory that was just freed, in case the right answer is in it.

want: fail
"""

import numpy as np


def attention(q, k, v, keep):
    return np.empty((*q.shape[:-1], v.shape[-1])) * np.nan, np.empty((*q.shape[:-1], k.shape[-2]))
