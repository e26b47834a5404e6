"""Kata 19: Sharing keys.

The fault
    The key and value heads were copied as a whole, one set behind the other: 0 1 0 1. Query heads
    that share a key head stand side by side, so each copy has to stand beside its original:
    0 0 1 1. Query heads read keys that were made for others.

Why it hides
    Either way there are H heads, each as often as any other. With G = H and with G = 1 there is
    only one order, and a model that is trained in the wrong one learns as well as any: it takes
    weights from elsewhere to tell.

Seen in
    onnx/onnx#7274: the body of the standard's own Attention used Tile; frameworks had the copies
        side by side.
    apple/axlearn#842: a change made for other reasons had turned 0 0 1 1 into 0 1 0 1; the next
        put it back.
    fkodom/grouped-query-attention-pytorch#5: a reader compared it with Llama 2: queries were cut
        down to the heads of the keys. Unit tests had not seen it; now they compare with copies.

How to catch it
    assert np.allclose(out[:, :rep], attention(q[:, :rep], k[:, :1], v[:, :1]))  # the first group
"""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads for each key head
    k, v = spread(k, rep), spread(v, rep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values, with a head for every query head."""
    return np.repeat(heads, rep, axis=1)  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
