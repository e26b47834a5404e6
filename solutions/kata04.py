"""Kata 04: Whose words are these?

The fault
    The outputs of the heads lie in memory head by head, all words of a head together. The reshape
    read them on in that order: a word got several words of one head in place of the same word
    from every head. The axes of heads and words have to change places first.

Why it hides
    Every shape is right, and one head or one word leaves nothing to mix up. The numbers are all
    there, each in a fixed place, so that a wide model learns around it while T stays the same.

Seen in
    jsbaan/transformer-from-scratch#6: mended ten months after a reader had reported it; the copy
        task that served as a test had been learned in spite of it.
    xieenze/Trans2Seg#4: a reader asked for the swap; the answer was that it trains and tests well.
    hackiey/QAnet-pytorch#2: the mend changed no score, since the model ran with a single head.

How to catch it
    assert np.allclose(layer(x[:, ::-1]), layer(x)[:, ::-1])  # other order, same answers
"""

import numpy as np


def split(tokens, H):
    """One array of tokens for each head."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1) @ Wo
