"""Kata 09: Too good to be true.

The fault
    The triangle of what may be read was moved up by one diagonal, so that every token read the
    one after it, the very one that it is to foretell. `k=1` belongs to the other way to write a
    mask, the triangle of what is blocked.

Why it hides
    Rows sum to one, the weights are a triangle, and the last token, the one that is looked at
    when a model writes, is right. The training loss does not warn of it: it gets better.

Seen in
    octo-models/octo#75: a printed mask showed one token reading the one behind it, which had to
        stay hidden; a mend was proposed that calls itself one of an off-by-one.
    pbloem/former#10: a tutorial's text had the same slip to the other side, with no key left for
        the first token and nan in its row; the code beside it was right.
    RVC-Boss/GPT-SoVITS#965: readers disagree whether the diagonal of the mask is one off; one
        of them moved it, and heard worse speech.

How to catch it
    assert np.allclose(causal_attention(x[:t], *W)[0], causal_attention(x, *W)[0][:t])
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool))
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
