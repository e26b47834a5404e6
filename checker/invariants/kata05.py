"""Invariants of kata 05: every correct implementation passes them."""

import numpy as np

from checker.judging import (
    assert_array,
    assert_identical,
    assert_same,
    frozen,
    listed,
    normal,
    qkv,
    unpack,
)
from checker.judging.attention import attention_loops

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
LOWEST = np.finfo(np.float64).min


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *axes, queries=Tq, keys=Tk, D=D, scale=1.0):
    """Inputs with a random mask: each query may attend to key 0 and some others.

    No query may attend to the last key, unless it is the only one. Scores are of the order of
    `scale` squared.
    """
    keep = rng.random((*axes, queries, keys)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return *qkv(rng, *axes, Tq=queries, Tk=keys, D=D, Dv=Dv, scale=scale), frozen(keep)


def blocked_for_all(keep):
    """True at keys that no query may attend to, with a last axis of size one."""
    return ~keep.any(axis=-2)[..., None]


def by_scores(rng, rows, keep):
    """Inputs with exactly these scores, one query per batch item."""
    rows = np.array(rows, dtype=float)  # (R, Tk)
    q, k, v = np.ones((len(rows), 1, 1)), rows[..., None], normal(rng, *rows.shape, Dv)
    return frozen(q), frozen(k), v, frozen(np.broadcast_to(keep, (len(rows), 1, rows.shape[-1])))


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    one = draw(rngs[0], 1)
    alone = [part[0] for part in one]
    for *inputs, keep in alone, one, draw(rngs[0], B, H), draw(rngs[0], H, 1, B):
        lead = keep.shape[:-2]
        out, weights = attention(subject, *inputs, keep)
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one, however large the scores are."""
    for scale in (1.0, 1e5, 1e150):
        _, weights = attention(subject, *draw(rngs[0], B, scale=scale))
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        name = f"sum of weights for q and k of scale {scale:g}"
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), name)


def test_blocked_keys_weigh_nothing(subject, rngs):
    """Blocked keys have a weight of exactly zero, whatever the scores are."""
    for rng in rngs:
        for scale in (0.0, 1.0, 1e5, 1e150):
            *inputs, keep = draw(rng, B, scale=scale)
            _, weights = attention(subject, *inputs, keep)
            assert_array(weights, (B, Tq, Tk), np.float64, "weights")
            name = f"blocked weights for q and k of scale {scale:g}"
            assert_identical(np.where(keep, 0.0, weights), np.zeros((B, Tq, Tk)), name)


def test_blocked_values_change_nothing(subject, rngs):
    """With huge values at keys that are blocked for every query, `out` is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = attention_loops(q, k, v, keep)
        huge = frozen(np.where(blocked_for_all(keep), 1e300, v))
        out, _ = attention(subject, q, k, huge, keep)
        assert_same(out, want, "out with blocked values of 1e300")


def test_blocked_keys_change_nothing(subject, rngs):
    """With numbers of any size in keys that are blocked for every query, `out` is right."""
    q, k, v, keep = draw(rngs[0], B)
    want, _ = attention_loops(q, k, v, keep)
    for scale in (5.0, 1e3, 1e10, 1e300):
        other = np.where(blocked_for_all(keep), normal(rngs[1], *k.shape, scale=scale), k)
        out, _ = attention(subject, q, frozen(other), v, keep)
        assert_same(out, want, f"out with blocked keys of scale {scale:g}")


def test_blocked_scores_never_win(subject, rngs):
    """A query with one allowed key gets its value, however high the blocked scores are."""
    rows = [[0, 30], [0, 1e10], [-3e9, 0], [-2e4, -1e4], [1e10, 3e10], [-1e31, 1e31]]
    rows += [[-1e308, 1e308], [1e308, 1.5e308]]
    q, k, v, keep = by_scores(rngs[0], rows, [True, False])
    out, weights = attention(subject, q, k, v, keep)
    assert_array(weights, keep.shape, np.float64, "weights")
    for row, got in zip(rows, weights, strict=True):
        assert_same(got, keep[0] * 1.0, f"weights for scores of {listed(row)}")
    assert_same(out, v[:, :1], "out")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores of any size, a query gets the value of its highest-scoring key."""
    rows = [[2e3, 3e3], [2e12, 3e12], [-3e12, -2e12], [1.2e308, 1.5e308], [-1.5e308, -1.2e308]]
    q, k, v, keep = by_scores(rngs[0], rows, [True, True])
    out, _ = attention(subject, q, k, v, keep)
    assert_array(out, (len(rows), 1, Dv), np.float64, "out")
    for row, got, value in zip(rows, out, v, strict=True):
        assert_same(got, value[1:], f"out for scores of {listed(row)}")


def test_equal_scores_get_equal_weights(subject, rngs):
    """Allowed keys with equal scores get equal weights, however high or low the scores are."""
    sizes = [0.0, 1e3, -1e3, 1e18, -1e18, 1e300]
    q, k, v, keep = by_scores(rngs[0], [[size, size, 0.0] for size in sizes], [True, True, False])
    _, weights = attention(subject, q, k, v, keep)
    assert_array(weights, keep.shape, np.float64, "weights")
    for size, got in zip(sizes, weights, strict=True):
        name = f"weights for scores of {listed([size, size])} and a blocked 0"
        assert_same(got, keep[0] / 2, name)
    rows = [[-1.7e308, 1.7e308, 1.7e308], [1.7e308, -1.7e308, 1.7e308]]  # farther apart than floats
    q, k, v, keep = by_scores(rngs[0], rows, [True, True, True])
    _, weights = attention(subject, q, k, v, keep)
    want = np.array(rows)[:, None] > 0
    assert_same(weights, want / 2, "weights for scores of 1.7e308, twice, and -1.7e308")


def test_the_lowest_float64_is_a_valid_score(subject, rngs):
    """A query with one allowed key gets its value, even if its score is the lowest float64."""
    q, k, v, keep = by_scores(rngs[0], [[LOWEST, LOWEST, 0.0]], [False, True, False])
    out, weights = attention(subject, q, k, v, keep)
    name = f"for scores of {listed([LOWEST, LOWEST, 0])}"
    assert_same(weights, np.array([[[0.0, 1.0, 0.0]]]), f"weights {name}")
    assert_same(out, v[:, 1:2], f"out {name}")


def test_mask_broadcasts(subject, rngs):
    """With a `keep` to be broadcast (an axis missing or of size one), `out` is right."""
    q, k, v, keep = draw(rngs[0], B)
    for part in (keep[:, :1], keep[0], keep[0, 0]):  # (B, 1, Tk), (Tq, Tk), (Tk,)
        want, _ = attention_loops(q, k, v, part)
        out, _ = attention(subject, q, k, v, frozen(part))
        assert_same(out, want, f"out for keep {part.shape}, k {k.shape}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, for ordinary and for huge scores."""
    domain.assert_agrees(subject, seed, attention_loops, "out", "weights")
