"""Invariants of kata 09: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

B, H, T, E, D, Dv = 2, 7, 5, 4, 3, 6


def causal_attention(subject, *inputs):
    return unpack(subject.causal_attention(*inputs), "out", "weights")


def draw(rng, *lead, T=T, E=E, D=D, Dv=Dv):
    return normal(rng, *lead, T, E), normal(rng, E, D), normal(rng, E, D), normal(rng, E, Dv)


def loops(x, Wq, Wk, Wv):
    """`out` and `weights`, computed one token at a time."""
    *lead, T, _ = x.shape
    out, weights = np.zeros((*lead, T, Wv.shape[1])), np.zeros((*lead, T, T))
    for item in np.ndindex(*lead):
        q, k, v = x[item] @ Wq, x[item] @ Wk, x[item] @ Wv
        for t in range(T):
            scores = k[: t + 1] @ q[t] / np.sqrt(Wq.shape[1])
            exp = np.exp(scores - scores.max())
            weights[item][t, : t + 1] = exp / exp.sum()
            out[item][t] = exp @ v[: t + 1] / exp.sum()
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    for lead, length in [((), T), ((B,), 9), ((H, B), T), ((B,), 1), ((), 1)]:
        out, weights = causal_attention(subject, *draw(rngs[0], *lead, T=length))
        assert_array(out, (*lead, length, Dv), np.float64, "out")
        assert_array(weights, (*lead, length, length), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng, length in zip(cycle(rngs), (1, T, 8), strict=False):
        _, weights = causal_attention(subject, *draw(rng, B, T=length))
        assert_array(weights, (B, length, length), np.float64, "weights")
        name = f"sum of weights, T = {length},"
        assert_same(weights.sum(axis=-1), np.ones((B, length)), name)


def test_the_first_token_gets_its_own_value(subject, rngs):
    """The first token of a text gets its own value, however long the text is."""
    for length in 1, 2, T:
        x, Wq, Wk, Wv = draw(rngs[0], B, T=length)
        out, _ = causal_attention(subject, x, Wq, Wk, Wv)
        assert_array(out, (B, length, Dv), np.float64, "out")
        assert_same(out[:, :1], x[:, :1] @ Wv, f"out, T = {length},")


def test_equal_scores_get_equal_weights(subject, rngs):
    """With equal scores, a token and all before it get equal weights, and those after it zero."""
    for rng, length in zip(cycle(rngs), (1, 2, T, 70), strict=False):
        x, Wq, Wk, Wv = draw(rng, T=length)
        want = [[1 / (t + 1) if s <= t else 0.0 for s in range(length)] for t in range(length)]
        _, weights = causal_attention(subject, x, frozen(0 * Wq), Wk, Wv)
        assert_same(weights, np.array(want), f"weights, T = {length},")


def test_later_tokens_weigh_nothing(subject, rngs):
    """Later tokens have a weight of exactly zero."""
    for rng, length in zip(cycle(rngs), (2, T, 8), strict=False):
        _, weights = causal_attention(subject, *draw(rng, B, T=length))
        assert_array(weights, (B, length, length), np.float64, "weights")
        later = np.arange(length) > np.arange(length)[:, None]
        weights = np.where(later, weights, 0.0)
        assert_identical(weights, np.zeros(weights.shape), f"weights, T = {length},")


def test_later_tokens_change_nothing(subject, rngs):
    """With other tokens later on, the output of earlier ones is right."""
    for rng in rngs:
        x, *weights = draw(rng, B)
        want, _ = loops(x, *weights)
        for cut in (1, 3):
            other = np.concatenate([x[:, :cut], normal(rng, B, T - cut, E, scale=30.0)], axis=1)
            out, _ = causal_attention(subject, frozen(other), *weights)
            assert_array(out, (B, T, Dv), np.float64, "out")
            name = f"out with other tokens from position {cut} on"
            assert_same(out[:, :cut], want[:, :cut], name)


def test_a_text_cut_short(subject, rngs):
    """The first tokens of a text get the right output when the rest is cut off."""
    x, *weights = draw(rngs[0])
    want, _ = loops(x, *weights)
    for cut in range(1, T + 1):
        out, _ = causal_attention(subject, frozen(x[:cut]), *weights)
        assert_same(out, want[:cut], f"out for the first {cut} of {T} tokens")


def test_the_highest_score_so_far_wins(subject, rngs):
    """With widely spaced scores, a token gets the value of the highest-scoring one up to itself."""
    scores = np.array(
        [[-1e6, 1e6, 9e5, 8e5], [-9e5, -1e6, -150, 1e6], [-1e4, -9e3, -1e5, 0], [7e5, 8e5, 0, 9e5]]
    )
    one = np.eye(4)  # token t has the scores of row t; the second text is reversed
    x, Wq, Wk = frozen([one, one[::-1]]), frozen(scores), frozen(2 * one)
    allowed = np.tri(4, dtype=bool)
    for rng in rngs:
        Wv = normal(rng, 4, Dv)
        out, _ = causal_attention(subject, x, Wq, Wk, Wv)
        for b, row in enumerate((scores, scores[::-1, ::-1])):
            highest = np.where(allowed, row, -np.inf).argmax(axis=-1)
            assert_array(out, (2, 4, Dv), np.float64, "out")
            assert_same(out[b], x[b][highest] @ Wv, f"out for item {b}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
