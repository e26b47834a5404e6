"""Kata 15: Two masks, one row.

Symptom
    Prompts of unequal length are padded on the left. That padding has no token to attend to, so its
    outputs must be zero, and with one padding token they are. With two or more, only the last one
    gives zeros, and the outputs of the others change when the last word of the prompt changes.

Reproduce
    >>> words = np.array([0.0, 0.0, 1.0, 3.0], dtype=np.float32).reshape(1, 1, 4, 1)
    >>> keep = np.array([[False, False, True, True]])
    >>> out, weights = masked_attention(0 * words, words, words, keep)
    >>> out.round(4).ravel().tolist()
    [0.0, 0.0, 1.0, 2.0]

Contract
    masked_attention(q, k, v, keep) -> out, weights
        q, k     (B, H, T, D)   queries and keys; all arrays except keep are float32
        v        (B, H, T, Dv)  values
        keep     (B, T)         bool: True for a real token, False for padding, at any position
        out      (B, H, T, Dv)  for each token, the sum of the values, weighted by `weights`
        weights  (B, H, T, T)   softmax of q . k / sqrt(D) over the real tokens up to and including
                                the token itself; exactly zero for all other tokens
    Padding attends to real tokens as any token does, but no token attends to padding. A token with
    nothing to attend to has all weights zero and an output of zero. Keys and values that a token
    may not attend to are finite and do not affect that token. All scores, blocked ones included,
    lie between -1e6 and 1e6, as do |q| . |k| / sqrt(D) and all values attended to. All sizes are at
    least one. Inputs are read-only; results are new arrays.
"""

import numpy as np

BLOCKED = np.float32(-1e30)  # finite: the softmax of a row full of -inf would be nan


def causal_mask(T):
    """Added to scores: BLOCKED where the key comes after the query."""
    return np.triu(np.full((T, T), BLOCKED), k=1)


def padding_mask(keep):
    """Added to scores: BLOCKED where the key is padding."""
    return np.where(keep, np.float32(0), BLOCKED)[:, None, None, :]  # (B, 1, 1, T)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)


def masked_attention(q, k, v, keep):
    T, D = q.shape[-2:]
    bias = causal_mask(T) + padding_mask(keep)  # (B, 1, T, T)
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
