"""Kata 06: The long sentence.

Symptom
    The nearer a word, the more a bias adds to its score. Short sentences are read well; from
    about ninety words on, the answers are nan.

Reproduce
    >>> words = np.ones((200, 4), dtype=np.float32)
    >>> bias = np.arange(200, dtype=np.float32)
    >>> out, weights = attention(words, words, words, bias)
    >>> (100 * weights[-1, -3:]).round().tolist()
    [9.0, 23.0, 63.0]

Contract
    attention(q, k, v, bias) -> out, weights
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        bias     broadcasts to (..., Tq, Tk): added to the scores
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) + bias over the keys; a row sums to one
    Every array is float32, given or returned. Every score is finite in float32, with all that
    leads up to it (|q| . |k| and the bias), and of any size: the scores of a row may all be huge,
    all far below zero, or further apart than the largest float32. Values lie between -1e6 and
    1e6. All sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores)
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    scale = q.shape[-1] ** -0.5  # a Python float: a float32 array times it stays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
