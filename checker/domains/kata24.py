"""The domain of kata 24: the attention with any numbers, not only with initial ones."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import LIMIT, VALUES
from checker.judging.layouts import LAYOUTS, SAME_PROJECTIONS
from checker.judging.sizes import BORDERS, borders, patterns

FUNCTION = "multi_head_attention"
FEATURES = {
    "sizes": {  # T, H, D; E is H * D
        "ordinary sizes": (5, 3, 4),
        "one token": (1, 3, 4),
        "one head": (5, 1, 4),
        "heads of one feature": (5, 4, 1),
        "all sizes one": (1, 1, 1),
        "T = H = D": (3, 3, 3),
        "T = E": (6, 2, 3),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small", "Wo with ones on its diagonal": "diagonal"},
    "biases": {
        "ordinary biases": "ordinary",
        "no biases": "none",
        "large biases": "large",
        **{f"only {name} is not zero": at for at, name in enumerate(("bq", "bk", "bv", "bo"))},
    },
    "items": {
        "two items": 2,
        "one item": 1,
        "as many items as tokens": "tokens",
        "as many items as heads": "heads",
        "seven items": 7,
    },
    "layout": LAYOUTS,
}
EDGES = {
    "values": tokens.OUTPUTS,
    "scores": tokens.RARE,
    "equal": tokens.EQUAL,
    "tokens": borders("tokens", [n for n in BORDERS if n not in (127, 131)]),
    "heads": borders("heads", (2, 5, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (1, 2, 3, 8, 9, 16, 17, 33, 65)),
    "many items": borders("items", (3, 4, 5, 8, 9, 17, 33, 65, 129)),
    "sizes": {**patterns("T H D", 5, 3, 4), "all sizes two": (2, 2, 2), "T = D": (4, 3, 4)},
}
SAME, EQUAL = SAME_PROJECTIONS, "ordinary sizes"
EXACT = tokens.rows_apart, tokens.items_apart, tokens.at_the_limit, *tokens.RARE.values()


def build(rng, *, sizes, scores, values, biases, items, layout, **edge):
    T, H, D = sizes
    B = {"tokens": T, "heads": H}.get(items, items)
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, H = edge.get("tokens", 3), edge.get("heads", 2)
        D = edge.get("features per head", 2 if H < 10 else 1)
        H, B = (1, 1) if max(T, D) > 20 else (H, edge.get("many items", 2))
        scores = tokens.mixed
    if "equal" in edge:
        B, T, H, D, _ = edge["equal"]
    E = H * D
    x, Wq, Wk = scores(rng, (B,), T, E, H, D)
    if edge and T > 100:
        x[..., 0] *= 2.0  # then exp overflows unless the maximum is that of all keys
    if edge and T % 2 == 0:
        x = x[:, ::-1].copy()  # scores fall along these tokens
    Wv = tokens.projection(rng, x, E, 1.0 if isinstance(values, str) else 0.5 * values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    Wo = tokens.output_projection(rng, E, E, values)
    added = offsets(rng, biases, H, D)
    if edge or values == "small" or scores in EXACT:
        added[0][...] = added[1][...] = 0.0  # these scores are to stay as they are
    if values == "small":
        added[2][...] = 0.0  # and so are these values
    by_head = (W.reshape(E, H, D).swapaxes(0, 1) for W in (Wq, Wk, Wv))
    return tuple(layout(array) for array in (x, *by_head, Wo, *added))


def offsets(rng, biases, H, D):
    """bq, bk, bv and bo."""
    bq, bk, bv, bo = rng.normal(size=(4, H, D))
    bo *= 1e-9 if biases == 3 else 1.0  # far below what it is added to
    if biases == "large":
        bv, bo = 0.4 * LIMIT * np.sign(bv), LIMIT * np.sign(bo)
    added = [bq, bk, bv, bo.reshape(-1)]
    return [
        one if biases in (at, "ordinary", "large") else 0.0 * one for at, one in enumerate(added)
    ]


def call(subject, *inputs):
    """The attention, and the sizes of initial numbers, which differ between right versions."""
    first = subject.init_projections(64, 4, 0)[:4]
    sizes = np.array([np.round(np.log2(64 * np.var(W) + 1e-9)) for W in first])
    return *subject.multi_head_attention(*inputs), sizes
