"""The invariants of kata 15: every correct version passes them."""

from itertools import cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_identical,
    assert_same,
    frozen,
    normal,
    qkv,
    unpack,
)

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6


def bias_from_mask(subject, keep):
    (bias,) = unpack(subject.bias_from_mask(keep), "bias")
    return bias


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def masks(rng):
    """Masks of many shapes: some hide a few keys, some none, some all."""
    yield frozen([1.0, 0.0])
    for shape in (Tk,), (B, 1, Tk), (B, H, Tq, Tk), (1, 1):
        yield frozen(rng.random(shape) < 0.5, np.float64)
    yield frozen(np.ones((Tq, Tk)))
    yield frozen(np.zeros((B, Tk)))


def bias_of(keep):
    """The name of the bias in messages: the whole mask if it is short, else its shape."""
    return f"bias of {keep.tolist()}" if keep.ndim == 1 else f"bias of a mask of shape {keep.shape}"


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D, scale=1.0):
    """Inputs where each query may attend to key 0 and a random set of others.

    No query may attend to the last key, unless it is the only one.
    """
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return *qkv(rng, *lead, Tq=Tq, Tk=Tk, D=D, Dv=Dv, scale=scale), frozen(keep, np.float64)


def loops(q, k, v, keep):
    """`out` and `weights`, computed one query and one key at a time."""
    *lead, keys, _ = k.shape
    keep = np.broadcast_to(keep, (*lead, q.shape[-2], keys))
    out, weights = np.zeros((*q.shape[:-1], Dv)), np.zeros(keep.shape)
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        allowed = [s for s in range(keys) if keep[b][t, s] == 1.0]
        scores = [q[b][t] @ k[b][s] / np.sqrt(q.shape[-1]) for s in allowed]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s, e in zip(allowed, exp, strict=True):
            weights[b][t, s] = e / sum(exp)
            out[b][t] += weights[b][t, s] * v[b][s]
    return out, weights


def widely_spaced():
    """Inputs where query t may only attend to key t; others score up to two million higher."""
    scores = np.array([-1e6, -999_000, -500_000, 0, 1e6])
    keep = frozen(np.eye(Tq, Tk))
    return frozen(np.ones((Tq, 1))), frozen(scores[:, None]), frozen(np.ones((Tk, Dv))), keep


def blocked_for_all(keep):
    """True for the keys that no query may attend to; ends in an axis of size one."""
    return (keep == 0.0).all(axis=-2)[..., None]


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    sizes = [((B,), Tq, Tk), ((), Tq, Tk), ((B, H), 1, Tk), ((B,), Tq, 1)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        out, weights = attention(subject, *draw(rng, *lead, Tq=queries, Tk=keys))
        assert_array(out, (*lead, queries, Dv), np.float64, "out")
        assert_array(weights, (*lead, queries, keys), np.float64, "weights")


def test_bias_blocks(subject, rngs):
    """The bias has the shape of the mask and is -inf for blocked keys."""
    for rng in rngs:
        for keep in masks(rng):
            bias = bias_from_mask(subject, keep)
            assert_array(bias, keep.shape, np.float64, "bias")
            blocked = np.where(keep, -np.inf, bias)  # allowed keys are checked elsewhere
            assert_identical(blocked, np.full(keep.shape, -np.inf), bias_of(keep))


def test_bias_of_allowed_keys_is_zero(subject, rngs):
    """The bias is 0 for keys that may be attended to."""
    for rng in rngs:
        for keep in masks(rng):
            bias = bias_from_mask(subject, keep)
            assert_array(bias, keep.shape, np.float64, "bias")
            allowed = np.where(keep, bias, 0.0)
            assert_identical(allowed, np.zeros(keep.shape), bias_of(keep))


def test_without_a_mask_every_key_counts(subject, rngs):
    """Without a mask, `out` and `weights` match a plain-loop implementation over all keys."""
    for rng in rngs:
        for lead, queries, scale in ((), 1, 1.0), ((), Tk, 10.0), ((B,), Tq, 1.0), ((H, B), 1, 3.0):
            q, k, v, keep = draw(rng, *lead, Tq=queries, scale=scale)
            want_out, want_weights = loops(q, k, v, np.ones_like(keep))
            out, weights = attention(subject, q, k, v)
            assert_same(weights, want_weights, "weights")
            assert_same(out, want_out, "out")
    q, k, v, _ = widely_spaced()
    _, weights = attention(subject, q, k, v)  # the last key scores far higher
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, widely spaced scores,")
    _, weights = attention(subject, q, frozen(k / 1e3 - 2e3), v)  # no score is positive
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, scores far below zero,")


def test_a_mask_that_hides_nothing_changes_nothing(subject, rngs):
    """A mask of ones gives the same output as no mask."""
    for rng in rngs:
        q, k, v, _ = draw(rng, B)
        want, _ = attention(subject, q, k, v)
        assert_array(want, (B, Tq, Dv), np.float64, "out")
        out, _ = attention(subject, q, k, v, frozen(np.ones((Tq, Tk))))
        assert_same(out, want, "out")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """Blocked keys have a weight of exactly zero, and each row of the weights sums to one."""
    for rng in rngs:
        wide, spaced = draw(rng, B, scale=30.0), ", widely spaced scores,"
        for (*inputs, keep), scores in (draw(rng, B), ""), (wide, ""), (widely_spaced(), spaced):
            _, weights = attention(subject, *inputs, keep)
            assert_array(weights, keep.shape, np.float64, "weights")
            blocked = np.where(keep, 0.0, weights)
            assert_identical(blocked, np.zeros(keep.shape), f"weights of blocked keys{scores}")
            assert_same(weights.sum(axis=-1), np.ones(keep.shape[:-1]), f"sum of weights{scores}")


def test_blocked_numbers_change_nothing(subject, rngs):
    """Changing keys and values that no query may attend to does not change the output."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = loops(q, k, v, keep)
        for scale in 5.0, 1e4:
            other = frozen(np.where(blocked_for_all(keep), normal(rng, *k.shape, scale=scale), k))
            huge = frozen(np.where(blocked_for_all(keep), 1e300, v))
            out, _ = attention(subject, q, other, huge, keep)
            assert_same(out, want, "out")


def test_mask_broadcasts(subject, rngs):
    """`keep` broadcasts: a missing axis or an axis of size one applies to all."""
    sizes = [((Tq,), Tq, Tk), ((Tk,), Tk, Tk), ((B, Tq), Tq, Tk)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        q, k, v, keep = draw(rng, *lead, Tq=queries, Tk=keys)
        first = keep[(0,) * len(lead)]  # (Tq, Tk)
        for part in first[0], first, keep[..., :1, :]:
            want, _ = loops(q, k, v, part)
            out, _ = attention(subject, q, k, v, part)
            assert_same(out, want, f"out with a mask of shape {part.shape}")


def test_matches_plain_loops(subject, rngs):
    """`out` and `weights` match a plain-loop implementation, with every kind of mask."""
    sizes = [((), 1, D, 1.0), ((), Tk, H, 1.0), ((B,), Tq, D, 1.0), ((H, B), 1, D, 9)]
    for rng in rngs:
        for lead, queries, size, scale in sizes:
            q, k, v, keep = draw(rng, *lead, Tq=queries, D=size, scale=scale)
            causal = frozen(np.tri(queries, Tk))
            for mask, kind in (keep, "a random mask"), (causal, "a causal mask"):
                want_out, want_weights = loops(q, k, v, mask)
                out, weights = attention(subject, q, k, v, mask)
                using = f"with {kind} of shape {mask.shape}"
                assert_same(weights, want_weights, f"weights {using}")
                assert_same(out, want_out, f"out {using}")
