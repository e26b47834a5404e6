"""What must hold of kata 15, however it is written."""

from itertools import cycle

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


def bias_from_mask(subject, keep):
    (bias,) = unpack(subject.bias_from_mask(keep), "bias")
    return bias


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def masks(rng):
    """Masks of all kinds of shapes: some hide much, some nothing, some everything."""
    yield frozen([1.0, 0.0])
    for shape in (Tk,), (B, 1, Tk), (B, H, Tq, Tk), (1, 1):
        yield frozen(rng.random(shape) < 0.5, np.float64)
    yield frozen(np.ones((Tq, Tk)))
    yield frozen(np.zeros((B, Tk)))


def bias_of(keep):
    """The name of the bias of this mask, with the mask where it is short."""
    return f"bias of {keep.tolist()}" if keep.ndim == 1 else f"bias of a mask of shape {keep.shape}"


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D, scale=1.0):
    """Inputs in which query t may read key 0 and some others, a different set for each.

    No query may read the last key, unless it is the only one.
    """
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    q, k = normal(rng, *lead, Tq, D, scale=scale), normal(rng, *lead, Tk, D, scale=scale)
    return q, k, normal(rng, *lead, Tk, Dv), frozen(keep, np.float64)


def loops(q, k, v, keep):
    """`out` and `weights`, one query and one key after another."""
    *lead, keys, _ = k.shape
    keep = np.broadcast_to(keep, (*lead, q.shape[-2], keys))
    out, weights = np.zeros((*q.shape[:-1], Dv)), np.zeros(keep.shape)
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        read = [s for s in range(keys) if keep[b][t, s] == 1.0]
        scores = [q[b][t] @ k[b][s] / np.sqrt(q.shape[-1]) for s in read]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s, part in zip(read, exp, strict=True):
            weights[b][t, s] = part / sum(exp)
            out[b][t] += weights[b][t, s] * v[b][s]
    return out, weights


def far_apart():
    """Inputs in which query t may read key t alone, and others score up to two million more."""
    scores = np.array([-1e6, -999_000, -500_000, 0, 1e6])
    keep = frozen(np.eye(Tq, Tk))
    return frozen(np.ones((Tq, 1))), frozen(scores[:, None]), frozen(np.ones((Tk, Dv))), keep


def unread(keep):
    """True at the keys that no query may read, beside an axis for the numbers in them."""
    return (keep == 0.0).all(axis=-2)[..., None]


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and the dtype of the contract."""
    sizes = [((B,), Tq, Tk), ((), Tq, Tk), ((B, H), 1, Tk), ((B,), Tq, 1)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        out, weights = attention(subject, *draw(rng, *lead, Tq=queries, Tk=keys))
        assert_array(out, (*lead, queries, Dv), np.float64, "out")
        assert_array(weights, (*lead, queries, keys), np.float64, "weights")


def test_bias_blocks(subject, rngs):
    """The bias has the shape of the mask, and is -inf where a key may not be read."""
    for rng in rngs:
        for keep in masks(rng):
            bias = bias_from_mask(subject, keep)
            assert_array(bias, keep.shape, np.float64, "bias")
            blocked = np.where(keep, -np.inf, bias)  # what may be read is another promise
            assert_identical(blocked, np.full(keep.shape, -np.inf), bias_of(keep))


def test_bias_leaves_the_others_alone(subject, rngs):
    """The bias is 0 at every key that may be read."""
    for rng in rngs:
        for keep in masks(rng):
            bias = bias_from_mask(subject, keep)
            assert_array(bias, keep.shape, np.float64, "bias")
            readable = np.where(keep, bias, 0.0)
            assert_identical(readable, np.zeros(keep.shape), bias_of(keep))


def test_without_a_mask_every_key_is_read(subject, rngs):
    """Without a mask `out` and `weights` are those of plain loops over all keys."""
    for rng in rngs:
        for lead, queries, scale in ((), 1, 1.0), ((), Tk, 10.0), ((B,), Tq, 1.0), ((H, B), 1, 3.0):
            q, k, v, keep = draw(rng, *lead, Tq=queries, scale=scale)
            want_out, want_weights = loops(q, k, v, np.ones_like(keep))
            out, weights = attention(subject, q, k, v)
            assert_same(weights, want_weights, "weights")
            assert_same(out, want_out, "out")
    q, k, v, _ = far_apart()
    _, weights = attention(subject, q, k, v)  # the last key lies far above
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, scores far apart,")
    _, weights = attention(subject, q, frozen(k / 1e3 - 2e3), v)  # none is above zero
    assert_same(weights, np.eye(Tk)[[-1] * Tq], "weights, scores far below zero,")


def test_a_mask_that_hides_nothing_changes_nothing(subject, rngs):
    """A mask of ones leaves every answer as it is without a mask."""
    for rng in rngs:
        q, k, v, _ = draw(rng, B)
        want, _ = attention(subject, q, k, v)
        assert_array(want, (B, Tq, Dv), np.float64, "out")
        out, _ = attention(subject, q, k, v, frozen(np.ones((Tq, Tk))))
        assert_same(out, want, "out")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """A key that a query may not read has a weight of exactly zero, and the others sum to one."""
    for rng in rngs:
        wide, apart = draw(rng, B, scale=30.0), ", scores far apart,"
        for (*inputs, keep), scores in (draw(rng, B), ""), (wide, ""), (far_apart(), apart):
            _, weights = attention(subject, *inputs, keep)
            assert_array(weights, keep.shape, np.float64, "weights")
            blocked = np.where(keep, 0.0, weights)
            assert_identical(blocked, np.zeros(keep.shape), f"weights of blocked keys{scores}")
            assert_same(weights.sum(axis=-1), np.ones(keep.shape[:-1]), f"sum of weights{scores}")


def test_blocked_numbers_change_nothing(subject, rngs):
    """Other numbers in a key that no query may read, and huge ones in its value, change nothing."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = loops(q, k, v, keep)
        for scale in 5.0, 1e4:
            other = frozen(np.where(unread(keep), normal(rng, *k.shape, scale=scale), k))
            bomb = frozen(np.where(unread(keep), 1e300, v))
            out, _ = attention(subject, q, other, bomb, keep)
            assert_same(out, want, "out")


def test_mask_broadcasts(subject, rngs):
    """`keep` may leave out an axis, or have size one there: it then holds for all of it."""
    sizes = [((Tq,), Tq, Tk), ((Tk,), Tk, Tk), ((B, Tq), Tq, Tk)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        q, k, v, keep = draw(rng, *lead, Tq=queries, Tk=keys)
        first = keep[(0,) * len(lead)]  # (Tq, Tk)
        for part in first[0], first, keep[..., :1, :]:
            want, _ = loops(q, k, v, part)
            out, _ = attention(subject, q, k, v, part)
            assert_same(out, want, f"out under a mask of shape {part.shape}")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are those that plain loops give, under every kind of mask."""
    sizes = [((), 1, D, 1.0), ((), Tk, H, 1.0), ((B,), Tq, D, 1.0), ((H, B), 1, D, 9)]
    for rng in rngs:
        for lead, queries, size, scale in sizes:
            q, k, v, keep = draw(rng, *lead, Tq=queries, D=size, scale=scale)
            causal = frozen(np.tri(queries, Tk))
            for mask, kind in (keep, "a random mask"), (causal, "a causal mask"):
                want_out, want_weights = loops(q, k, v, mask)
                out, weights = attention(subject, q, k, v, mask)
                under = f"under {kind} of shape {mask.shape}"
                assert_same(weights, want_weights, f"weights {under}")
                assert_same(out, want_out, f"out {under}")
