"""Kata 20: The last word.

The fault
    In memory the tokens follow one another, each with its numbers for all heads. The reshape kept
    that order and gave each head whole tokens: with two heads, the first half of the text went to
    the first head and the rest to the second, so parts of one word appeared there as several words.

Why it hides
    Every shape is right, every row sums to one, and with one head or one token there is nothing to
    mix up. The maps have one column per word, but the columns are parts of fewer words. No number
    is lost, each has a fixed position, and a model learns to work with what it gets.

Seen in
    reczoo/FuxiCTR#30: one blog's code, copied into a library, split the heads like this in three
        click-rate models; the proposed code gives the heads their own axis, then moves it.
    hyunwoongko/transformer#15: a reader asked whether the transpose was needed, since the shape is
        the same without it; another showed with a small example that the numbers differ.
    bentrevett/pytorch-seq2seq#148: the same question from a tutorial's reader, who had seen with
        six numbers that swapping axes is not reshaping.

How to catch it
    assert (split_heads(x, H)[:, 0] == x[..., : x.shape[-1] // H]).all()

In PyTorch
    `view(B, H, T, -1)` gives the right shape with the wrong numbers in it. `unflatten` splits a
    single axis, so it cannot mix tokens; a transpose then moves the heads.

    >>> x = torch.tensor([[[1, 10], [2, 20], [3, 30]]])  # (B, T, H * D), two heads
    >>> x.view(1, 2, 3, -1)[0, 0].tolist()  # should be the first number of each token
    [[1], [10], [2]]
    >>> x.unflatten(-1, (2, -1)).transpose(1, 2)[0, 0].tolist()
    [[1], [2], [3]]
"""

import numpy as np


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, _ = x.shape
    return x.reshape(B, T, H, -1).transpose(0, 2, 1, 3)  # (B, H, T, D)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, -1)  # (B, T, H * D)
