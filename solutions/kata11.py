"""Kata 11: Nothing to read.

The fault
    Where a query may attend to no key, every numerator is zero and so is their sum: 0 / 0. The
    division has to handle that one case. Cleaning nan out of the result is not enough: it also
    hides a nan that came in with the queries, the keys or the values.

Why it hides
    A row with at least one key never divides by less than one, so no other row is affected, in any
    precision. And empty rows are mostly padding: nobody looks at them until a mean does.

Seen in
    pytorch/pytorch#103749: padding was a row of False in the mask, and the fused attention returned
        nan for it; so did the plain formula, unless the fill value was finite.
    tracel-ai/burn#4697: a causal mask and a bool mask together left rows without a key; some
        fused kernels returned zero there, the fallback nan. The fix had to avoid both inf - inf
        and 0 / 0.
    tracel-ai/cubecl#1070: the reference returned nan for such rows, and the comparison with it
        passed for any number: nan in the reference never counted as a difference.

How to catch it
    assert not attention(q, k, v, np.zeros((1, 1), dtype=bool))[0].any()  # nan counts as true

In PyTorch
    `softmax` of a row full of -inf is nan, and `nn.MultiheadAttention` returns nan for a sentence
    that is all padding. `scaled_dot_product_attention` returns zeros for a row without a key. Do
    not call `nan_to_num` on the result: it also hides a nan from the inputs.

    >>> q, kv, keep = torch.zeros(1, 1), torch.ones(2, 1), torch.zeros(1, 2, dtype=torch.bool)
    >>> F.softmax((q @ kv.T).masked_fill(~keep, -torch.inf), -1) @ kv
    tensor([[nan]])
    >>> F.scaled_dot_product_attention(q, kv, kv, attn_mask=keep)
    tensor([[0.]])
"""

import numpy as np


def attention(q, k, v, keep):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)  # zeros stay zeros
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
