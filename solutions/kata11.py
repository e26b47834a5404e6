"""Kata 11: Nothing to read.

The fault
    Where a query may read nothing, every numerator is zero and so is their sum: 0 / 0. The
    division has to know of that one case. To clean nan out of the result knows too little: it
    also hides a nan that came in with the queries, the keys or the values.

Why it hides
    A row with one key or more never divides by less than one, so no other row is touched, in any
    precision. And the empty row is padding, mostly: nobody looks at it, until a mean does.

Seen in
    pytorch/pytorch#103749: padding was a row of False in the mask, and the fused attention gave
    nan for it; so did the plain formula, unless the fill was finite.
    tracel-ai/burn#4697: a causal mask and a padding mask together left rows without a key; the
    fused kernels said zero there and the fallback nan, first from inf - inf and then from 0 / 0.
    tracel-ai/cubecl#1070: the reference said nan for such rows, and the comparison with it passed
    for any number: nan on the one side was never counted as a difference.

How to catch it
    assert not attention(q, k, v, np.zeros((1, 1), dtype=bool))[0].any()  # nan is true
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)  # zeros stay zeros
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp of each score that counts, below the highest of its row; zero for all others."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
