"""Takes each head's columns and writes its output into the same columns."""

import numpy as np


def multi_head_attention(q, k, v, H):
    D = q.shape[-1] // H
    out = np.empty_like(q)
    for h in range(H):
        own = slice(h * D, (h + 1) * D)
        scores = q[..., own] @ k[..., own].transpose(0, 2, 1) / np.sqrt(D)
        exp = np.exp(scores - scores.max(-1, keepdims=True))
        out[..., own] = exp / exp.sum(-1, keepdims=True) @ v[..., own]
    return out
