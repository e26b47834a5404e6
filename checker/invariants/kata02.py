"""Invariants of kata 02: every correct implementation passes them."""

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, qkv, unpack
from checker.judging.attention import attention_loops

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
ONES = frozen(np.ones((Tk, Dv)))


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *lead, queries=Tq, keys=Tk):
    return qkv(rng, *lead, Tq=queries, Tk=keys, D=D, Dv=Dv)


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
    for *lead, queries, keys in [(Tq, Tk), (B, Tq, Tk), (B, H, 1, Tk), (Tq, 1), (Tk, Tk)]:
        _, weights = attention(subject, *draw(rngs[0], *lead, queries=queries, keys=keys))
        assert_array(weights, (*lead, queries, keys), np.float64, "weights")
        name = f"sum of weights of {queries} queries and {keys} keys"
        assert_same(weights.sum(axis=-1), np.ones((*lead, queries)), name)


def test_a_single_key_gives_its_value(subject, rngs):
    """With a single key, every query gets that key's value."""
    for rng in rngs:
        q, k, v = draw(rng, B, keys=1)
        out, _ = attention(subject, q, k, v)
        assert_same(out, np.repeat(v, Tq, axis=1), "out")


def test_an_indifferent_query_gets_the_mean(subject, rngs):
    """A query with equal scores gets the mean of the values, whatever the other queries are."""
    for rng in rngs:
        q, k, v = draw(rng, B)
        q = frozen(np.where(np.arange(Tq)[:, None] == 1, 0.0, q))
        out, _ = attention(subject, q, k, v)
        assert_array(out, (B, Tq, Dv), np.float64, "out")
        assert_same(out[:, 1], v.mean(axis=1), "out of query 1")


def test_equal_scores_get_equal_weights(subject, rngs):
    """Keys with equal scores get equal weights, however high or low the scores are."""
    for size in (0.0, 88.0, 1e3, -1e3):
        _, weights = attention(subject, frozen([[1.0]]), frozen(np.full((Tk, 1), size)), ONES)
        assert_same(weights, np.full((1, Tk), 1 / Tk), f"weights with all scores equal to {size:g}")


def test_a_dominant_score_takes_all(subject, rngs):
    """A query that scores one key far above all others gets that key's value."""
    k, v = frozen(1e3 * np.roll(np.eye(Tk, H), 1, axis=0)), normal(rngs[0], Tk, Dv)
    out, _ = attention(subject, k[:Tq], k, v)
    assert_same(out, v[:Tq], f"out for q {(Tq, H)}, k {k.shape}")
    for row in [8e5, 9e5, -1e6, 0.0, 7e5], [-9e5, -8e5, -1e6, -9e5, -8.5e5]:  # the top two differ
        k = frozen(np.array(row)[:, None])
        out, _ = attention(subject, frozen([[1.0]]), k, frozen(np.eye(Tk, Dv)))
        assert_same(out, np.eye(Tk, Dv)[[1]], f"out for scores of {listed(row)}")


def test_other_queries_change_nothing(subject, rngs):
    """A query gets the right result alone and among other queries, small or large."""
    q, k, v = draw(rngs[0])
    want_out, want_weights = attention_loops(q[:1], k, v)
    for length in (0.0, 1.0, 30.0, 1e4):  # with 0 the others are zeros
        out, weights = attention(subject, frozen(q * [[1.0], [length], [-length]]), k, v)
        assert_array(weights, (Tq, Tk), np.float64, "weights")
        assert_array(out, (Tq, Dv), np.float64, "out")
        name = f"of query 0, others scaled by {length:g},"
        assert_same(weights[:1], want_weights, f"weights {name}")
        assert_same(out[:1], want_out, f"out {name}")
    out, _ = attention(subject, q[:1], k, v)
    assert_same(out, want_out, "out of query 0 alone")


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
    for lead in (D,), (D, D), (B, H):
        q, k, v = draw(rngs[0], *lead)
        out, weights = attention(subject, q, k, v)
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")
        for item in [(0,) * len(lead), (1,) * len(lead)]:
            want_out, want_weights = attention_loops(q[item], k[item], v[item])
            assert_same(weights[item], want_weights, f"weights of item {list(item)}")
            assert_same(out[item], want_out, f"out of item {list(item)}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, attention_loops, "out", "weights")
