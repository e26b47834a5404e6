"""One key at a time with a running maximum; earlier sums are rescaled when it grows."""

import numpy as np


def attention(q, k, v):
    high = np.full(q.shape[:-1], -np.inf)
    total, out, seen = 0.0 * q[..., 0], np.zeros((*q.shape[:-1], v.shape[-1])), []
    for s in range(k.shape[-2]):
        score = (q * k[..., s : s + 1, :]).sum(-1) / np.sqrt(q.shape[-1])
        higher = np.maximum(high, score)
        shrink, gain = np.exp(high - higher), np.exp(score - higher)
        total = total * shrink + gain
        out = out * shrink[..., None] + gain[..., None] * v[..., s : s + 1, :]
        high, seen = higher, [*seen, score]
    weights = np.exp(np.stack(seen, axis=-1) - high[..., None]) / total[..., None]
    return out / total[..., None], weights
