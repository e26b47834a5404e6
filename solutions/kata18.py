"""Kata 18: Three in one.

The fault
    The columns of the fused matrix were read as all queries, then all keys, then all values, each
    of them head by head. They are packed the other way round: head by head, each with its query,
    key and value. Heads got the numbers of other heads, and keys or values in place of queries.

Why it hides
    Both layouts have the same number of columns and give three arrays of the right shape. With one
    head they are identical. A layer trained from scratch learns with whatever layout it is given:
    the layout is a convention, and only weights from elsewhere bring their own.

Seen in
    lablup/mlxcel#928: support for GPT-NeoX, which packs by head; next to it were two families
        that are split in thirds, and no shape check could have told them apart.
    elixir-nx/bumblebee#204: in a port of the same family the keys were wrong until the matrix was
        split by heads first and then in three.
    jsbaan/transformer-from-scratch#1: returned as q, k, v and received as q, v, k; for a model
        trained with it, its author answered, this makes no difference.

How to catch it
    assert np.allclose(layer(x, Wqkv, Wo, H), sum(layer(x, *of_head(h), 1) for h in range(H)))

In PyTorch
    `chunk(3, -1)` is right for weights packed in thirds, such as the `in_proj_weight` of
    `nn.MultiheadAttention`. Weights packed head by head have to be split into heads first.

    >>> qkv = torch.tensor([0, 1, 2, 10, 11, 12])  # two heads, each with q, k and v of size one
    >>> [each.tolist() for each in qkv.chunk(3, -1)]
    [[0, 1], [2, 10], [11, 12]]
    >>> [each.flatten().tolist() for each in qkv.unflatten(-1, (2, 3, 1)).unbind(-2)]
    [[0, 10], [1, 11], [2, 12]]
"""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, H, 3, -1)
    q, k, v = packed.transpose(3, 0, 2, 1, 4)  # each (B, H, T, D)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
