"""Each weight is one over the sum of exp of the score differences."""

import numpy as np


def attention(q, k, v):
    s = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    with np.errstate(over="ignore"):
        w = 1 / np.exp(s[..., None, :] - s[..., :, None]).sum(-1)
    return w @ v, w
