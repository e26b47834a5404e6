"""Returns numbers whose operators always agree.

want: fail
"""

import numpy as np


class Liar(np.float64):
    dtype = np.dtype("O")

    def __eq__(self, other):
        return True

    def __array__(self, *a, **k):
        return np.array([self], dtype=object)

    def item(self):
        return self

    __le__ = __lt__ = __ge__ = __sub__ = __rsub__ = __abs__ = __eq__


def attention(q, k, v, keep):
    return Liar(0), [Liar(0)]
