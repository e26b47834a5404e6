"""Letters for summed axes, an ellipsis for the rest, heads before tokens."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("b...e,ehd->bh...d", x, W) for W in (Wq, Wk, Wv))
    weights = softmax(np.einsum("...qd,...kd->...qk", q / np.sqrt(q.shape[-1]), k))
    heads = np.einsum("...qk,...kd->...qd", weights, v)
    return np.einsum("bh...d,hde->b...e", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
