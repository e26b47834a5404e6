"""Kata 19: Two favourites.

The fault
    The last axis of the keys had a letter of its own. A letter that appears in only one array and
    not in the output is summed before anything is multiplied: a score was the sum of a query's
    numbers times the sum of a key's. So every query ranks the keys in one order or its reverse.

Why it hides
    Every shape is right at every size, rows sum to one, queries and keys both matter, the loss
    falls, and with heads of size one the two equations are the same. The letter looks familiar:
    on other lines it stands for the model size.

Seen in
    decisionintelligence/DUET#6: a letter appeared twice in one array of an einsum, so that only
        the diagonal of a learned matrix had an effect; the authors fixed it and tested again.
    wl-zhao/DIML#6: two files ordered the letters of the same product differently; both ran, and
        the one used in training was wrong.
    rasbt/LLMs-from-scratch#857: a weight's two letters were swapped, which raised no error as long
        as the layer was as wide as its input.

How to catch it
    assert np.allclose(layer(x, Wq @ R, Wk @ R, Wv, Wo)[1], weights)  # R: any rotation

In PyTorch
    `torch.einsum` reads the letters in the same way: one that appears once and not in the output is
    summed, without a warning.

    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, 7.0]])
    >>> torch.einsum("qd,ke->qk", q, k)
    tensor([[10.]])
    >>> torch.einsum("qd,kd->qk", q, k)
    tensor([[3.]])
"""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("bte,ehd->bthd", x, W) for W in (Wq, Wk, Wv))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = np.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, T, H, Dv)
    return np.einsum("bqhd,hde->bqe", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
