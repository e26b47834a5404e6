"""Heads are kept apart by 0/1 masks over the columns, without a split."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    D = Wq.shape[1] // H
    owner = np.repeat(np.arange(H), D)
    mine = (owner == np.arange(H)[:, None]).astype(float)[:, None, None, :]  # (H, 1, 1, HD)
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    s = (Q * mine) @ K.swapaxes(1, 2) / np.sqrt(D)  # (H, B, T, T)
    e = np.exp(s - s.max(-1, keepdims=True))
    return ((e / e.sum(-1, keepdims=True)) @ V * mine).sum(0) @ Wo
