"""Returns arrays over the worker's memory, before and after its own.

want: fail, error crashed
"""

from numpy.lib.stride_tricks import as_strided


def attention(q, k, v, keep):
    return as_strided(q, (2, 3, 6), (2**12, -(2**12), 8)), as_strided(k, (2, 3, 5), (2**40, 8, 8))
