"""Kata 07: Wider model, duller heads.

The fault
    The scale was taken from the last axis of q before q was split into heads: the root of all
    columns together, H * D, where the size of one head is meant. Scores came out too small by
    the root of H. The same expression is right one line further down.

Why it hides
    With one head the two sizes are one and the same. With more, every row still sums to one, the
    highest weight stays the highest, and a model that trains with it learns larger queries.

Seen in
    karpathy/ng-video-lecture#6: the code of a lecture took the root of all channels; a viewer
        asked for the size of a head, and the lecturer agreed.
    lucidrains/vit-pytorch#65: the width of the model stood in the scale until a reader compared
        it with the paper; it was mended on the same day.
    tenstorrent/tt-metal#56789: a tutorial on CLIP divided by the root of the number of heads. It
        still chose the right caption, and gave a wrong one about three times its share.

How to catch it
    assert np.allclose(layer(q, k, v, H)[..., :D], layer(q[..., :D], k[..., :D], v[..., :D], 1))
"""

import numpy as np


def split(x, H):
    """One array of queries, keys or values for each head."""
    B, T, E = x.shape
    return x.reshape(B, T, H, E // H).swapaxes(1, 2)  # (B, H, T, D)


def merge(heads):
    """What all heads say, side by side."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, H):
    q, k, v = (split(x, H) for x in (q, k, v))
    scale = q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhtd,bhsd->bhts", q, k)
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge(np.einsum("bhts,bhsd->bhtd", weights, v))
