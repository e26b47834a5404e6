"""Kata 15: Two masks, one row.

The fault
    A key that is padding and also later than the query got both biases, -2e30, which is not equal
    to BLOCKED. The row counted as having something to attend to, and its weight went to the keys
    that were blocked only once: earlier padding and later words.

Why it hides
    It shows only in a row with nothing to attend to, and only if both masks block one of its keys:
    that takes at least two tokens of left padding. Rows with a real token to attend to are right
    to the last bit, and so are all shapes.

Seen in
    huggingface/transformers#27114: a causal and a padding mask, each blocking with the lowest
        number of the dtype, were added: where both blocked, the sum was -inf, elsewhere still the
        lowest number. Now one mask is filled in where the other blocks.
    NVIDIA-NeMo/Automodel#2658: the same sum in bfloat16, believed to be the source of a nan
        gradient norm at the first step; now one decision is made per position.
    microsoft/onnxruntime#28904: with -1e30 for blocked keys, a row without any key returned the
        mean of the values, where the standard promises zeros.

How to catch it
    assert not masked_attention(q, k, v, padded_by_two)[1][:, :, :2].any()

In PyTorch
    `torch.finfo(dtype).min` often stands in for -inf. The sum of two overflows to -inf, which is
    lower than a key that is blocked once, so that this key takes all the weight of its row.

    >>> low = torch.finfo(torch.float32).min
    >>> causal, padding = torch.tensor([0, low]), torch.tensor([low, low])  # both keys are blocked
    >>> F.softmax(causal + padding, -1)
    tensor([1., 0.])
    >>> F.softmax(torch.minimum(causal, padding), -1)
    tensor([0.5000, 0.5000])
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
    bias = np.minimum(causal_mask(T), padding_mask(keep))  # (B, 1, T, T)
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
