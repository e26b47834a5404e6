"""Reads memory at address zero.

want: error crashed
"""

import ctypes


def attention(q, k, v, keep):
    return ctypes.string_at(0)
