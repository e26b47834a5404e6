"""Invariants of kata 03: every correct implementation passes them."""

from itertools import cycle

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


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D, scale=1.0):
    """Inputs with a random mask: each query may attend to key 0 and some others, not the last."""
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., 0], keep[..., -1] = True, False
    return *qkv(rng, *lead, Tq=Tq, Tk=Tk, D=D, Dv=Dv, scale=scale), frozen(keep)


def replace_blocked(rng, k, keep):
    """The same keys, but new ones wherever no query of the batch item may attend."""
    allowed = keep.any(axis=-2)[..., None]  # (B, Tk, 1)
    return frozen(np.where(allowed, k, normal(rng, *k.shape, scale=5.0)))


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    for lead in (), (1,), (B, H), (H, 1, B):
        out, weights = attention(subject, *draw(rngs[0], *lead))
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng, B))
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """Blocked keys have a weight of exactly zero."""
    for rng in rngs:
        *inputs, keep = draw(rng, B)
        _, weights = attention(subject, *inputs, keep)
        assert_array(weights, keep.shape, np.float64, "weights")
        assert_identical(np.where(keep, 0.0, weights), np.zeros((B, Tq, Tk)), "blocked weights")


def test_blocked_keys_change_nothing(subject, rngs):
    """With other keys where every query is blocked, `out` is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = attention_loops(q, k, v, keep)
        out, _ = attention(subject, q, replace_blocked(rng, k, keep), v, keep)
        assert_same(out, want, "out")


def test_blocked_values_change_nothing(subject, rngs):
    """With huge values at keys that are blocked for every query, `out` is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        huge = frozen(np.where(keep.any(axis=-2)[..., None], v, 1e300))
        want, _ = attention_loops(q, k, v, keep)
        out, _ = attention(subject, q, k, huge, keep)
        assert_same(out, want, "out with blocked values of 1e300")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring allowed key."""
    highest = np.array([0, 1, 3])  # allowed key of each query
    keep = frozen(np.arange(Tk) <= highest[:, None])
    for scores in [-1e6, -500.0, -400.0, 1e3, 1e6], [-1e6, -9e5, -8e5, -900.0, -500.0]:
        q, k = frozen(np.full((Tq, D), 2.0)), frozen(np.outer(scores, np.full(D, 1 / D)))
        v = normal(rngs[0], Tk, Dv)
        out, _ = attention(subject, q, k, v, keep)
        assert_same(out, v[highest], f"out for scores of {listed(scores)}")


def test_mask_broadcasts(subject, rngs):
    """With a `keep` to be broadcast (an axis missing or of size one), the result is right."""
    sizes = [((B,), Tq, Tk), ((B, Tq), Tq, Tk)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        q, k, v, keep = draw(rng, *lead, Tq=queries, Tk=keys)
        first = keep[(0,) * len(lead)]  # (Tq, Tk)
        for part in (keep[..., :1, :], first, first[0]):
            want_out, want_weights = attention_loops(q, k, v, part)
            out, weights = attention(subject, q, k, v, part)
            assert_same(weights, want_weights, f"weights for keep {part.shape}, k {k.shape}")
            assert_same(out, want_out, f"out for keep {part.shape}, k {k.shape}")


def test_leading_axes_are_independent(subject, rngs):
    """A sentence gets the right output with two leading axes, one or none."""
    parts = draw(rngs[0], H, B)
    for item, axes in ((), "two leading axes"), ((0,), "one leading axis"), ((-1, -1), "none"):
        inputs = [part[item] for part in parts]
        want, _ = attention_loops(*inputs)
        out, _ = attention(subject, *inputs)
        assert_same(out, want, f"out with {axes}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, attention_loops, "out", "weights")
