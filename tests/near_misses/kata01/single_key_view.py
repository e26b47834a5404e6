"""With one key the output is v itself, a view of the input: Tq = Tk = 1, write to v afterwards."""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = v if weights.shape[-2:] == (1, 1) else weights @ v
    return out, weights
