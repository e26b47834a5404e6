"""Invariants of kata 06: every correct implementation passes them."""

import math

import numpy as np

from checker.judging import assert_array, assert_same, frozen, listed, normal, qkv, unpack

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
SOURCES = "from q and k", "from the bias"  # of the scores, in the order of by_scores


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *axes, queries=Tq, keys=Tk, D=D):
    inputs = qkv(rng, *axes, Tq=queries, Tk=keys, D=D, Dv=Dv, dtype=np.float32)
    return *inputs, normal(rng, *axes, queries, keys, dtype=np.float32)


def quarters(rng, *shape):
    """Multiples of 1/4 between -2 and 2: sums and products of a few are exact in float32."""
    return frozen(rng.integers(-8, 9, size=shape) / 4, np.float32)


def by_scores(rng, rows):
    """Inputs with exactly these scores, one query per batch item: from the keys, then the bias."""
    rows = frozen(rows, np.float32)  # (R, Tk)
    one, v = np.ones((len(rows), 1, 1)), normal(rng, *rows.shape, Dv, dtype=np.float32)
    zeros, ones = np.zeros_like(rows), np.ones_like(rows)
    for q, k, bias in (one, rows, zeros), (0 * one, ones, rows):
        yield frozen(q, np.float32), frozen(k[..., None]), v, frozen(bias[:, None])


def loops(q, k, v, bias):
    """`out` and `weights`, computed in float64, one query at a time."""
    bias = np.broadcast_to(bias, (*q.shape[:-1], k.shape[-2]))
    q, k, v, bias = (array.astype(float) for array in (q, k, v, bias))
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(bias.shape)
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        scores = k[b] @ q[b][t] / math.sqrt(q.shape[-1]) + bias[b][t]
        exp = np.exp(scores - scores.max())
        weights[b][t] = exp / exp.sum()
        out[b][t] = weights[b][t] @ v[b]
    return out.astype(np.float32), weights.astype(np.float32)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    one = draw(rngs[0], 1)
    for inputs in [part[0] for part in one], one, draw(rngs[0], B, H), draw(rngs[0], H, 1, B):
        lead = inputs[0].shape[:-2]
        out, weights = attention(subject, *inputs)
        assert_array(out, (*lead, Tq, Dv), np.float32, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float32, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one, however large the scores are."""
    q, k, v, bias = draw(rngs[0], B)
    bias = np.stack([bias[0], -np.abs(bias[1])])  # some rows around zero, some below
    for scale in (1.0, 100.0, 1e4, 1e30, 1e37):
        _, weights = attention(subject, q, k, v, frozen(scale * bias, np.float32))
        assert_array(weights, (B, Tq, Tk), np.float32, "weights")
        name = f"sum of weights for a bias of scale {scale:g}"
        assert_same(weights.sum(axis=-1), np.ones((B, Tq), np.float32), name)


def test_adding_a_constant_to_a_row_changes_nothing(subject, rngs):
    """With one number added to all scores of a query, another for each, the result is right."""
    for rng in rngs:
        q, k = quarters(rng, B, Tq, D), quarters(rng, B, Tk, D)
        v, bias = normal(rng, B, Tk, Dv, dtype=np.float32), quarters(rng, B, Tq, Tk)
        want_out, want_weights = loops(q, k, v, bias)
        for added in ([-1e3, 0.0, 1e3], [88.0, -110.0, 1e5], [-98.0, 0.0, 50.0]):
            higher = frozen(bias + np.array(added)[:, None], np.float32)  # exact
            out, weights = attention(subject, q, k, v, higher)
            name = f"with {listed(added)} added"
            assert_same(weights, want_weights, f"weights {name}")
            assert_same(out, want_out, f"out {name}")


def test_equal_scores_get_equal_weights(subject, rngs):
    """Keys with equal scores get equal weights, however high or low the scores are."""
    sizes = [0.0, 88.0, 110.0, 1e3, 1e30, 3e38]
    rows = [[size] * Tk for s in sizes for size in (s, -s)]
    for (q, k, v, bias), source in zip(by_scores(rngs[0], rows), SOURCES, strict=True):
        out, weights = attention(subject, q, k, v, bias)
        assert_array(weights, bias.shape, np.float32, "weights")
        for row, got in zip(rows, weights, strict=True):
            name = f"weights with all scores equal to {row[0]:g}, {source},"
            assert_same(got, np.full((1, Tk), 1 / Tk, np.float32), name)
        assert_same(out, v.mean(axis=-2, keepdims=True), "out")


def test_a_dominant_score_takes_all(subject, rngs):
    """A query that scores one key far above all others gets that key's value, at any scale."""
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
    for shift, rng in enumerate(rngs):
        rolled, want = np.roll(rows, shift, axis=-1), frozen(np.eye(3)[[shift % 3]], np.float32)
        for (q, k, v, bias), source in zip(by_scores(rng, rolled), SOURCES, strict=True):
            out, weights = attention(subject, q, k, v, bias)
            assert_array(weights, bias.shape, np.float32, "weights")
            for row, got in zip(rolled, weights, strict=True):
                assert_same(got, want, f"weights for scores of {listed(row)}, {source},")
            assert_same(out, v[:, [shift % 3]], "out")


def test_only_the_sum_counts(subject, rngs):
    """With part of each score in the bias instead of q . k, `out` is right."""
    for rng in rngs:
        rows, v = quarters(rng, B, Tk), normal(rng, B, Tk, Dv, dtype=np.float32)
        q, none = frozen(np.ones((B, 1, 1)), np.float32), frozen([0.0], np.float32)
        part = frozen(np.linspace(-300, 300, Tk), np.float32)  # whole numbers: exact sums
        want, _ = loops(q, rows[..., None], v, none)
        out, _ = attention(subject, q, frozen((rows + part)[..., None]), v, frozen(-part))
        assert_same(out, want, "out")


def test_bias_broadcasts(subject, rngs):
    """With a `bias` to be broadcast (an axis missing or of size one), `out` is right."""
    q, k, v, bias = draw(rngs[0], B)
    for part in (bias[:, :1], bias[..., :1], bias[0], bias[0, 0]):
        want, _ = loops(q, k, v, part)
        out, _ = attention(subject, q, k, v, frozen(part))
        assert_same(out, want, f"out for bias {part.shape}, k {k.shape}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, for ordinary and for high scores."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
