"""Returns arrays that are equal to everything and have every shape.

want: fail
"""

import numpy as np


class Liar(np.ndarray):
    shape = property(lambda self: (2, 3, 6))
    dtype = property(lambda self: np.dtype("f8"))
    __class__ = property(lambda self: np.ndarray)

    def __eq__(self, other):
        return np.array(True)

    def __array_ufunc__(self, *inputs, **options):
        return np.array(True)

    __array_function__ = __array__ = __array_ufunc__
    __ne__ = __lt__ = __le__ = __gt__ = __sub__ = __rsub__ = __eq__


def attention(q, k, v, keep):
    return np.zeros(1).view(Liar), np.zeros(1).view(Liar)
