"""What must hold of kata 06, however it is written."""

import math
from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
SOURCES = "by q and k", "by the bias"  # of the scores, in the order of by_scores


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def real(rng, *shape, scale=1.0):
    return normal(rng, *shape, scale=scale, dtype=np.float32)


def single(values):
    return frozen(values, np.float32)


def draw(rng, *axes, queries=Tq, keys=Tk, D=D):
    q, k = real(rng, *axes, queries, D), real(rng, *axes, keys, D)
    return q, k, real(rng, *axes, keys, Dv), real(rng, *axes, queries, keys)


def quarters(rng, *shape):
    """Multiples of 1/4 between -2 and 2: sums and products of a few are exact in float32."""
    return single(rng.integers(-8, 9, size=shape) / 4)


def by_scores(rng, rows):
    """Inputs with exactly these scores, one query a batch item: out of the keys, then the bias."""
    rows = np.array(rows)  # (R, Tk)
    one, v = np.ones((len(rows), 1, 1)), real(rng, *rows.shape, Dv)
    yield single(one), single(rows[..., None]), v, single(np.zeros(rows.shape)[:, None])
    yield single(0 * one), single(np.ones(rows.shape)[..., None]), v, single(rows[:, None])


def listed(numbers):
    """Numbers as they stand in a message."""
    return ", ".join(f"{number:g}" for number in numbers)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and the dtype of the contract."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), Tq, Tk), ((B,), 1, Tk), ((B,), Tq, 1)]
    for rng, (axes, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        out, weights = attention(subject, *draw(rng, *axes, queries=queries, keys=keys))
        assert_array(out, (*axes, queries, Dv), np.float32, "out")
        assert_array(weights, (*axes, queries, keys), np.float32, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """The weights of every query sum to one, whatever the size of the scores."""
    for rng in rngs:
        q, k, v, bias = draw(rng, B)
        bias = np.stack([bias[0], -np.abs(bias[1])])  # rows around zero, rows below it
        for scale in (1.0, 100.0, 1e4, 1e30, 1e37):
            _, weights = attention(subject, q, k, v, single(scale * bias))
            name = f"sum of weights for a bias of size {scale:g}"
            assert_same(weights.sum(axis=-1), np.ones((B, Tq), np.float32), name)


def test_added_numbers_change_nothing(subject, rngs):
    """One number added to all the scores of a query, another for each, changes no answer."""
    for rng in rngs:
        q, k = quarters(rng, B, Tq, D), quarters(rng, B, Tk, D)
        v, bias = real(rng, B, Tk, Dv), quarters(rng, B, Tq, Tk)
        want_out, want_weights = attention(subject, q, k, v, bias)
        for added in ([-1e3, 0.0, 1e3], [88.0, -110.0, 1e5], [-98.0, 0.0, 50.0]):
            higher = single(bias + np.array(added)[:, None])  # exact, as are the scores
            out, weights = attention(subject, q, k, v, higher)
            name = f"with {listed(added)} added"
            assert_same(weights, want_weights, f"weights {name}")
            assert_same(out, want_out, f"out {name}")


def test_equal_scores_share_equally(subject, rngs):
    """Keys of the same score weigh the same, whatever that score is."""
    sizes = [0.0, 88.0, 110.0, 1e3, 1e30, 3e38]
    rows = [[size] * Tk for s in sizes for size in (s, -s)]
    for rng in rngs:
        for (q, k, v, bias), source in zip(by_scores(rng, rows), SOURCES, strict=True):
            out, weights = attention(subject, q, k, v, bias)
            assert_array(weights, bias.shape, np.float32, "weights")
            for row, got in zip(rows, weights, strict=True):
                name = f"weights where all scores are {row[0]:g}, {source},"
                assert_same(got, np.full((1, Tk), 1 / Tk, np.float32), name)
            assert_same(out, v.mean(axis=-2, keepdims=True), "out")


def test_one_key_far_above_takes_all(subject, rngs):
    """A key that scores far above all others gives its value, wherever the row lies."""
    rows = [
        [0.0, -200.0, -200.0],
        [1e3, 0.0, 0.0],
        [1000.0, 800.0, -3000.0],
        [-1000.0, -1200.0, -1e4],
        [3e4, 2e4, 1e4],
        [-2e4, -3e4, -4e4],
        [1.1e30, 1e30, -1e30],
        [-1e30, -1.1e30, -2e30],
        [3e38, -3e38, 0.0],
        [3e38, 2e38, 2e38],
        [-2e38, -3e38, -3e38],
    ]
    for place, rng in enumerate(rngs):
        turned, want = np.roll(rows, place, axis=-1), single(np.eye(3)[[place % 3]])
        for (q, k, v, bias), source in zip(by_scores(rng, turned), SOURCES, strict=True):
            out, weights = attention(subject, q, k, v, bias)
            assert_array(weights, bias.shape, np.float32, "weights")
            for row, got in zip(turned, weights, strict=True):
                assert_same(got, want, f"weights for scores of {listed(row)}, {source},")
            assert_same(out, v[:, [place % 3]], "out")


def test_only_the_sum_counts(subject, rngs):
    """What the bias takes from a score, and the keys give it, changes no answer."""
    for rng in rngs:
        rows, v, q = quarters(rng, B, Tk), real(rng, B, Tk, Dv), single(np.ones((B, 1, 1)))
        apart = np.linspace(-300, 300, Tk)  # whole numbers: every sum is exact
        want, _ = attention(subject, q, single(rows[..., None]), v, single(np.zeros(1)))
        out, _ = attention(subject, q, single((rows + apart)[..., None]), v, single(-apart))
        assert_same(out, want, "out")


def test_bias_broadcasts(subject, rngs):
    """`bias` may leave out an axis, or have size one there: it then holds for all of it."""
    for rng in rngs:
        q, k, v, bias = draw(rng, B)
        for part in (bias[:, :1], bias[..., :1], bias[0], bias[0, 0]):
            want, _ = attention(subject, q, k, v, frozen(np.broadcast_to(part, bias.shape)))
            out, _ = attention(subject, q, k, v, frozen(part))
            assert_same(out, want, f"out for bias {part.shape}, k {k.shape}")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are those that plain loops give, for ordinary scores and high ones."""
    for rng in rngs:
        keys = quarters(rng, B, Tq, D), quarters(rng, B, Tk, D)
        high = *keys, real(rng, B, Tk, Dv), single(quarters(rng, B, Tq, Tk) + 150.0)  # all exact
        for inputs, name in (draw(rng, B, D=H), "ordinary"), (high, "high"):
            q, k, v, bias = (array.astype(float) for array in inputs)
            want_out, want_weights = np.zeros((B, Tq, Dv)), np.zeros((B, Tq, Tk))
            for b, t in np.ndindex(B, Tq):
                scores = k[b] @ q[b, t] / np.sqrt(q.shape[-1]) + bias[b, t]
                exp = [math.exp(score - max(scores)) for score in scores]
                want_weights[b, t] = np.array(exp) / sum(exp)
                want_out[b, t] = sum(want_weights[b, t, s] * v[b, s] for s in range(Tk))
            out, weights = attention(subject, *inputs)
            assert_same(weights, want_weights.astype(np.float32), f"weights for {name} scores")
            assert_same(out, want_out.astype(np.float32), f"out for {name} scores")
