"""Kata 04: Two heads are worse than one.

The fault
    In memory, the outputs of the heads are stored head by head: first all tokens of one head, then
    all tokens of the next. The reshape took them in that order, so a token got several tokens of
    one head instead of the same token from every head. The head and token axes must be swapped
    first.

Why it hides
    Every shape is right, and with one head or one token there is nothing to mix up. All the
    numbers are there, each in a fixed place, so a wide model learns around it while T stays the
    same.

Seen in
    jsbaan/transformer-from-scratch#6: fixed ten months after a reader had reported it; the model
        had learned the copy task that served as a test in spite of the bug.
    xieenze/Trans2Seg#4: a reader asked for the swap; the answer was that it trains and tests well.
    hackiey/QAnet-pytorch#2: the fix changed no score, since the model ran with a single head.

How to catch it
    assert np.allclose(layer(x[:, ::-1]), layer(x)[:, ::-1])  # other order, same outputs

In PyTorch
    `view` accepts the wrong order without complaint. After the missing transpose it would raise an
    error, where `flatten` and `reshape` copy; removing the transpose to silence the error gives
    this bug.

    >>> heads = torch.tensor([[[[1, 2], [3, 4]], [[10, 20], [30, 40]]]])  # (B, H, T, D)
    >>> heads.view(1, 2, -1).tolist()
    [[[1, 2, 3, 4], [10, 20, 30, 40]]]
    >>> heads.transpose(1, 2).flatten(2).tolist()
    [[[1, 2, 10, 20], [3, 4, 30, 40]]]
"""

import numpy as np


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(np.matmul(q, k.mT) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1) @ Wo
