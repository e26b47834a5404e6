"""Kata 21: Two favourites.

Symptom
    On the attention maps a head knows two favourites in a sentence: whichever word asks, it looks
    most at the one or at the other. The heads were made wider, twice, and it did not help.

Reproduce
    >>> x = np.array([[[40.0, -10.0], [-10.0, 40.0], [-30.0, -30.0]]])
    >>> W = np.eye(2)[:, None]  # (E, H, D), with one head
    >>> out, weights = multi_head_attention(x, W, W, W, W.swapaxes(0, 1))
    >>> weights.argmax(axis=-1).tolist()
    [[[0, 1, 2]]]

Contract
    multi_head_attention(x, Wq, Wk, Wv, Wo) -> out, weights
        x        (B, T, E)     tokens, float64
        Wq, Wk   (E, H, D)     make a query and a key of every token, for each head
        Wv       (E, H, Dv)    makes a value of every token, for each head
        Wo       (H, Dv, E)    makes an answer of what each head says of a token
        out      (B, T, E)     for each token, the sum of the answers of its heads
        weights  (B, H, T, T)  of each head, a row for every token that asks: the softmax of
                               q . k / sqrt(D) over all tokens of the batch item, itself included
    What a head says of a token is the mean of the head's values under that row of weights. All
    sizes are one or more. Every number and every score lies between -1e6 and 1e6. Inputs are left
    as they are.
"""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("bte,ehd->bthd", x, W) for W in (Wq, Wk, Wv))
    scores = np.einsum("bqhd,bkhe->bhqk", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = np.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, T, H, Dv)
    return np.einsum("bqhd,hde->bqe", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
