"""Kata 14: Two masks, one row.

Symptom
    Prompts of unequal length are padded on the left. The answers at the padding have to be zeros,
    since it finds no word to read, and with one token of padding they are. From two on the first
    of them are not, and they move when the last word of the prompt is another.

Reproduce
    >>> words = np.array([0.0, 0.0, 1.0, 3.0], dtype=np.float32).reshape(1, 1, 4, 1)
    >>> keep = np.array([[False, False, True, True]])
    >>> out, weights = masked_attention(0 * words, words, words, keep)
    >>> out.round(4).ravel().tolist()
    [0.0, 0.0, 1.0, 2.0]

Contract
    masked_attention(q, k, v, keep) -> out, weights
        q, k     (B, H, T, D)   queries and keys, float32, as all that follows but keep
        v        (B, H, T, Dv)  values
        keep     (B, T)         bool: True for a word, False for padding, which may stand anywhere
        out      (B, H, T, Dv)  for each token, the sum of the values under its weights
        weights  (B, H, T, T)   softmax of q . k / sqrt(D) over the words up to the token, itself
                                included; exactly zero for all other tokens
    Padding asks as a word does, and is read by none. Where a token finds no word to read, all its
    weights are zero, and so is its answer. What stands in k and v where a token may not read is
    finite and changes nothing for that token. Every score lies between -1e6 and 1e6, a blocked one
    too, and so does every value that is read. All sizes are one or more. Inputs are left as they
    are.
"""

import numpy as np

BLOCKED = np.float32(-1e30)  # finite: the softmax of a row of nothing but -inf would be nan


def causal_mask(T):
    """Added to scores: BLOCKED where the key comes after the query."""
    return np.triu(np.full((T, T), BLOCKED), k=1)


def padding_mask(keep):
    """Added to scores: BLOCKED where the key is padding."""
    return np.where(keep, np.float32(0), BLOCKED)[:, None, None, :]  # (B, 1, 1, T)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def masked_attention(q, k, v, keep):
    T, D = q.shape[-2:]
    bias = causal_mask(T) + padding_mask(keep)  # (B, 1, T, T)
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
