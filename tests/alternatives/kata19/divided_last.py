"""The weighted sum of the values first, divided by the sum of exp afterwards."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("bte,ehd->hbtd", x, W) for W in (Wq, Wk, Wv))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total = exp.sum(axis=-1, keepdims=True)
    out = np.einsum("hbtd,hde->bte", exp @ v / total, Wo)
    return out, (exp / total).swapaxes(0, 1)
