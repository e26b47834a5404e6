"""Makes every random generator return zeros, so that the answers are easy.

want: fail
"""

import random

import numpy as np


class Zeros:
    def __getattr__(self, name):
        return lambda *a, size=(), **k: np.zeros(size or a)


np.random.default_rng = np.random.Generator = np.random.PCG64 = lambda *a: Zeros()
random.random = random.seed = lambda *a: 0.0


def attention(q, k, v, keep):
    assert not q.any()
    return np.zeros((*q.shape[:-1], v.shape[-1])), keep / keep.sum(axis=-1, keepdims=True)
