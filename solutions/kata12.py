"""Kata 12: The same sentence, padded.

The fault
    A mask of shape (B, T), used as an index, selects along the first two axes of the scores, and
    the second of them is the queries. The mask blocked padding as queries, not as keys: the whole
    row of a padding token was blocked, and every real token still attended to all of the padding.

Why it hides
    In self-attention there are as many queries as keys, so every shape fits. The zeros are exactly
    where the padding is, which looks like a working mask. Without padding every answer is right.

Seen in
    hyunwoongko/transformer#40: the padding mask was applied along the queries; a blocked score of
        -10000 kept every row finite; with minus infinity, rows of padding would be nan.
    hyunwoongko/transformer#1: merged years before, it masked rows as well as columns, although
        masking the columns alone had been right.
    bentrevett/pytorch-seq2seq#119: a reader expected zeros in the rows of the padding; the mask
        was right, since it only has to block keys.

How to catch it
    assert np.allclose(self_attention(padded, keep, *W)[:, :n], self_attention(alone, all_true, *W))

In PyTorch
    A mask of (B, T) needs a new axis, and `unsqueeze` puts it wherever it is told. After
    `unsqueeze(2)` the mask has one entry per query, after `unsqueeze(1)` one per key; with as many
    queries as keys both broadcast.

    >>> x, keep = torch.tensor([[[1.0], [3.0]]]), torch.tensor([[True, False]])
    >>> F.scaled_dot_product_attention(0 * x, x, x, attn_mask=keep.unsqueeze(2)).mT
    tensor([[[2., 0.]]])
    >>> F.scaled_dot_product_attention(0 * x, x, x, attn_mask=keep.unsqueeze(1)).mT
    tensor([[[1., 1.]]])
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one, or to zero if all scores are -inf."""
    highest = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores = np.where(keep[:, None, :], scores, -np.inf)
    return softmax(scores) @ v
