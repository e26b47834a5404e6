"""The memory scores are masked separately, then concatenated with those of x."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    D = Wq.shape[-1] // H
    said = []
    for h in range(H):
        own = slice(h * D, (h + 1) * D)
        q = x @ Wq[:, own] / np.sqrt(D)
        to_memory = np.matmul(q, np.swapaxes(memory @ Wk[:, own], 1, 2))
        to_memory = np.where(keep[:, np.newaxis], to_memory, -np.inf)
        scores = np.concatenate((np.matmul(q, np.swapaxes(x @ Wk[:, own], 1, 2)), to_memory), -1)
        weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        weights /= np.sum(weights, axis=-1, keepdims=True)
        said.append(weights @ np.hstack([x, memory]) @ Wv[:, own])
    return np.concatenate(said, axis=-1) @ Wo
