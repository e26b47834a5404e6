"""A loop over single pairs."""

import numpy as np


def attention(q, k, v):
    lead, (t_q, d), t_k = q.shape[:-2], q.shape[-2:], k.shape[-2]
    out, weights = np.zeros((*lead, t_q, v.shape[-1])), np.zeros((*lead, t_q, t_k))
    for item in np.ndindex(*lead):
        for t in range(t_q):
            scores = [float(np.dot(q[item][t], k[item][s])) / d**0.5 for s in range(t_k)]
            exp = [np.exp(score - max(scores)) for score in scores]
            for s in range(t_k):
                weights[item][t, s] = exp[s] / sum(exp)
                out[item][t] += weights[item][t, s] * v[item][s]
    return out, weights
