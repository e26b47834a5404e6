"""Kata 06: The long sentence.

Symptom
    A bias favours nearby tokens: the nearer a token is, the higher its score. Short sentences
    work, but from about ninety tokens on the outputs are nan.

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
        out      (..., Tq, Dv)  for each query, the weighted mean of the values
        weights  (..., Tq, Tk)  for each query, softmax of q . k / sqrt(D) + bias over all keys;
                                each row sums to one
    All arrays, inputs and outputs, are float32. All scores are finite in float32, as is everything
    computed on the way to them (|q| . |k| and the bias). They may have any size: the scores of a
    row may all be huge, all be far below zero, or differ by more than the largest float32. Values
    lie between -1e6 and 1e6. q, k and v have the same leading axes, possibly none. All sizes are at
    least one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores)
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    D = q.shape[-1]
    scores = D**-0.5 * np.matmul(q, k.mT)  # a Python float keeps float32 arrays float32
    scores = scores + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
