"""The domain of kata 06."""

import numpy as np

from checker.judging.layouts import SAME_INPUTS, SHARED_LAYOUTS
from checker.judging.sizes import LEADING, SIZES, borders, patterns

FEW = (9, 17, 33, 65, 130)
HUGE = np.array([1e30, 3e38, -3e38, 1.1e30, 3e38, 0.0, -1e30], np.float32)

# Scores: each function changes q, k and bias in place; they come as normal numbers. Multiples of
# 1/4 and whole numbers are exact in float32, also in sums.


def ordinary(rng, q, k, bias):
    pass


def all_zero(rng, q, k, bias):
    q[...], bias[...] = 0.0, 0.0


def far_apart(places):
    def scores(rng, q, k, bias):
        q[...], k[...] = (
            rng.integers(-4, 5, size=q.shape) / 4,
            rng.integers(-4, 5, size=k.shape) / 4,
        )
        bias[...] = rng.integers(-8, 9, size=bias.shape) / 4
        bias += np.array([0.0, 1400.0, -1400.0])[places(q) % 3]

    return scores


def rows(q):
    return np.arange(q.shape[-2])[:, None]


def items(q):
    lead = q.shape[:-2]
    return np.arange(int(np.prod(lead))).reshape(*lead, 1, 1)


def rising(rng, q, k, bias):
    q[...], bias[...] = 0.0, 20.0 * np.arange(k.shape[-2]) / k.shape[-2]
    bias[..., 1::2, :] *= -1.0


def huge_bias(rng, q, k, bias):
    q[...], bias[...] = 0.0, rng.permuted(np.resize(HUGE, bias.shape), axis=-1)


def huge_products(rng, q, k, bias):
    q[...], k[...], bias[...] = 0.0, 0.0, 0.0
    q[..., 0], q[..., 1::2, 0] = 1.0, -1.0
    k[..., 0] = rng.permuted(np.resize(HUGE, k.shape[:-1]), axis=-1)


def close_biases(rng, q, k, bias):
    """Biases of 100,000 and 100,000.5, which float32 holds exactly."""
    q[...], bias[...] = 0.0, 1e5 + rng.integers(2, size=bias.shape) / 2.0


def mixed(rng, q, k, bias):
    for i, kind in enumerate([far_apart(rows), all_zero, rising, ordinary, huge_bias]):
        kind(rng, q[i::5], k[i::5], bias[i::5])


FUNCTION = "attention"
FEATURES = {
    "sizes": SIZES,
    "scores": {
        "ordinary scores": ordinary,
        "all scores exactly 0": all_zero,
        "rows of scores far apart": far_apart(rows),
        "items with scores far apart": far_apart(items),
        "scores rising along the keys": rising,
        "scores of 3e38 from the bias": huge_bias,
        "scores of 3e38 from q and k": huge_products,
    },
    "bias": {
        "a full bias": lambda bias: bias,
        "a bias with one row": lambda bias: bias[..., :1, :],
        "a bias without leading axes": lambda bias: bias[(0,) * (bias.ndim - 2)],
        "a bias with one axis": lambda bias: bias[(0,) * (bias.ndim - 1)],
        "a bias with a key axis of one": lambda bias: bias[..., :1],
        "a bias without axes": lambda bias: bias[(0,) * bias.ndim],
    },
    "leading": LEADING,
    "values": {"ordinary values": 1.0, "values at the limit": 1e6, "small weights": "small"},
    "layout": SHARED_LAYOUTS,
}
EDGES = {
    "scores": {"large biases close together": close_biases},
    "keys": borders("keys"),
    "queries": borders("queries"),
    "square": borders("queries and as many keys", (65,)),
    "features": borders("features", (*FEW, 257)),
    "columns": borders("value features", FEW),
    "items": borders("items", FEW),
    "sizes": patterns("Tq Tk D Dv", 3, 5, 4, 6),
    "heads": borders("heads", FEW),
    "leading": {"four leading axes": (1, 2, 1, 2), "17 items with heads": (17, 2)},
    "bias": {"a bias for all items": lambda bias: bias[:1]},
    "shared": {
        "a bias for all items, as many heads": (2, 2),
        "a bias for all items, as many queries": (2,),
    },
}
# Rounding moves a score of 1,400 by 1.2e-7 of it where the scale is not a power of two, and the
# weights by the same share, 1.7e-4. Scores of 3e38 are equal or far apart: there it does not count.
TOLERANCES = {"rows of scores far apart": 3.4e-4, "items with scores far apart": 3.4e-4}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, bias, leading, values, layout, **edge):
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        Tq, Tk, D = edge.get("queries", 2), edge.get("keys", 2), edge.get("features", 1)
        Dv, leading = edge.get("columns", 1), (edge.get("items", 2 if "queries" in edge else 5),)
        scores = ordinary if "features" in edge else mixed
    if "heads" in edge:
        Tq, scores, leading = 1, far_apart(items), (2, edge["heads"])
    if "square" in edge:
        Tq = Tk = edge["square"]
    if "shared" in edge:
        leading, scores = edge["shared"], ordinary
    q, k = rng.normal(size=(*leading, Tq, D)), rng.normal(size=(*leading, Tk, D))
    added = rng.normal(size=(*leading, Tq, Tk))
    scores(rng, q, k, added)
    v = rng.normal(size=(*leading, Tk, Dv))
    if values == 1e6:  # of one sign per column, so that rounding stays small beside the mean
        v = rng.choice([5e5, 1e6], size=v.shape) * np.where(np.arange(Dv) % 2, -1.0, 1.0)
    if values == "small":  # key 0 scores 20 more than the others, whose values are 9e5
        q[...], added[...], v[...] = 0.0, 0.0, 9e5
        added[..., 0], v[..., 0, :] = 20.0, 1.0
    added = np.asarray(added[0] if "shared" in edge else bias(added))
    return tuple(layout(array.astype(np.float32)) for array in (q, k, v, added))
