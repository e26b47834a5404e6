"""Bool bias of -2e6: wrong where a hidden score is 1e6 and the allowed ones are -1e6."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def raw_scores(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def scaled_dot_product_attention(q, k, v, attn_mask):
    if attn_mask.dtype == bool:
        bias = np.zeros(attn_mask.shape)
        bias[~attn_mask] = -2e6
        attn_mask = bias
    return softmax(raw_scores(q, k) + attn_mask) @ v
