"""Invariants of kata 10: every correct implementation passes them."""

import math

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, unpack
from checker.judging.attention import attention_loops

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
    highest = max(row)
    exp = [math.exp(score - highest) for score in row]
    total = sum(exp)
    return [part / total for part in exp]


def weights_of(scores):
    """The weights of all rows."""
    return np.apply_along_axis(row_weights, -1, scores)


def loops(q, k, v):
    """`out`, computed one query at a time."""
    return attention_loops(q, k, v)[0]


def test_shapes_and_dtype(subject, rngs):
    """`weights` and `out` have the shape and dtype given in the contract."""
    one = draw(rngs[0], 1)
    for inputs in [part[0] for part in one], one, draw(rngs[0], B, H), draw(rngs[0], H, 1, B):
        lead = inputs[0].shape[:-2]
        assert_array(attention(subject, *inputs), (*lead, Tq, Dv), np.float64, "out")
    for shape in (1,), (Tk,), (1, Tk), (Tk, 1), (B, H, Tk), (B, 1, H, Tk):
        weights = softmax(subject, normal(rngs[0], *shape))
        assert_array(weights, shape, np.float64, "weights")


def test_weight_ratios_are_ratios_of_exp(subject, rngs):
    """The ratio of two weights in a row is the ratio of exp of their scores."""
    for keys in Tk, 9, 17, 65, 129, 257:
        rows = np.linspace(0.0, 20.0, keys) * np.array([[1.0], [-1.0], [0.0]])
        weights = softmax(subject, frozen(rows))
        assert_array(weights, rows.shape, np.float64, "weights")
        want = weights[:, :1] * np.exp(rows)
        assert_same(weights, want, f"weights of {keys} keys")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one, however high or low its scores are."""
    for shape in (Tq, Tk), (B, H, Tq, Tk), (Tk, 1):
        heights = rngs[0].choice([-9e5, -800.0, 0.0, 1e3, 9e5], size=(*shape[:-1], 1))
        weights = softmax(subject, frozen(heights + normal(rngs[0], *shape, scale=100.0)))
        assert_array(weights, shape, np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones(shape[:-1]), "sum of weights", FAR)


def test_adding_a_constant_to_a_row_changes_nothing(subject, rngs):
    """With a number added to all scores of a row, another for each, its weights are right."""
    for more, keys in (([735.0, 0.0, -4.0], Tk), ([9e5, -9e5, 2e3], H), ([-1e3, -740.0, 0.0], Tq)):
        rows = quarters(rngs[0], Tq, keys)
        lifted = rows + np.array(more)[:, None]  # exact
        want = weights_of(rows)
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
    """A score that is hundreds above the others in its row gets all the weight."""
    rows = [[0, -900, -900], [1e6, 0, -1e6], [-800, -2e3, -1e6], [900, 0, 0], [1e3, 100, 100]]
    for place in range(3):
        scores = np.roll(np.array(rows, dtype=float), place, axis=-1)
        weights = softmax(subject, frozen(scores))
        assert_array(weights, scores.shape, np.float64, "weights")
        for row, got in zip(scores, weights, strict=True):
            assert_same(got, np.eye(3)[place], f"weights of the row {listed(row)}")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get alone, whatever the others contain."""
    for loud in (400.0, 1e5):
        q, k, v = draw(rngs[0], Tq)
        k = frozen(k * np.array([1.0, loud, 20.0])[:, None, None])
        out = attention(subject, q, k, v)
        assert_array(out, (Tq, Tq, Dv), np.float64, "out")
        name = f"out for item 0, next to keys {loud:g} times as large,"
        assert_same(out[0], loops(q[0], k[0], v[0]), name, FAR)


def test_queries_are_independent(subject, rngs):
    """Each query gets the output that it should get alone, whatever the other queries are."""
    for loud in (400.0, 1e5):
        q, k, v = draw(rngs[0], B, queries=Tk)
        q = frozen(q * np.array([1.0, loud, 1.0, 20.0, 5.0])[:, None])
        out = attention(subject, q, k, v)
        assert_array(out, (B, Tk, Dv), np.float64, "out")
        name = f"out, next to queries {loud:g} times as large,"
        assert_same(out[:, :1], loops(q[:, :1], k, v), name, FAR)


def rows_of_every_kind(rng, keys):
    """Rows of normal scores, near and far, rising, falling, equal, and with a tie at the top."""
    rise, tie = np.arange(keys) / keys, np.arange(keys) % 2
    kinds = [0.0, 1400.0, -1400.0, 20 * rise, -20 * rise, 1e3 * rise, -1e3 * rise, 1e6 * tie]
    rows = np.stack(np.broadcast_arrays(*kinds))
    rows[:3] += rng.normal(size=(3, keys))
    return np.concatenate([rows, [np.full(keys, 200.0), np.where(tie, 200.0, -200.0)]])


def test_rows_match_plain_loops(subject, rngs):
    """`weights` of any number of rows match a plain-loop implementation."""
    batch = [rows_of_every_kind(rngs[0], keys) for keys in (1, 2, 8, 9, 16, 17, 33, 65, 129, 257)]
    for shape in [(n, 2) for n in (1, 9, 17, 33, 65, 129, 257)] + [(Tk,), (1, 1, 1), (2, 1, 3, 2)]:
        apart = np.array([0.0, 1400.0, -1400.0])[np.arange(np.prod(shape[:-1], dtype=int)) % 3]
        batch.append(rngs[0].normal(size=shape) + apart.reshape(*shape[:-1], 1))
    batch += [[1e6, 1e6, 0.0], [-1e6, 1e6 - 0.5, 1e6], [[0.0, -17.5]]]
    batch = [(frozen(scores, float),) for scores in batch]
    for (scores,), got in zip(batch, subject.softmax.each(batch), strict=True):
        (weights,) = unpack(got, "weights")
        assert_same(weights, weights_of(scores), f"weights for scores {scores.shape}", FAR)


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation, whatever the scores."""
    domain.assert_agrees(subject, seed, loops, "out")
