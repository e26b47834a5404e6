"""Kata 17: In other company.

The fault
    The masks of all sentences were laid one after another, and that H times over. The heads of a
    sentence lie side by side, so its mask has to be there H times before the next one comes: what
    head 1 of the first sentence was given is the mask of the second.

Why it hides
    The shapes fit, the rows sum to one, and blocked keys are at zero, only for somebody else. One
    sentence, one head, or masks that are all the same leave nothing to mix up.

Seen in
    line/lighthouse#77: the encoders of five models tiled their masks, where the layer behind them
        counts heads within a sample; a sample's answer depended on the rest of its batch.
    ArrowLuo/CLIP4Clip#22: the same, found by a reader in the course of many experiments.
    lsdefine/attention-is-all-you-need-keras#36: the other way round, masks side by side under
        heads that were laid out head by head.

How to catch it
    alone, _ = attention(q[:H], k[:H], v[:H], keep[:1])
    assert np.allclose(attention(q, k, v, keep)[0][:H], alone)
"""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads of a sentence
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
