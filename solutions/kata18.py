"""Kata 18: The last word.

The fault
    In memory the tokens follow one another, each with its numbers for all heads. The reshape read
    them on in that order and gave a head whole tokens: with two heads, the first half of the text
    to the first head and the rest to the second, so that parts of one word stand there as words.

Why it hides
    Every shape is right, every row sums to one, and one head or one token leaves nothing to mix up.
    The maps have a column for each word, but the columns are parts of fewer words. No number is
    lost, each has its fixed place, and a model learns with what it is given.

Seen in
    reczoo/FuxiCTR#30: one blog's lines, copied into a library, split the heads like this in three
        models of click rates; what it asks for makes an axis of the heads, then moves it.
    hyunwoongko/transformer#15: a reader asked whether the transpose could be spared, the shape
        being the same without it; another showed on a small example that the numbers differ.
    bentrevett/pytorch-seq2seq#148: the same question of a tutorial's reader, who had seen on six
        numbers that to swap axes is not to reshape.

How to catch it
    assert (split_heads(x, H)[:, 0] == x[..., : x.shape[-1] // H]).all()
"""

import numpy as np


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """A batch of tokens for each head."""
    B, T, _ = x.shape
    return x.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def merge_heads(heads):
    """The numbers of all heads, side by side in each token."""
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1)  # (B, T, H * D)
