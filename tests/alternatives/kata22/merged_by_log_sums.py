"""Two attentions, merged by their log-sum-exp."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape

    def heads(tokens, W):
        return (tokens @ W).reshape(B, len(tokens[0]), H, -1).transpose(0, 2, 1, 3)

    def attend(q, tokens, may):
        scores = q @ heads(tokens, Wk).transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
        scores = np.where(may[:, None, None], scores, -np.inf)
        top = np.maximum(scores.max(axis=-1, keepdims=True), -1e9)
        exp = np.exp(scores - top)
        return exp @ heads(tokens, Wv), exp.sum(axis=-1, keepdims=True), top

    q = heads(x, Wq)
    out, total, top = attend(q, x, np.ones((B, Tq), dtype=bool))
    other, more, height = attend(q, memory, keep)
    high = np.maximum(top, height)
    ours, theirs = np.exp(top - high), np.exp(height - high)
    out = (out * ours + other * theirs) / (total * ours + more * theirs)
    return out.transpose(0, 2, 1, 3).reshape(B, Tq, -1) @ Wo
