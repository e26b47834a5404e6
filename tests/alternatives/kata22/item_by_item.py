"""Each item concatenates x with its allowed memory tokens."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    out = np.empty_like(x)
    D = Wo.shape[0] // H
    for b in range(len(x)):
        read = np.vstack([x[b], memory[b][keep[b]]])
        q, k, v = x[b] @ Wq, read @ Wk, read @ Wv
        answer = np.zeros(x[b].shape)
        for own in (slice(h * D, h * D + D) for h in range(H)):
            scores = (q[:, own] @ k[:, own].T) / D**0.5
            log_weights = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
            answer += np.exp(log_weights) @ v[:, own] @ Wo[own]
        out[b] = answer
    return out
