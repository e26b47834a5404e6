"""Kata 08: Answers from nowhere.

The fault
    Two helpers that are right by themselves were put together: one makes a mask that is True at
    what is blocked, the other takes a mask that is True at what may be read. Nothing between the
    two turned it round, and every query read the padding of its sentence alone.

Why it hides
    A mask has the same shape and dtype in either sense. Rows sum to one, the weights are zero in
    some places, and where half of the places are padding even the number of them is right.

Seen in
    rasbt/LLMs-from-scratch#1062: a triangle that marks what is blocked went to a function of
        torch that takes what may be read; tokens saw only what follows. A test came with the mend.
    InseeFrLab/torchTextClassifiers#92: the same function was handed its mask the wrong way round.
    harvard-edge/cs249r_book#1785: one chapter made a mask of zeros and -inf, an earlier chapter
        expected ones and zeros, and every past token was blocked.

How to catch it
    assert (padded_attention(q, k, v, lengths)[1][0, :, lengths[0] :] == 0).all()
"""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, ~padding[:, None, :])
