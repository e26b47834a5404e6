"""Faults: each on a small file that it applies to, and all of them on the references."""

import ast
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from checker.faults import FAULTS, Mutant, mutants

REFERENCES: Final = sorted((Path(__file__).parent.parent / "solutions").glob("kata*.py"))
SNIPPETS: Final = {
    "plain": """
def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)

def attention(q, k, v, bias):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + bias
    weights = softmax(scores)
    return weights @ v, weights
""",
    "numpy": """
def softmax(x):
    exp = np.exp(x - np.max(x, -1, keepdims=True))
    return exp / np.sum(exp, axis=-1, keepdims=True)

def attention(q, k, v):
    scale = q.shape[-1] ** -0.5
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    return np.matmul(softmax(scores), v)
""",
    "einsum": """
def attention(q, k, v):
    scores = np.einsum("btd,bsd->bts", q, k)
    weights = softmax(scores, axis=-1)
    return np.einsum("bts,bsv->btv", weights, v)
""",
    "masked": """
def attention(q, k, v, keep):
    scores = q @ k.T
    scores = np.where(keep, scores, -np.inf)
    weights = softmax(scores)
    return np.where(keep.any(axis=-1, keepdims=True), weights, 0.0) @ v
""",
    "blocked": """
def attention(q, k, v, pad, ahead):
    blocked = pad[:, None, :] | ahead
    scores[blocked] = -np.inf
    return softmax(np.where(blocked, -np.inf, scores)) @ v
""",
    "causal": """
def causal(Tq, Tk, keep):
    square = np.tril(np.ones((Tq, Tk), dtype=bool), k=Tk - Tq)
    ahead = np.triu(np.full((Tq, Tk), -np.inf), 1)
    open = np.arange(Tk) <= np.arange(Tq)[:, None] + Tk - Tq
    return square & ~keep
""",
    "heads": """
def heads(x, Wq, Wk, Wv, Wo, H):
    B, T, E = x.shape
    q, k, v = (split(x @ W) for W in (Wq, Wk, Wv))
    q = q.reshape(B, T, H, -1).transpose(0, 2, 1, 3)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(E // H)
    return (softmax(scores) @ v).swapaxes(1, 2).reshape(B, T, -1) @ Wo
""",
    "packed": """
def unpack(x, w):
    qkv = x.reshape(B, T, 3, H, D)
    other = x.reshape(B, T, H, 3, D)
    q, k, v = np.split(x @ w, 3, axis=-1)
    return attend(q, k, v)
""",
    "groups": """
def grouped(q, k, v, mask):
    k = np.repeat(k, H // G, axis=1)
    mask = np.tile(mask, (H, 1, 1))
    q = q.reshape(B, G, H // G, T, D)
    return q[:, h] @ v[:, h // 4]
""",
    "rotary": """
def table(T, D, past):
    place = np.arange(past, past + T)[:, None]
    angle = place * 10000 ** (-np.arange(0, D, 2) / D)
    return np.cos(angle), np.sin(angle)

def rotate(x, cos, sin):
    a, b = x[..., ::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)

def rotate_half(x, cos, sin):
    h = x.shape[-1] // 2
    a, b = x[..., :h], x[..., h:]
    return x * cos + np.concatenate([-b, a], axis=-1) * sin

def attention(q, k, v, cos, sin):
    scores = rotate(q, cos, sin) @ rotate(k, cos, sin).swapaxes(-1, -2)
    return softmax(scores) @ v
""",
    "waves": """
def waves(T, E):
    i = np.arange(E // 2)
    angle = np.arange(T)[:, None] * 10000 ** (-2 * i / E)
    table = np.zeros((T, E))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table
""",
    "slopes": """
def slopes(H):
    n = 2 ** int(np.floor(np.log2(H)))
    more = slopes(2 * n)[::2][:H - n]
    return 2.0 ** (-8 * np.arange(1, H + 1) / n)

def bias(Tq, Tk, slope):
    distance = np.abs(np.arange(Tq)[:, None] - np.arange(Tk))
    behind = np.arange(Tq)[:, None] - np.arange(Tk)
    return -slope * distance
""",
    "padded": """
def places(keep):
    return np.maximum(np.cumsum(keep, axis=-1) - 1, 0)
""",
    "decode": """
def step(n, T):
    return n + np.arange(T)
""",
    "online": """
def online(q, k, v, block):
    top = np.full(len(q), -np.inf)
    for i in range(0, len(k), block):
        s = q @ k[i:i + block].T
        new = np.maximum(top, s.max(axis=-1))
        p = np.exp(s - new[:, None])
        shrink = np.exp(top - new)
        total = total * shrink + p.sum(axis=-1)
        out = out * shrink[:, None] + p @ v[i:i + block]
        top = new
    return out / total[:, None], top + np.log(total)
""",
    "merge": """
def merge(a, b, la, lb):
    lse = np.logaddexp(la, lb)
    return a * np.exp(la - lse) + b * np.exp(lb - lse)
""",
    "dtypes": """
def attention(q, k, v):
    out = np.zeros(q.shape, dtype=q.dtype)
    return softmax(q.astype(np.float32) @ k).astype(q.dtype)
""",
    "window": """
def window_mask(i, j, window):
    d = i[:, None] - j
    return (d >= 0) & (d < window), j[-window:]
""",
    "capped": """
def capped(q, k, keep, cap):
    scores = cap * np.tanh(q @ k.T / np.sqrt(D) / cap)
    scores = cap * np.tanh(scores / cap)
    scores = np.where(keep, scores, -np.inf)
    return softmax(np.where(keep, cap * np.tanh(scores / cap), -np.inf))
""",
    "cross": """
def cross(x, memory, Wq, Wk, Wv):
    q, k, v = x @ Wq, memory @ Wk, memory @ Wv
    return softmax(q @ k.T) @ v + np.zeros((Tq, Tk))
""",
    "cache": """
class KVCache:
    def append(self, k):
        t = k.shape[0]
        self.k[self.n:self.n + t] = k
        self.n += t
        return self.k[:self.n].copy()

    def extend(self, k):
        return np.concatenate([self.past, k], axis=-2)

    def ring(self):
        return np.roll(self.k, -self.start, axis=0)

    def reset(self):
        self.n = 0
""",
    "input": """
def scaled(q, k):
    q = q / np.sqrt(q.shape[-1])
    return q @ k.T
""",
    "norm": """
def layer_norm(x, gain, eps):
    mean = x.mean(axis=-1, keepdims=True)
    return gain * ((x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + eps))

def block(x):
    x = x + attend(layer_norm(x, 1, 0))
    h = norm(x)
    return x + feed(h)
""",
    "dropout": """
def dropout(x, p, training, rng):
    if not training:
        return x
    kept = rng.random(x.shape) >= p
    return x * kept / (1 - p)

def attend(scores, v, p):
    return dropout(softmax(scores), p, True) @ v
""",
    "backward": """
def backward(q, k, v, weights, dout, scale):
    dweights = dout @ v.swapaxes(-1, -2)
    dscores = weights * (dweights - (dweights * weights).sum(axis=-1, keepdims=True))
    return dscores @ k * scale, dscores.swapaxes(-1, -2) @ q * scale
""",
    "drawn": """
def kept(rng, p, size):
    return rng.binomial(1, 1 - p, size=size)
""",
    "birth": """
def init(E, rng):
    return rng.normal(size=(E, E)) / np.sqrt(E)
""",
}
# For each fault: a snippet, how many mutants it makes there, and what one of them has in it.
TABLE: Final = {
    "blocked-at-plus-infinity": ("masked", 1, "scores = np.where(keep, scores, np.inf)"),
    "blocked-at-minus-10": ("masked", 1, "scores = np.where(keep, scores, -10.0)"),
    "blocked-at-minus-100": ("masked", 1, "scores = np.where(keep, scores, -100.0)"),
    "blocked-at-minus-1e4": ("masked", 1, "scores = np.where(keep, scores, -10000.0)"),
    "blocked-at-minus-1e9": ("masked", 1, "scores = np.where(keep, scores, -1000000000.0)"),
    "blocked-at-lowest": (
        "masked",
        1,
        "np.where(keep, scores, np.finfo(np.result_type(scores)).min)",
    ),
    "blocked-at-zero": ("masked", 1, "scores = np.where(keep, scores, 0.0)"),
    "mask-dropped": ("masked", 1, "scores = scores"),
    "mask-inverted": ("masked", 1, "scores = np.where(~keep, scores, -np.inf)"),
    "mask-not-of-numbers": ("causal", 1, "return square & (~keep.astype(int)).astype(bool)"),
    "mask-shifted": ("masked", 2, "scores = np.where(np.roll(keep, 1, axis=-1), scores, -np.inf)"),
    "mask-transposed": (
        "masked",
        1,
        "scores = np.where(np.swapaxes(keep, -1, -2), scores, -np.inf)",
    ),
    "mask-over-queries": ("blocked", 1, "blocked = pad[:, :, None] | ahead"),
    "mask-times-infinity": ("masked", 1, "scores = scores + (1 - keep) * -np.inf"),
    "mask-added-as-numbers": ("masked", 1, "scores = scores + keep"),
    "mask-multiplied": ("masked", 1, "scores = scores * keep"),
    "mask-after-softmax": ("masked", 1, "weights = np.where(keep, softmax(scores), 0.0)"),
    "mask-arms-exchanged": (
        "masked",
        1,
        "np.where(keep.any(axis=-1, keepdims=True), 0.0, weights) @ v",
    ),
    "guard-dropped": ("masked", 1, "return weights @ v"),
    "masks-joined": ("causal", 1, "return square | ~keep"),
    "masks-met": ("blocked", 1, "blocked = pad[:, None, :] & ahead"),
    "one-mask-dropped": ("blocked", 2, "blocked = pad[:, None, :]"),
    "triangle-turned": ("causal", 2, "square = np.triu(np.ones((Tq, Tk), dtype=bool), k=Tk - Tq)"),
    "triangle-dropped": ("causal", 2, "square = np.ones((Tq, Tk), dtype=bool)"),
    "any-over-another-axis": (
        "masked",
        1,
        "np.where(keep.any(axis=-2, keepdims=True), weights, 0.0) @ v",
    ),
    "diagonal-moved": (
        "causal",
        4,
        "square = np.tril(np.ones((Tq, Tk), dtype=bool), k=Tk - Tq + 1)",
    ),
    "first-with-first": ("causal", 2, "square = np.tril(np.ones((Tq, Tk), dtype=bool))"),
    "border-moved": ("causal", 1, "open = np.arange(Tk) < np.arange(Tq)[:, None] + Tk - Tq"),
    "order-turned": ("causal", 1, "open = np.arange(Tk) >= np.arange(Tq)[:, None] + Tk - Tq"),
    "scale-dropped": ("plain", 1, "scores = q @ k.swapaxes(-1, -2) + bias"),
    "scale-doubled": ("plain", 1, "2 * (q @ k.swapaxes(-1, -2))"),
    "scale-inverted": ("plain", 1, "scores = q @ k.swapaxes(-1, -2) * np.sqrt(q.shape[-1]) + bias"),
    "scale-without-root": ("plain", 1, "scores = q @ k.swapaxes(-1, -2) / q.shape[-1] + bias"),
    "scale-fourth-root": (
        "plain",
        1,
        "scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.25 + bias",
    ),
    "scale-of-all-heads": ("heads", 1, "scores = q @ k.swapaxes(-1, -2) / np.sqrt(E // H * H)"),
    "scale-by-heads": ("heads", 1, "scores = q @ k.swapaxes(-1, -2) / np.sqrt(H)"),
    "scale-by-another-size": (
        "plain",
        2,
        "scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-2]) + bias",
    ),
    "scale-after-softmax": ("plain", 1, "weights = softmax(scores) / np.sqrt(q.shape[-1])"),
    "softmax-dropped": ("plain", 1, "weights = scores"),
    "softmax-twice": ("plain", 1, "weights = softmax(softmax(scores))"),
    "softmax-not-normalised": ("plain", 1, "return exp"),
    "softmax-plus-one": ("plain", 1, "return exp / (1 + exp.sum(axis=-1, keepdims=True))"),
    "sum-epsilon": ("plain", 1, "return exp / (exp.sum(axis=-1, keepdims=True) + 1e-05)"),
    "softmax-over-queries": ("plain", 1, "return exp / exp.sum(axis=-2, keepdims=True)"),
    "softmax-over-batch": ("plain", 1, "return exp / exp.sum(axis=0, keepdims=True)"),
    "softmax-over-everything": ("plain", 1, "return exp / exp.sum(axis=None, keepdims=True)"),
    "sum-over-another-axis": ("plain", 2, "return exp / exp.sum(axis=-2, keepdims=True)"),
    "sum-of-everything": ("plain", 1, "return exp / exp.sum()"),
    "keepdims-dropped": ("plain", 2, "exp = np.exp(scores - scores.max(axis=-1))"),
    "bias-scaled": ("plain", 1, "scores = (q @ k.swapaxes(-1, -2) + bias) / np.sqrt(q.shape[-1])"),
    "bias-dropped": ("plain", 1, "scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])"),
    "bias-subtracted": (
        "plain",
        1,
        "scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) - bias",
    ),
    "bias-after-softmax": ("plain", 1, "weights = softmax(scores) + bias"),
    "answer-from-scores": ("plain", 1, "return (scores @ v, weights)"),
    "turned-backwards": ("rotary", 1, "return (np.cos(angle), -np.sin(angle))"),
    "turn-sheared": (
        "rotary",
        2,
        "np.stack([a * cos + b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)",
    ),
    "half-turn-sign": ("rotary", 2, "return x * cos + np.concatenate([b, -a], axis=-1) * sin"),
    "neighbours-for-halves": ("rotary", 1, "a, b = (x[..., ::2], x[..., 1::2])"),
    "halves-for-neighbours": (
        "rotary",
        1,
        "a, b = (x[..., :x.shape[-1] // 2], x[..., x.shape[-1] // 2:])",
    ),
    "rejoined-otherwise": (
        "rotary",
        1,
        "np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)",
    ),
    "another-base": ("rotary", 2, "angle = place * 1000.0 ** (-np.arange(0, D, 2) / D)"),
    "exponent-halved": ("rotary", 1, "angle = place * 10000 ** (-np.arange(D // 2) / D)"),
    "exponent-doubled": ("rotary", 1, "angle = place * 10000 ** (-2 * np.arange(0, D, 2) / D)"),
    "exponent-sign": ("rotary", 1, "angle = place * 10000 ** (np.arange(0, D, 2) / D)"),
    "sine-for-cosine": ("rotary", 1, "return (np.sin(angle), np.cos(angle))"),
    "offset-dropped": ("rotary", 1, "place = np.arange(T)[:, None]"),
    "offset-by-one": ("causal", 2, "open = np.arange(Tk) <= np.arange(Tq)[:, None] + Tk + 1 - Tq"),
    "counted-from-zero": ("slopes", 1, "return 2.0 ** (-8 * np.arange(H) / n)"),
    "padding-counted": (
        "padded",
        3,
        "np.maximum(np.broadcast_to(np.arange(keep.shape[-1]), keep.shape), 0)",
    ),
    "turned-twice": (
        "rotary",
        2,
        "rotate(rotate(q, cos, sin), cos, sin) @ rotate(k, cos, sin).swapaxes(-1, -2)",
    ),
    "turn-dropped": ("rotary", 2, "scores = q @ rotate(k, cos, sin).swapaxes(-1, -2)"),
    "values-turned": ("rotary", 1, "return softmax(scores) @ rotate(v, cos, sin)"),
    "slopes-too-flat": ("slopes", 1, "return 2.0 ** (-4 * np.arange(1, H + 1) / n)"),
    "slopes-of-next-power": ("slopes", 2, "n = 2 ** int(np.ceil(np.log2(H)))"),
    "distance-turned": ("slopes", 2, "behind = np.arange(Tk) - np.arange(Tq)[:, None]"),
    "distance-with-sign": ("slopes", 2, "distance = np.arange(Tq)[:, None] - np.arange(Tk)"),
    "maximum-dropped": ("plain", 1, "exp = np.exp(scores)"),
    "maximum-added": ("plain", 1, "exp = np.exp(scores + scores.max(axis=-1, keepdims=True))"),
    "maximum-of-everything": ("plain", 1, "exp = np.exp(scores - scores.max())"),
    "maximum-over-another-axis": (
        "plain",
        2,
        "exp = np.exp(scores - scores.max(axis=-2, keepdims=True))",
    ),
    "maximum-clipped-at-zero": (
        "plain",
        1,
        "np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), 0))",
    ),
    "maximum-made-minimum": (
        "plain",
        1,
        "exp = np.exp(scores - scores.min(axis=-1, keepdims=True))",
    ),
    "maximum-made-mean": ("plain", 1, "exp = np.exp(scores - scores.mean(axis=-1, keepdims=True))"),
    "maximum-made-magnitude": (
        "plain",
        1,
        "exp = np.exp(scores - np.abs(scores).max(axis=-1, keepdims=True))",
    ),
    "maximum-of-weights": (
        "plain",
        1,
        "exp = np.exp(scores) / np.exp(scores.max(axis=-1, keepdims=True))",
    ),
    "scores-clipped": ("plain", 1, "exp = np.exp(np.clip(scores, -80, 80))"),
    "nan-made-zero": ("plain", 1, "exp = np.exp(np.nan_to_num(scores, posinf=0.0))"),
    "base-two": ("plain", 1, "exp = np.exp2(scores - scores.max(axis=-1, keepdims=True))"),
    "weights-in-float16": ("plain", 1, "max(axis=-1, keepdims=True)).astype(np.float16)"),
    "scores-in-float16": (
        "plain",
        1,
        "(q @ k.swapaxes(-1, -2)).astype(np.float16).astype(q.dtype)",
    ),
    "weights-in-float32": ("plain", 1, "max(axis=-1, keepdims=True)).astype(np.float32)"),
    "scores-in-float32": (
        "plain",
        1,
        "(q @ k.swapaxes(-1, -2)).astype(np.float32).astype(q.dtype)",
    ),
    "answer-in-float64": ("numpy", 1, "scale = 1 / np.sqrt(q.shape[-1])"),
    "answer-in-float32": (
        "dtypes",
        1,
        "return softmax(q.astype(np.float32) @ k).astype(np.float32)",
    ),
    "size-rounded-down": (
        "plain",
        1,
        "scores = q @ k.swapaxes(-1, -2) / int(np.sqrt(q.shape[-1])) + bias",
    ),
    "old-sums-not-rescaled": ("online", 2, "total = total + p.sum(axis=-1)"),
    "old-sums-lost": ("online", 2, "total = p.sum(axis=-1)"),
    "rescale-inverted": ("online", 1, "shrink = np.exp(new - top)"),
    "maximum-of-last-block": ("online", 1, "new = s.max(axis=-1)"),
    "maximum-of-first-block": ("online", 1, "new = top"),
    "running-maximum-from-zero": ("online", 1, "top = np.zeros(len(q))"),
    "tail-skipped": ("online", 1, "for i in range(0, len(k) - len(k) % block, block):"),
    "first-block-skipped": ("online", 1, "for i in range(block, len(k), block):"),
    "block-short": ("online", 2, "s = q @ k[i:i + block - 1].T"),
    "block-long": ("online", 2, "s = q @ k[i:i + block + 1].T"),
    "halves-merged-by-maximum": ("merge", 1, "lse = np.maximum(la, lb)"),
    "halves-merged-by-count": ("merge", 2, "return a * 0.5 + b * np.exp(lb - lse)"),
    "total-without-maximum": ("online", 1, "return (out / total[:, None], np.log(total))"),
    "window-two-sided": ("window", 1, "return (np.abs(d) < window, j[-window:])"),
    "window-resized": ("window", 3, "return ((d >= 0) & (d < window - 1), j[-window:])"),
    "window-at-the-start": ("window", 1, "return ((d >= 0) & (d < window), j[:window])"),
    "heads-by-turns": ("groups", 1, "return q[:, h] @ v[:, h % 4]"),
    "groups-exchanged": ("groups", 1, "q = q.reshape(B, H // G, G, T, D)"),
    "first-group-for-all": ("groups", 2, "k = np.repeat(k[:, :1], k.shape[1] * (H // G), axis=1)"),
    "cap-dropped": ("capped", 3, "scores = q @ k.T / np.sqrt(D)"),
    "cap-without-factor": ("capped", 3, "scores = np.tanh(q @ k.T / np.sqrt(D) / cap)"),
    "cap-without-division": ("capped", 3, "scores = cap * np.tanh(q @ k.T / np.sqrt(D))"),
    "cap-hard": ("capped", 3, "scores = np.clip(q @ k.T / np.sqrt(D), -cap, cap)"),
    "cap-before-scale": ("capped", 1, "scores = cap * np.tanh(q @ k.T / cap) / np.sqrt(D)"),
    "cap-after-mask": ("capped", 2, "np.where(keep, scores, -np.inf)\n    scores = cap *"),
    "from-the-other-sequence": ("cross", 3, "q, k, v = (memory @ Wq, memory @ Wk, memory @ Wv)"),
    "queries-counted-for-keys": (
        "causal",
        10,
        "square = np.tril(np.ones((Tk, Tk), dtype=bool), k=Tk - Tq)",
    ),
    "merge-without-transpose": ("heads", 1, "return (softmax(scores) @ v).reshape(B, T, -1) @ Wo"),
    "split-without-transpose": ("heads", 1, "q = q.reshape(B, H, T, -1)"),
    "heads-interleaved": ("heads", 2, "q = q.reshape(B, T, -1, H).transpose(0, 3, 1, 2)"),
    "heads-joined-backwards": (
        "heads",
        1,
        "(softmax(scores) @ v)[:, ::-1].swapaxes(1, 2).reshape(B, T, -1) @ Wo",
    ),
    "query-turned": ("plain", 1, "scores = q.swapaxes(-1, -2) @ k / np.sqrt(q.shape[-1]) + bias"),
    "reshape-for-transpose": ("plain", 1, "q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"),
    "roles-exchanged": (
        "plain",
        1,
        "scores = k @ q.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + bias",
    ),
    "weights-turned": ("plain", 1, "return (weights.swapaxes(-1, -2) @ v, weights)"),
    "values-from-keys": ("plain", 2, "return (weights @ k, weights)"),
    "transpose-dropped": ("plain", 1, "scores = q @ k / np.sqrt(q.shape[-1]) + bias"),
    "all-axes-reversed": ("plain", 1, "scores = q @ k.T / np.sqrt(q.shape[-1]) + bias"),
    "wrong-axes-swapped": (
        "plain",
        2,
        "scores = q @ k.swapaxes(-2, -3) / np.sqrt(q.shape[-1]) + bias",
    ),
    "fortran-order": ("heads", 2, "q = q.reshape(B, T, H, -1, order='F').transpose(0, 2, 1, 3)"),
    "packed-by-head": ("packed", 1, "qkv = x.reshape(B, T, H, 3, D).swapaxes(2, 3)"),
    "packed-by-matrix": ("packed", 1, "other = x.reshape(B, T, 3, H, D).swapaxes(2, 3)"),
    "tile-for-repeat": ("groups", 1, "k = np.concatenate([k] * (H // G), axis=1)"),
    "repeat-for-tile": ("groups", 1, "mask = np.repeat(mask, H, axis=-3)"),
    "repeated-on-another-axis": ("groups", 2, "k = np.repeat(k, H // G, axis=1 - 1)"),
    "joined-on-another-axis": ("packed", 1, "q, k, v = np.split(x @ w, 3, axis=-2)"),
    "matrix-turned": ("heads", 2, "q, k, v = (split(x @ W.T) for W in (Wq, Wk, Wv))"),
    "matrix-dropped": ("heads", 2, "q, k, v = (split(x) for W in (Wq, Wk, Wv))"),
    "size-of-another-axis": ("numpy", 1, "scale = q.shape[-2] ** (-0.5)"),
    "roles-of-arguments-exchanged": ("einsum", 1, "scores = np.einsum('btd,bsd->bts', k, q)"),
    "sizes-exchanged": ("heads", 3, "T, B, E = x.shape"),
    "einsum-operand-turned": ("einsum", 4, "scores = np.einsum('bdt,bsd->bts', q, k)"),
    "einsum-answer-turned": ("einsum", 2, "scores = np.einsum('btd,bsd->bst', q, k)"),
    "einsum-diagonal": ("einsum", 4, "scores = np.einsum('btt,bsd->bts', q, k)"),
    "einsum-summed-apart": ("einsum", 4, "scores = np.einsum('btd,zsd->bts', q, k)"),
    "first-call-kept": ("plain", 1, "globals().setdefault('first', np.sqrt(q.shape[-1]))"),
    "past-behind-present": ("cache", 1, "return np.concatenate([k, self.past], axis=-2)"),
    "past-or-present-lost": ("cache", 2, "return self.past"),
    "slot-beside": ("cache", 2, "self.k[self.n + 1:self.n + t + 1] = k"),
    "read-range-moved": ("cache", 2, "return self.k[:self.n + 1].copy()"),
    "read-to-the-end": ("cache", 1, "return self.k[:].copy()"),
    "first-slot-lost": ("cache", 1, "return self.k[1:self.n].copy()"),
    "length-not-kept": ("cache", 1, "= k\n        pass"),
    "length-too-soon": ("cache", 2, "self.n += t\n        self.k[self.n:self.n + t] = k"),
    "ring-not-unrolled": ("cache", 1, "return self.k"),
    "ring-unrolled-backwards": ("cache", 1, "return np.roll(self.k, self.start, axis=0)"),
    "copy-dropped": ("cache", 1, "return self.k[:self.n]"),
    "reset-without-effect": ("cache", 1, "def reset(self):\n        pass"),
    "written-into-the-input": ("input", 1, "q /= np.sqrt(q.shape[-1])"),
    "normalised-over-tokens": ("norm", 1, "mean = x.mean(axis=-2, keepdims=True)"),
    "mean-of-another-axis": ("norm", 2, "mean = x.mean(axis=-2, keepdims=True)"),
    "spread-of-a-sample": (
        "norm",
        1,
        "gain * ((x - mean) / np.sqrt(x.var(ddof=1, axis=-1, keepdims=True) + eps))",
    ),
    "epsilon-outside": (
        "norm",
        1,
        "gain * ((x - mean) / (np.sqrt(x.var(axis=-1, keepdims=True)) + eps))",
    ),
    "epsilon-dropped": ("norm", 1, "gain * ((x - mean) / np.sqrt(x.var(axis=-1, keepdims=True)))"),
    "root-of-spread-dropped": (
        "norm",
        1,
        "return gain * ((x - mean) / (x.var(axis=-1, keepdims=True) + eps))",
    ),
    "mean-not-taken-off": (
        "norm",
        1,
        "return gain * (x / np.sqrt(x.var(axis=-1, keepdims=True) + eps))",
    ),
    "gain-dropped": ("norm", 1, "return (x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)"),
    "norm-dropped": ("norm", 2, "x = x + attend(x)"),
    "residual-from-normed": ("norm", 2, "return h + feed(h)"),
    "norm-behind": ("norm", 1, "x = layer_norm(x + attend(x), 1, 0)"),
    "residual-dropped": ("norm", 2, "x = attend(layer_norm(x, 1, 0))"),
    "dropout-not-rescaled": ("dropout", 1, "return x * kept"),
    "dropout-rescaled-by-p": ("dropout", 2, "return x * kept / p"),
    "kept-for-dropped": ("dropout", 1, "kept = rng.random(x.shape) < p"),
    "p-for-the-rest": ("drawn", 1, "return rng.binomial(1, p, size=size)"),
    "dropout-in-evaluation": ("dropout", 1, "if False:"),
    "dropout-never": ("dropout", 1, "if True:\n        return x"),
    "dropout-before-softmax": ("dropout", 1, "return softmax(dropout(scores, p, True)) @ v"),
    "first-weights-of-another-size": ("birth", 2, "return rng.normal(size=(E, E))"),
    "jacobian-diagonal": ("backward", 1, "dscores = weights * dweights"),
    "jacobian-sign": (
        "backward",
        1,
        "dscores = weights * (dweights + (dweights * weights).sum(axis=-1, keepdims=True))",
    ),
    "gradient-term-dropped": (
        "backward",
        1,
        "dscores = weights * (dweights * weights).sum(axis=-1, keepdims=True)",
    ),
    "gradient-without-scale": (
        "backward",
        2,
        "return (dscores @ k, dscores.swapaxes(-1, -2) @ q * scale)",
    ),
}


@pytest.mark.parametrize("name", [fault.id for fault in FAULTS])
def test_a_fault_is_planted_where_it_applies(name: str) -> None:
    snippet, count, line = TABLE[name]
    made = [mutant for mutant in _planted(SNIPPETS[snippet]) if mutant.fault.id == name]
    assert any(line in mutant.source for mutant in made), [mutant.source for mutant in made]
    assert len(made) == count


def test_the_table_is_of_all_faults() -> None:
    assert list(TABLE) == [fault.id for fault in FAULTS]


def test_ids_are_unique_and_lines_are_plain() -> None:
    assert len({fault.id for fault in FAULTS}) == len(FAULTS) >= 50
    for fault in FAULTS:
        assert fault.line[0].islower() or fault.line.startswith("float"), fault
        assert not fault.line.endswith("."), fault
        assert not {"np.", "axis=", "`", "()"} & set(fault.line.split()), fault


@pytest.mark.parametrize("file", REFERENCES, ids=lambda file: file.stem)
def test_mutants_of_a_reference_are_different_programs(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    made = _planted(source)
    trees = [_bare(source), *(_bare(mutant.source) for mutant in made)]
    assert len(set(trees)) == len(trees) > 20
    assert len({mutant.name for mutant in made}) == len(made)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_mutants_of_a_snippet_compile_and_differ(snippet: str) -> None:
    made = _planted(SNIPPETS[snippet])
    for mutant in made:
        compile(mutant.source, mutant.name, "exec")
        assert _bare(mutant.source) != _bare(SNIPPETS[snippet])
    assert all(a.source != b.source for a, b in combinations(made, 2))


@pytest.mark.parametrize("file", REFERENCES, ids=lambda file: file.stem)
def test_planting_is_deterministic_and_changes_nothing_else(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    made = _planted(source)
    assert mutants(source) == made
    lines = source.splitlines()
    for mutant in made:
        tree = ast.parse(mutant.source)
        assert ast.get_docstring(tree) is None
        assert _docstrings(tree) == _docstrings(ast.parse(source))
        assert lines[mutant.line - 1].strip()


def test_a_mutant_knows_its_line() -> None:
    made = {mutant.name: mutant.line for mutant in mutants(SNIPPETS["plain"])}
    assert made["maximum-dropped-0"] == 3
    assert made["scale-after-softmax-0"] == 7


def test_docstrings_and_texts_are_no_place() -> None:
    source = (
        '"""a & b"""\n\n\ndef f(a, b):\n    """np.where(a, b, -np.inf), 10000"""\n    return a\n'
    )
    assert mutants(source) == []


@cache
def _planted(source: str) -> list[Mutant]:
    return mutants(source)


def _bare(source: str) -> str:
    """The program without its module's docstring."""
    tree = ast.parse(source)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return ast.dump(tree)


def _docstrings(tree: ast.Module) -> list[str | None]:
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return [ast.get_docstring(each) for each in functions]
