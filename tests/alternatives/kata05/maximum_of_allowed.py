"""The maximum is over allowed keys; blocked exponentials are discarded, even if inf."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    top = scores.max(axis=-1, keepdims=True, where=keep, initial=-np.inf)
    exp = np.where(keep, np.exp(scores - top), 0.0)
    total = exp.sum(axis=-1, keepdims=True)
    return exp @ v / total, exp / total
