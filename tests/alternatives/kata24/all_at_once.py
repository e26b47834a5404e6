"""All numbers are drawn at once, as square matrices whose columns belong to heads."""

import numpy as np


def init_projections(E, H, seed):
    rng = np.random.Generator(np.random.Philox(seed))
    numbers = rng.normal(0.0, 1 / np.sqrt(E), size=(4, E, E))
    into = [W.reshape(E, H, -1).transpose(1, 0, 2) for W in numbers[:3]]
    return *into, numbers[3], *np.zeros((3, H, E // H)), np.zeros(E)


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    q = np.einsum("bte,hed->bhtd", x, Wq) + bq[None, :, None]
    k = np.einsum("bte,hed->bhtd", x, Wk) + bk[None, :, None]
    v = np.einsum("bte,hed->bhtd", x, Wv) + bv[None, :, None]
    scores = np.einsum("bhtd,bhsd->bhts", q, k) * Wq.shape[2] ** -0.5
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    Wo = Wo.reshape(len(Wq), -1, len(bo))
    return np.einsum("bhts,bhsd,hde->bte", weights, v, Wo) + bo, weights
