"""Invariants of kata 10: every correct implementation passes them."""

import math
from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, unpack

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
FAR = 1e-9  # log-sum-exp of scores near 1e6 is rounded to a multiple of 1.2e-10


def softmax(subject, scores):
    (weights,) = unpack(subject.softmax(scores), "weights")
    return weights


def attention(subject, *inputs):
    (out,) = unpack(subject.attention(*inputs), "out")
    return out


def quarters(rng, *shape):
    """Multiples of 1/4 from -2 to 2: sums and products of a few of them are exact."""
    return frozen(rng.integers(-8, 9, size=shape) / 4)


def draw(rng, *axes, queries=Tq, keys=Tk):
    """Queries, keys and values for which every score is exact."""
    q, k = quarters(rng, *axes, queries, D), quarters(rng, *axes, keys, D)
    return q, k, normal(rng, *axes, keys, Dv)


def row_weights(row):
    """The weights of one row, computed one score at a time."""
    exp = [math.exp(score - max(row)) for score in row]
    return [part / sum(exp) for part in exp]


def loops(q, k, v):
    """`out`, computed one query at a time."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        out[b][t] = row_weights(k[b] @ q[b][t] / np.sqrt(q.shape[-1])) @ v[b]
    return out


def test_shapes_and_dtype(subject, rngs):
    """`weights` and `out` have the shape and dtype given in the contract."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), Tq, Tk), ((B,), 1, Tk), ((B,), Tq, 1)]
    for rng, (axes, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        scores = normal(rng, *axes, keys)
        assert_array(softmax(subject, scores), scores.shape, np.float64, "weights")
        out = attention(subject, *draw(rng, *axes, queries=queries, keys=keys))
        assert_array(out, (*axes, queries, Dv), np.float64, "out")


def test_weight_ratios_are_ratios_of_exp(subject, rngs):
    """The ratio of two weights in a row is the ratio of exp of their scores."""
    for rng in rngs:
        scores = normal(rng, B, Tq, Tk)
        weights = softmax(subject, scores)
        assert_array(weights, scores.shape, np.float64, "weights")
        want = weights[..., :1] * np.exp(scores - scores[..., :1])
        assert_same(weights, want, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one, however high or low its scores are."""
    sizes = [(Tq, Tk), (B, H, Tq, Tk), (Tk, 1)]
    for rng, shape in zip(cycle(rngs), sizes, strict=False):
        heights = rng.choice([-9e5, -800.0, 0.0, 1e3, 9e5], size=(*shape[:-1], 1))
        weights = softmax(subject, frozen(heights + normal(rng, *shape, scale=100.0)))
        assert_array(weights, shape, np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones(shape[:-1]), "sum of weights", FAR)


def test_adding_a_constant_to_a_row_changes_nothing(subject, rngs):
    """Adding the same number to all scores of a row does not change its weights."""
    added = [[735.0, 0.0, -4.0], [9e5, -9e5, 2e3], [-1e3, -740.0, 0.0]]
    for rng, more, keys in zip(cycle(rngs), added, (Tk, H, Tq), strict=False):
        rows = quarters(rng, Tq, keys)
        lifted = rows + np.array(more)[:, None]  # exact
        want = softmax(subject, rows)
        name = f"weights with {listed(more)} added"
        assert_same(softmax(subject, frozen(lifted)), want, name, FAR)
        items = softmax(subject, frozen(lifted[:, None]))
        assert_same(items, want[:, None], name, FAR)


def test_equal_scores_get_equal_weights(subject, rngs):
    """In a row of equal scores all weights are equal, whatever the other rows contain."""
    heights = np.array([0.0, -1e6, 1e6, 300.0, -500.0, 1e3, -745.0])
    weights = softmax(subject, frozen(np.repeat(heights[:, None], Tk, axis=-1)))
    assert_array(weights, (len(heights), Tk), np.float64, "weights")
    for height, row in zip(heights, weights, strict=True):
        name = f"weights of the row with all scores {height:g}"
        assert_same(row, np.full(Tk, 1 / Tk), name, FAR)


def test_a_dominant_score_takes_all(subject, rngs):
    """A score hundreds above all others in its row gets all the weight."""
    rows = [[0, -900, -900], [1e6, 0, -1e6], [-800, -2e3, -1e6], [900, 0, 0], [1e3, 100, 100]]
    for place, rng in zip(range(3), cycle(rngs), strict=False):
        order = rng.permutation(len(rows))
        scores = np.roll(np.array(rows, dtype=float)[order], place, axis=-1)
        weights = softmax(subject, frozen(scores))
        assert_array(weights, scores.shape, np.float64, "weights")
        for row, got in zip(scores, weights, strict=True):
            assert_same(got, np.eye(3)[place], f"weights of the row {listed(row)}")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the same output as on its own, whatever the others contain."""
    for rng, loud in zip(cycle(rngs), (400.0, 1e5), strict=False):
        q, k, v = draw(rng, Tq)
        k = frozen(k * np.array([1.0, loud, 20.0])[:, None, None])
        out = attention(subject, q, k, v)
        assert_array(out, (Tq, Tq, Dv), np.float64, "out")
        name = f"out for item 0, next to keys {loud:g} times as large,"
        assert_same(out[0], attention(subject, q[0], k[0], v[0]), name, FAR)


def test_queries_are_independent(subject, rngs):
    """Each query gets the same output as it gets alone, whatever the other queries are."""
    for rng, loud in zip(cycle(rngs), (400.0, 1e5), strict=False):
        q, k, v = draw(rng, B, queries=Tk)
        q = frozen(q * np.array([1.0, loud, 1.0, 20.0, 5.0])[:, None])
        out = attention(subject, q, k, v)
        assert_array(out, (B, Tk, Dv), np.float64, "out")
        alone = attention(subject, q[:, :1], k, v)
        assert_same(out[:, :1], alone, f"out, next to queries {loud:g} times as large,", FAR)


def test_matches_plain_loops(subject, domain, seed):
    """`weights` and `out` match a plain-loop implementation, whatever the scores."""
    domain.cover(subject, seed, loops, "out")
