"""A loop over the heads, whose outputs are concatenated."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - np.max(scores, axis=2, keepdims=True))
    return exp / np.sum(exp, axis=2, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    D = Wq.shape[1] // H
    said = []
    for h in range(H):
        q, k, v = (x @ W[:, h * D : (h + 1) * D] for W in (Wq, Wk, Wv))
        said.append(softmax(q @ k.transpose(0, 2, 1) / np.sqrt(D)) @ v)
    return np.concatenate(said, axis=-1) @ Wo
