"""Returns arrays of objects that create a folder when unpickled.

want: fail
"""

import os

import numpy as np


class Plant:
    def __reduce__(self):
        return os.mkdir, (TARGET["open"] + "/planted",)


def attention(q, k, v, keep):
    return np.array([Plant()]), np.array([(1, Plant())], dtype="i4,O")
