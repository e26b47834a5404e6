"""What must hold of kata 03, however it is written."""

import numpy as np

from checker.judging import (
    assert_array,
    assert_identical,
    assert_same,
    frozen,
    normal,
    unpack,
)

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng):
    """Inputs in which query t may read key 0 and some others, a different set for each."""
    keep = rng.random((B, Tq, Tk)) < 0.5
    keep[..., 0], keep[..., -1] = True, False
    return normal(rng, B, Tq, D), normal(rng, B, Tk, D), normal(rng, B, Tk, Dv), frozen(keep)


def spoil(rng, k, keep):
    """Other keys wherever no query of the batch item may read; the rest as it was."""
    read = keep.any(axis=-2)[..., None]  # (B, Tk, 1)
    return frozen(np.where(read, k, normal(rng, *k.shape, scale=5.0)))


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and the dtype of the contract."""
    for rng in rngs:
        out, weights = attention(subject, *draw(rng))
        assert_array(out, (B, Tq, Dv), np.float64, "out")
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """The weights of every query sum to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng))
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """A key that a query may not read has a weight of exactly zero."""
    for rng in rngs:
        *inputs, keep = draw(rng)
        _, weights = attention(subject, *inputs, keep)
        assert_array(weights, keep.shape, np.float64, "weights")
        assert_identical(np.where(keep, 0.0, weights), np.zeros((B, Tq, Tk)), "blocked weights")


def test_blocked_keys_change_nothing(subject, rngs):
    """Other numbers in a key that no query may read leave every answer as it was."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        want, _ = attention(subject, q, k, v, keep)
        out, _ = attention(subject, q, spoil(rng, k, keep), v, keep)
        assert_same(out, want, "out")


def test_blocked_values_change_nothing(subject, rngs):
    """Huge numbers in a value that no query may read leave every answer as it was."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        bomb = frozen(np.where(keep.any(axis=-2)[..., None], v, 1e300))
        want, _ = attention(subject, q, k, v, keep)
        out, _ = attention(subject, q, k, bomb, keep)
        assert_identical(out, want, "out")


def test_highest_readable_key_is_the_answer(subject, rngs):
    """Where scores lie far apart, a query gets the value of the highest key that it may read."""
    scores = np.array([-1e6, -1e3, 0.0, 1e3, 1e6])
    q, k = frozen(np.full((Tq, D), 2.0)), frozen(np.outer(scores, np.full(D, 1 / D)))
    highest = np.array([0, 3, 4])  # of the keys that each query may read
    keep = frozen(np.arange(Tk) <= highest[:, None])
    for rng in rngs:
        v = normal(rng, Tk, Dv)
        out, _ = attention(subject, q, k, v, keep)
        assert_same(out, v[highest], "out")


def test_mask_broadcasts(subject, rngs):
    """One row of `keep` serves every query of a batch item."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        row = keep[:, :1]  # (B, 1, Tk)
        want, _ = attention(subject, q, k, v, frozen(np.broadcast_to(row, (B, Tq, Tk))))
        out, _ = attention(subject, q, k, v, frozen(row))
        assert_same(out, want, "out")


def test_leading_axes_are_separate_sentences(subject, rngs):
    """With two leading axes, with one or with none, a sentence gets the same answer."""
    for rng in rngs:
        parts = [np.stack(part) for part in zip(*(draw(rng) for _ in range(H)), strict=True)]
        out, _ = attention(subject, *(frozen(part) for part in parts))
        assert_array(out, (H, B, Tq, Dv), np.float64, "out")
        for h in range(H):
            one_axis, _ = attention(subject, *(frozen(part[h]) for part in parts))
            assert_same(one_axis, out[h], "out")
        no_axis, _ = attention(subject, *(frozen(part[-1, -1]) for part in parts))
        assert_same(no_axis, out[-1, -1], "out")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are those that plain loops give."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        want_out, want_weights = np.zeros((B, Tq, Dv)), np.zeros((B, Tq, Tk))
        for b, t in np.ndindex(B, Tq):
            exp = [np.exp(q[b, t] @ k[b, s] / np.sqrt(D)) * keep[b, t, s] for s in range(Tk)]
            want_weights[b, t] = np.array(exp) / sum(exp)
            want_out[b, t] = sum(want_weights[b, t, s] * v[b, s] for s in range(Tk))
        out, weights = attention(subject, q, k, v, keep)
        assert_same(weights, want_weights, "weights")
        assert_same(out, want_out, "out")
