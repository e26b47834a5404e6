"""Kata 07: Wider model, duller heads.

The fault
    The scale was taken from the last axis of q before q was split into heads: the root of the full
    width, H * D, instead of the root of the head size, D. Scores were too small by a factor of
    sqrt(H). The same expression is right one line further down.
    For what the scale does, see `python -m checker show scale`.

Why it hides
    With one head the two sizes are equal. With more, every row still sums to one, the highest
    weight is still the highest, and a model trained with the bug learns larger queries.

Seen in
    karpathy/ng-video-lecture#6: the code of a lecture used the root of all channels; a pull
        request used the head size instead, and the lecturer agreed.
    lucidrains/vit-pytorch#65: the scale used the width of the model until a reader compared it
        with the paper; it was fixed on the same day.
    tenstorrent/tt-metal#56789: a tutorial on CLIP divided by the root of the number of heads. It
        still chose the right caption, but gave a wrong one about three times its proper share.

How to catch it
    assert np.allclose(layer(q, k, v, H)[..., :D], layer(q[..., :D], k[..., :D], v[..., :D], 1))

In PyTorch
    `scaled_dot_product_attention` uses the last axis of q, which is right once the heads are split.
    The bug comes back with `scale=`, if it was computed from the width of the model.

    >>> q, k, v = 4 * torch.eye(1, 4), torch.eye(4), torch.eye(4)  # D = 4; the model has 64
    >>> F.scaled_dot_product_attention(q, k, v, scale=64**-0.5)
    tensor([[0.3547, 0.2151, 0.2151, 0.2151]])
    >>> F.scaled_dot_product_attention(q, k, v)
    tensor([[0.7112, 0.0963, 0.0963, 0.0963]])
"""

import numpy as np


def split(x, H):
    """Split the last axis into heads."""
    B, T, E = x.shape
    return x.reshape(B, T, H, E // H).swapaxes(1, 2)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads along the last axis."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    peak = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - peak)
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, H):
    q, k, v = (split(x, H) for x in (q, k, v))
    scale = q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhtd,bhsd->bhts", q, k)
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge(np.einsum("bhts,bhsd->bhtd", weights, v))
