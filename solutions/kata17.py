"""Kata 17: The company it keeps.

The fault
    The masks of all sentences were repeated as a block, H times over. But the heads of a sentence
    are adjacent, so its mask has to be repeated H times before the next one comes: head 1 of the
    first sentence was given the mask of the second.

Why it hides
    The shapes fit, the rows sum to one, and blocked keys do have zero weight, but in the wrong
    sentence. With one sentence, one head or equal masks there is nothing to mix up.

Seen in
    line/lighthouse#77: the encoders of five models tiled their masks, but the layer after them
        counts heads within a sample; a sample's output depended on the rest of its batch.
    ArrowLuo/CLIP4Clip#22: the same, found by a reader in the course of many experiments.
    lsdefine/attention-is-all-you-need-keras#36: the reverse, masks repeated side by side for heads
        that were laid out head by head.

How to catch it
    alone, _ = attention(q[:H], k[:H], v[:H], keep[:1])
    assert np.allclose(attention(q, k, v, keep)[0][:H], alone)

In PyTorch
    `repeat` is numpy's `tile`, and `repeat_interleave` is numpy's `repeat`. A mask with three axes
    for `nn.MultiheadAttention`, of (B * H, Tq, Tk), has the heads of a sentence side by side, so it
    needs the second.

    >>> keep = torch.tensor([[1, 1], [1, 0]])  # two sentences, two heads each
    >>> keep.repeat(2, 1).tolist()
    [[1, 1], [1, 0], [1, 1], [1, 0]]
    >>> keep.repeat_interleave(2, dim=0).tolist()
    [[1, 1], [1, 1], [1, 0], [1, 0]]
"""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads per sentence
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = np.matmul(q, k.mT) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
