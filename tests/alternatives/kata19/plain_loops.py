"""Loops down to single numbers."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    B, T, _ = x.shape
    H, D = len(Wo), Wq.shape[-1]
    out, weights = np.zeros(x.shape), np.zeros((B, H, T, T))
    for b in range(B):
        for h in range(H):
            q, k, v = (x[b] @ W[:, h] for W in (Wq, Wk, Wv))
            for t in range(T):
                scores = [sum(q[t, d] * k[s, d] for d in range(D)) / D**0.5 for s in range(T)]
                highest = max(scores)
                exp = [np.exp(score - highest) for score in scores]
                total = sum(exp)
                for s in range(T):
                    weights[b, h, t, s] = exp[s] / total
                    out[b, t] += weights[b, h, t, s] * (v[s] @ Wo[h])
    return out, weights
