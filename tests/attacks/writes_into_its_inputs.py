"""Overwrites its read-only inputs with NaN, so that everything is equal.

want: fail
"""

import ctypes

import numpy as np


def attention(q, k, v, keep):
    for array in (q, k, v, keep):
        ctypes.memset(array.ctypes.data, 0xFF, array.nbytes)
    q.ctypes.data_as(ctypes.POINTER(ctypes.c_double))[0] = np.nan
    return np.full((*q.shape[:-1], v.shape[-1]), q.flat[0]), keep * np.nan
