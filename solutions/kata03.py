"""Kata 03: Next to a longer sentence.

The fault
    The softmax ran over every key, blocked ones included, and only then were the blocked weights
    set to zero. The weight they had taken was never given back to the allowed keys.

Why it hides
    The zeros are in the right places and the shapes are right. Without padding nothing is wrong,
    and with padding every output merely shrinks, which a layer norm after it corrects.

Seen in
    huggingface/pytorch-image-models#2236: EVA's attention was right on the fused path; the plain
        one masked after its softmax, and the maintainer wondered how that had happened.
    lucidrains/memory-compressed-attention#2: the softmax came before both masks, which filled the
        scores with plus infinity; a reader asked about each, and both were fixed.

How to catch it
    assert np.allclose(weights.sum(axis=-1), 1)

In PyTorch
    The same two lines in the other order: `masked_fill` with zero after the softmax, instead of
    with -inf before it. Dropout on the weights makes it harder to see, since rows no longer sum to
    one in training anyway.

    >>> scores, blocked = torch.zeros(3), torch.tensor([False, False, True])
    >>> F.softmax(scores, -1).masked_fill(blocked, 0).sum()
    tensor(0.6667)
    >>> F.softmax(scores.masked_fill(blocked, -torch.inf), -1).sum()
    tensor(1.)
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / np.sum(exp, axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
