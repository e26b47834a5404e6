"""Invariants of kata 14: every correct implementation passes them."""

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
from checker.judging.domain import each

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def assert_biases(subject, rng, allowed):
    """Check the bias of many masks, where the key is allowed or where it is blocked."""
    shapes = [(2,), (1,), (Tk,), (2, 2), (4, 4), (B, 1, Tk), (1, 1), (B, H, Tq, Tk)]
    shapes += [(1, B, 1, Tq, Tk), *((size,) for size in (8, 9, 16, 17, 33, 64, 65, 129, 257))]
    masks = [frozen(rng.random(shape) < 0.5, np.float64) for shape in (*shapes, (Tk,))]
    masks += [frozen(np.ones((Tq, Tk))), frozen(np.zeros((B, Tk))), frozen([1.0, 0.0])]
    masks += [masks[2][::2], masks[3].T, masks[7][..., ::-1]]
    names = [f"bias of a mask of shape {keep.shape}" for keep in masks]
    for keep, bias, name in zip(
        masks, each(subject.bias_from_mask, [(keep,) for keep in masks], names), names, strict=True
    ):
        (bias,) = unpack(bias, "bias")
        assert_array(bias, keep.shape, np.float64, name)
        asked = keep == allowed  # the other keys are checked by another invariant
        assert_identical(
            np.where(asked, bias, 0.0), np.where(asked & (keep == 0.0), -np.inf, 0.0), name
        )


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D, scale=1.0):
    """Inputs where each query may attend to key 0 and a random set of others.

    No query may attend to the last key, unless it is the only one.
    """
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return *qkv(rng, *lead, Tq=Tq, Tk=Tk, D=D, Dv=Dv, scale=scale), frozen(keep, np.float64)


def loops(q, k, v, keep=None):
    """`out` and `weights`, computed one query at a time."""
    keep = np.broadcast_to(1.0 if keep is None else keep, (*q.shape[:-1], k.shape[-2]))
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(keep.shape)
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        allowed = keep[b][t] == 1.0
        scores = k[b][allowed] @ q[b][t] / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max())
        weights[b][t][allowed] = exp / exp.sum()
        out[b][t] = weights[b][t][allowed] @ v[b][allowed]
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
    assert_biases(subject, rngs[0], 0.0)


def test_bias_of_allowed_keys_is_zero(subject, rngs):
    """The bias is 0 for keys that may be attended to."""
    assert_biases(subject, rngs[0], 1.0)


def test_without_a_mask_every_key_counts(subject, rngs):
    """Without a mask, `out` and `weights` match a plain-loop implementation over all keys."""
    for rng in rngs:
        for lead, queries, scale in ((), 1, 1.0), ((), Tk, 10.0), ((B,), Tq, 1.0), ((H, B), 1, 3.0):
            q, k, v, _ = draw(rng, *lead, Tq=queries, scale=scale)
            want_out, want_weights = loops(q, k, v)
            out, weights = attention(subject, q, k, v)
            assert_same(weights, want_weights, "weights")
            assert_same(out, want_out, "out")
    q, k, v, _ = widely_spaced()
    _, weights = attention(subject, q, k, v)  # the last key scores far higher
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, widely spaced scores,")
    _, weights = attention(subject, q, frozen(k / 1e3 - 2e3), v)  # no score is positive
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, scores far below zero,")


def test_a_mask_that_hides_nothing_changes_nothing(subject, rngs):
    """With a mask of ones, the output is right: that of no mask."""
    for rng in rngs:
        q, k, v, _ = draw(rng, B)
        want, _ = loops(q, k, v)
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
    """With other keys and values where no query may attend, the output is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = loops(q, k, v, keep)
        for scale in 5.0, 1e4:
            other = frozen(np.where(blocked_for_all(keep), normal(rng, *k.shape, scale=scale), k))
            huge = frozen(np.where(blocked_for_all(keep), 1e300, v))
            out, _ = attention(subject, q, other, huge, keep)
            assert_same(out, want, "out")


def test_mask_broadcasts(subject, rngs):
    """With a `keep` to be broadcast (an axis missing or of size one), `out` is right."""
    sizes = [((Tq,), Tq, Tk), ((Tk,), Tk, Tk), ((B, Tq), Tq, Tk)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        q, k, v, keep = draw(rng, *lead, Tq=queries, Tk=keys)
        first = keep[(0,) * len(lead)]  # (Tq, Tk)
        for part in first[0], first, keep[..., :1, :]:
            want, _ = loops(q, k, v, part)
            out, _ = attention(subject, q, k, v, part)
            assert_same(out, want, f"out with a mask of shape {part.shape}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, with every kind of mask."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
