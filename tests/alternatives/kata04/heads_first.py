"""The head axis comes first; the result is in Fortran order."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    B, T, _ = x.shape
    q, k, v = (np.moveaxis((x @ W).reshape(B, T, H, -1), 2, 0) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(k.shape[-1])  # (H, B, T, T)
    exp = np.exp(scores - scores.max(axis=3)[..., None])
    heads = (exp @ v) / exp.sum(axis=3)[..., None]  # (H, B, T, D)
    merged = heads.transpose(1, 2, 0, 3).reshape(B, T, -1)
    return np.asfortranarray(merged @ Wo)
