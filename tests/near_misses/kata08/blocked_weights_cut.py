"""Sets the weights of padding to zero after the softmax: rows sum to less than one."""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    weights = np.where(keep, weights, 0.0)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, ~padding[:, None, :])
