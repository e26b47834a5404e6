"""Kata 14: Two masks, one row.

The fault
    A key that is padding and comes later as well was lowered twice, to -2e30, which is not the
    number that stands for blocked. The row passed for one that has something to read, and its
    weight went to the keys that were blocked only once: earlier padding, and later words.

Why it hides
    It takes both masks in one place, in a row that has nothing else: padding on the left, two
    tokens of it. Rows with a word to read are right to the last bit, and so are the shapes.

Seen in
    huggingface/transformers#27114: a causal and a padding mask of the lowest number each became
        -inf where they met, beside places that held the lowest number itself; now one fills the
        other.
    NVIDIA-NeMo/Automodel#2658: the same sum in bfloat16, held to be where a gradient of nan at
        the first step came from; now one choice is made for each place.
    microsoft/onnxruntime#28904: with -1e30 for blocked, a row without a key came out as the mean
        of the values, where zeros were promised.

How to catch it
    assert not masked_attention(q, k, v, padded_by_two)[1][:, :, :2].any()
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
    bias = np.minimum(causal_mask(T), padding_mask(keep))  # (B, 1, T, T)
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
