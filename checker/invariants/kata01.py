"""Invariants of kata 01: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, qkv, unpack

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
SIZES = [  # leading axes, Tq, Tk, D, Dv
    ((D,), D, D, D, D),  # every pair of axes fits
    ((), Tq, D, D, Dv),  # as many keys as features
    ((), Tq, Tk, D, Dv),
    ((B,), Tq, Tk, D, Dv),
    ((B, H), Tq, Tk, D, Dv),
    ((H, 1, B), Tq, Tk, D, Dv),
    ((B,), 1, Tk, D, Dv),
    ((B,), Tq, 1, D, Dv),
    ((), Tq, Tk, 1, 1),
    ((), Tq, Tk, 6, Dv),  # D is not a square number
]

SMALL = ((), 2, 2, 2, 2)
ONES = frozen(np.ones((Tk, Dv)))


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, lead, Tq, Tk, D, Dv):
    return qkv(rng, *lead, Tq=Tq, Tk=Tk, D=D, Dv=Dv)


def loops(q, k, v):
    """`out` and `weights`, computed one query at a time."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    weights = np.zeros((*q.shape[:-1], k.shape[-2]))
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        scores = k[b] @ q[b][t] / np.sqrt(q.shape[-1])  # one per key
        exp = np.exp(scores - scores.max())
        weights[b][t] = exp / exp.sum()
        out[b][t] = weights[b][t] @ v[b]
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    for lead, *sizes in SIZES[::3]:
        out, weights = attention(subject, *draw(rngs[0], lead, *sizes))
        Tq, Tk, _, Dv = sizes
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng, (B,), Tq, D, D, Dv))
        assert_array(weights, (B, Tq, D), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_a_dominant_score_takes_all(subject, rngs):
    """A query that scores one key far above all others gets that key's value."""
    for rng, length in zip(cycle(rngs), [1e2, 1e3], strict=False):
        for size in D, D + 3:
            k = frozen(length * np.roll(np.eye(D, size), 1, axis=0))
            v = normal(rng, D, Dv)
            out, _ = attention(subject, k, k, v)
            assert_same(out, v, f"out for q and k {k.shape}")
    for row in [8e5, 9e5, -1e6, 0.0, 7e5], [-9e5, -8e5, -1e6, -9e5, -8.5e5]:  # the top two differ
        k = frozen(np.array(row)[:, None])
        out, _ = attention(subject, frozen([[1.0]]), k, frozen(np.eye(Tk, Dv)))
        assert_same(out, np.eye(Tk, Dv)[[1]], f"out for scores of {listed(row)}")


def test_equal_scores_get_equal_weights(subject, rngs):
    """Keys with equal scores get equal weights, however high or low the scores are."""
    for size in (0.0, 88.0, 1e3, -1e3):
        _, weights = attention(subject, frozen([[1.0]]), frozen(np.full((Tk, 1), size)), ONES)
        assert_same(weights, np.full((1, Tk), 1 / Tk), f"weights with all scores equal to {size:g}")


def test_reordering_keys_changes_nothing(subject, rngs):
    """Reordering the keys, together with their values, does not change `out`."""
    for rng in rngs:
        for size in D, Tk:
            q, k, v = draw(rng, (B,), Tq, size, D, Dv)
            want, _ = attention(subject, q, k, v)
            order = np.roll(np.arange(size), 1)
            out, _ = attention(subject, q, frozen(k[:, order]), frozen(v[:, order]))
            assert_same(out, want, "out")


def test_reordering_features_changes_nothing(subject, rngs):
    """Reordering the features of q and k in the same way does not change the weights."""
    for rng in rngs:
        for size in D, Tk:
            q, k, v = draw(rng, (B,), Tq, size, D, Dv)
            _, want = attention(subject, q, k, v)
            order = np.roll(np.arange(D), 1)
            _, weights = attention(subject, frozen(q[..., order]), frozen(k[..., order]), v)
            assert_same(weights, want, "weights")


def test_adding_a_constant_to_a_row_changes_nothing(subject, rngs):
    """Adding the same number to all scores of a query does not change its weights."""
    for rng in rngs:
        q, k, v = (np.array(part) for part in draw(rng, (), Tq, Tk, D, Dv))
        k[:, 0] = np.sqrt(D)  # so that all scores of a query grow by its first feature
        _, want = attention(subject, frozen(q), frozen(k), frozen(v))
        q[:, 0] += [-1000.0, 0.0, 1000.0]
        _, weights = attention(subject, frozen(q), frozen(k), frozen(v))
        name = "weights with -1000, 0, 1000 added"  # to the scores of query 0, 1, 2
        assert_same(weights, want, name, tolerance=1e-11)  # floats near 1000 are 1e-13 apart


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the same result as on its own."""
    for lead, *sizes in [((D,), D, D, D, D), ((D, D), D, D, D, D), ((B, H), Tq, Tk, D, Dv)]:
        q, k, v = draw(rngs[0], lead, *sizes)
        out, weights = attention(subject, q, k, v)
        assert_array(out, (*q.shape[:-1], v.shape[-1]), np.float64, "out")
        assert_array(weights, (*q.shape[:-1], k.shape[-2]), np.float64, "weights")
        for item in [(0,) * len(lead), (1,) * len(lead)]:
            want_out, want_weights = attention(subject, q[item], k[item], v[item])
            assert_same(weights[item], want_weights, f"weights of item {list(item)}")
            assert_same(out[item], want_out, f"out of item {list(item)}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.cover(subject, seed, loops, "out", "weights")
