"""A loop over groups; the keys of each are broadcast over its query heads."""

import numpy as np


def grouped_query_attention(q, k, v):
    groups = np.split(q, k.shape[1], axis=1)
    answers = []
    for g, group in enumerate(groups):
        scores = np.matmul(group, k[:, g : g + 1].swapaxes(-1, -2)) / np.sqrt(q.shape[-1])
        answers.append(np.matmul(softmax(scores), v[:, g : g + 1]))
    return np.concatenate(answers, axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
