"""Returns objects that implement every array protocol.

want: fail
"""

import numpy as np


class Liar:
    shape, dtype, ndim, size = (2, 3, 6), np.dtype("f8"), 3, 36
    __class__ = np.ndarray
    __array_interface__ = {"shape": (2, 3, 6), "typestr": "<f8", "data": (0, True), "version": 3}
    __array_priority__ = 1e9

    def __array__(self, *a, **k):
        return np.zeros((2, 3, 6))

    def __eq__(self, other):
        return True

    __le__ = __sub__ = __rsub__ = __array_ufunc__ = __eq__


def attention(q, k, v, keep):
    return Liar(), Liar()
