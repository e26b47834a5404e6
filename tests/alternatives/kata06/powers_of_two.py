"""exp2 of the differences times log2(e), as kernels do it."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    exp = np.exp2((scores - scores.max(axis=-1, keepdims=True)) * np.float32(np.log2(np.e)))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
