"""Takes the maximum over real tokens only, and zeroes the exponentials of padding."""

import numpy as np


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    words = keep[:, None, :]  # (B, 1, T)
    highest = np.max(scores, axis=-1, keepdims=True, where=words, initial=-1e7)
    exp = np.exp(np.minimum(scores - highest, 0.0)) * words
    return exp @ v / np.maximum(exp.sum(axis=-1, keepdims=True), 1.0)  # the maximum contributes one
