"""Invariants of kata 01: every correct implementation passes them."""

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, qkv, unpack
from checker.judging.attention import attention_loops

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
ONES = frozen(np.ones((Tk, Dv)))


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *lead, keys=Tk):
    return qkv(rng, *lead, Tq=Tq, Tk=keys, D=D, Dv=Dv)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    alone = draw(rngs[0])
    for lead in (), (1,), (B, H), (H, 1, B):
        inputs = (
            draw(rngs[1], *lead)
            if B in lead
            else [part.reshape(*lead, *part.shape) for part in alone]
        )
        out, weights = attention(subject, *inputs)
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng, B, keys=D))
        assert_array(weights, (B, Tq, D), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_a_dominant_score_takes_all(subject, rngs):
    """A query that scores one key far above all others gets that key's value."""
    for size in D, D + 3:
        k = frozen(1e3 * np.roll(np.eye(D, size), 1, axis=0))
        v = normal(rngs[0], D, Dv)
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
    """With the keys in another order, and their values too, `out` is right."""
    for rng, keys in zip(rngs, (D, Tk), strict=True):
        q, k, v = draw(rng, B, keys=keys)
        want, _ = attention_loops(q, k, v)
        for order in np.arange(keys), np.roll(np.arange(keys), 1):
            out, _ = attention(subject, q, frozen(k[:, order]), frozen(v[:, order]))
            assert_same(out, want, f"out with keys in the order {listed(order)}")


def test_reordering_features_changes_nothing(subject, rngs):
    """With the features of q and k in another order, the same in both, the weights are right."""
    for rng, keys in zip(rngs, (D, Tk), strict=True):
        q, k, v = draw(rng, B, keys=keys)
        _, want = attention_loops(q, k, v)
        for order in np.arange(D), np.roll(np.arange(D), 1):
            _, weights = attention(subject, frozen(q[..., order]), frozen(k[..., order]), v)
            assert_same(weights, want, f"weights with features in the order {listed(order)}")


def test_adding_a_constant_to_a_row_changes_nothing(subject, rngs):
    """With one number, however large, added to all scores of a query, its weights are right."""
    for rng in rngs:
        q, k, v = (np.array(part) for part in draw(rng))
        k[:, 0] = np.sqrt(D)  # so that all scores of a query grow by its first feature
        _, want = attention_loops(q, k, v)
        q[:, 0] += [-1000.0, 0.0, 1000.0]
        _, weights = attention(subject, frozen(q), frozen(k), frozen(v))
        name = "weights with -1000, 0, 1000 added"  # to the scores of query 0, 1, 2
        assert_same(weights, want, name, tolerance=1e-11)  # floats near 1000 are 1e-13 apart


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the result that it should get on its own."""
    for *lead, keys in [(D, D), (D, D, D), (B, H, Tk)]:
        q, k, v = draw(rngs[0], *lead, keys=keys)
        out, weights = attention(subject, q, k, v)
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, keys), np.float64, "weights")
        for item in [(0,) * len(lead), (1,) * len(lead)]:
            want_out, want_weights = attention_loops(q[item], k[item], v[item])
            assert_same(weights[item], want_weights, f"weights of item {list(item)}")
            assert_same(out[item], want_out, f"out of item {list(item)}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, attention_loops, "out", "weights")
