"""Kata 09: Too good to be true.

The fault
    The triangle of allowed keys was shifted up by one diagonal, so every token attended to the
    next one, the very token that it has to predict. `k=1` belongs to the other way of writing the
    mask, as the triangle of blocked keys.

Why it hides
    Rows sum to one, the weights form a triangle, and the last token, the one that matters when
    the model generates, is right. The training loss gives no warning: it gets better.

Seen in
    octo-models/octo#75: a printed mask showed a token attending to the one after it, which had to
        stay hidden; the proposed fix speaks of a potential off-by-one error.
    pbloem/former#10: a blog post had the same slip in the other direction, which left the first
        token without a key and with nan in its row; the code in the repository was right.
    RVC-Boss/GPT-SoVITS#965: readers disagree about whether the diagonal of the mask is off by one;
        one of them moved it, and heard worse speech.

How to catch it
    assert np.allclose(causal_attention(x[:t], *W)[0], causal_attention(x, *W)[0][:t])

In PyTorch
    `triu(1)` is right for blocked keys and `tril(1)` is wrong for allowed ones. `is_causal=True` is
    right too, for as many queries as keys; one query and many keys see only the first key, because
    its triangle starts at the top left.

    >>> x, ones = torch.tensor([[2.0], [4.0], [9.0]]), torch.ones(3, 3, dtype=torch.bool)
    >>> F.scaled_dot_product_attention(0 * x, x, x, attn_mask=ones.tril(1)).T
    tensor([[3., 5., 5.]])
    >>> F.scaled_dot_product_attention(0 * x, x, x, is_causal=True).T
    tensor([[2., 3., 5.]])
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = np.matmul(q, k.mT) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool))
    masked = np.where(keep, scores, -np.inf)
    weights = softmax(masked)
    return weights @ v, weights
