"""Goes row by row with a running maximum."""

import numpy as np


def decode(q, keys, values, lengths):
    top = np.full(q.shape[:2], -np.inf)
    total, out = np.zeros(q.shape[:2]), np.zeros((*q.shape[:2], values.shape[-1]))
    for s in range(lengths.max()):
        read = (s < lengths)[:, None]  # (B, 1)
        score = np.where(read, (q * keys[:, :, s]).sum(axis=-1) / np.sqrt(q.shape[-1]), -np.inf)
        higher = np.maximum(top, score)
        rescale, part = np.exp(top - higher), np.exp(score - higher)
        total = total * rescale + part
        value = np.where(read[..., None], values[:, :, s], 0.0)
        out = out * rescale[..., None] + part[..., None] * value
        top = higher
    return out / total[..., None]
