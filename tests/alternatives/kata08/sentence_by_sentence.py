"""Cuts each sentence to its tokens; the weights beyond them stay zero."""

import numpy as np


def blocked_from_lengths(lengths, T):
    blocked = np.zeros((len(lengths), T), dtype=bool)
    for row, length in zip(blocked, lengths, strict=True):
        row[length:] = True
    return blocked


def attention(q, k, v, keep):
    keep = np.asarray(keep).astype(bool)
    scores = np.einsum("btd,bsd->bts", q, k) / np.sqrt(q.shape[-1])
    exp = np.exp(
        scores - np.max(scores, axis=-1, keepdims=True, where=keep, initial=-np.inf),
        where=keep,
        out=np.zeros(scores.shape),
    )
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return np.einsum("bts,bsv->btv", weights, v), weights


def padded_attention(q, k, v, lengths):
    B, Tq, Tk, Dv = *q.shape[:2], *v.shape[1:]
    out, weights = np.zeros((B, Tq, Dv)), np.zeros((B, Tq, Tk))
    for b, length in enumerate(lengths):
        words = slice(b, b + 1), slice(length)
        out[b], weights[b, :, :length] = (
            x[0] for x in attention(q[b : b + 1], k[words], v[words], True)
        )
    return out, weights
