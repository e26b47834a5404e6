"""Kata 21: Same word, same answer.

The fault
    Heads were split and merged as for arrays of (B, T, E). Here time comes first, so attention ran
    over the batch axis: a token attended to the tokens at the same position in the batch items
    before its own, and to no other token of its own sentence.

Why it hides
    Both axes are just lengths, and split and merge are consistent: every shape is right at every
    size. No later token leaks, the first item of a batch is the same alone and with others, and a
    batch always contains something to learn from.

Seen in
    IBM/TabFormer#14: the encoder of a published model expected time first and got the batch first.
    om-ai-lab/OmDet#19: the published weights were right; the inference code was not, and its
        results for batches were inconsistent.
    aipixel/AEMatter#3: a model had been trained with the bug; to its author it seemed to act as a
        strong regulariser.

How to catch it
    assert np.allclose(layer(x)[:, -1:], layer(x[:, -1:]))  # the last item, alone

In PyTorch
    `nn.MultiheadAttention` and `nn.Transformer` expect (T, B, E) unless they are told
    `batch_first=True`. With (B, T, E) and without that option, items of the batch attend to each
    other.

    >>> x = torch.rand(3, 5, 4)  # (B, T, E)
    >>> for first in (False, True):
    ...     layer = torch.nn.MultiheadAttention(4, 1, batch_first=first)
    ...     alone, batch = (layer(part, part, part)[0] for part in (x[:1], x))
    ...     print(torch.allclose(alone, batch[:1], atol=1e-6))
    False
    True
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    later = ~np.tri(scores.shape[-1], dtype=bool)
    weights = softmax(np.where(later, -np.inf, scores))
    return merge(weights @ v) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    each = tokens.reshape(*tokens.shape[:2], H, -1)
    return each.transpose(1, 2, 0, 3)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads of each token."""
    each = heads.transpose(2, 0, 1, 3)  # (T, B, H, D)
    return each.reshape(*each.shape[:2], -1)
