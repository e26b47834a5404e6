"""Kata 23: Sharing keys.

The fault
    The key and value heads were repeated as a whole set: 0 1 0 1. Query heads that share a key
    head are adjacent, so the copies of a key head must be adjacent too: 0 0 1 1. Query heads
    attended to keys that were made for other heads.

Why it hides
    Either way there are H heads, and each key head appears equally often. With G = H and with
    G = 1 there is only one order, and a model trained with the wrong one learns just as well:
    only weights from elsewhere reveal the bug.

Seen in
    onnx/onnx#7274: the function body of the standard's own Attention used Tile; PyTorch keeps
        the copies adjacent.
    apple/axlearn#842: an earlier change had turned 0 0 1 1 into 0 1 0 1; this one restored the
        order.
    fkodom/grouped-query-attention-pytorch#5: a comparison with Llama 2 showed that queries were
        reduced to the number of key heads. Unit tests had missed it; now they compare with an
        attention that repeats the key heads.

How to catch it
    assert np.allclose(out[:, :rep], attention(q[:, :rep], k[:, :1], v[:, :1]))  # the first group

In PyTorch
    `repeat` copies the set of heads, `repeat_interleave` each head. The option `enable_gqa=True` of
    `scaled_dot_product_attention` does what `repeat_interleave` does.

    >>> k = torch.tensor([[[[0]], [[1]]]])  # (B, G, Tk, D), two key heads
    >>> k.repeat(1, 2, 1, 1).flatten()
    tensor([0, 1, 0, 1])
    >>> k.repeat_interleave(2, dim=1).flatten()
    tensor([0, 0, 1, 1])
"""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads per key head
    k, v = spread(k, rep), spread(v, rep)
    scores = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values with one head per query head."""
    return np.repeat(heads, rep, axis=1)  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
