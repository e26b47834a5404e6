"""Invariants of kata 11: every correct implementation passes them."""

import numpy as np

from checker.judging import (
    Broken,
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


def draw(rng, *axes, queries=Tq, keys=Tk, D=D, scale=1.0):
    """Inputs in which each query may attend to key 0 and a random set of others."""
    keep = rng.random((*axes, queries, keys)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return *qkv(rng, *axes, Tq=queries, Tk=keys, D=D, Dv=Dv, scale=scale), frozen(keep)


def emptied(keep, *queries):
    """The mask with these queries of the last item fully blocked; all of them if none is given."""
    keep = keep.copy()
    item = keep[(-1,) * (keep.ndim - 2)]
    item[list(queries) or slice(None)] = False
    return frozen(keep)


def with_number(array, index, value):
    """The array with this one number replaced."""
    array = array.copy()
    array[index] = value
    return frozen(array)


def assert_shows(got, want, broken, name):
    """Check that no number of `got` is finite where `broken`, and that the others are as wanted."""
    assert_array(got, want.shape, np.float64, name)
    broken = np.broadcast_to(broken, want.shape)
    for place in np.argwhere(broken & np.isfinite(got))[:1]:
        shown = f"got {got[tuple(place)]:.6g}, want nan or infinity"
        raise Broken(f"{name} at {place.tolist()} {shown}")
    assert_same(np.where(broken, 0.0, got), np.where(broken, 0.0, want), name)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    one = draw(rngs[0], 1)
    for *inputs, keep in (
        [part[0] for part in one],
        one,
        draw(rngs[0], B, H),
        draw(rngs[0], H, 1, B),
    ):
        lead = keep.shape[:-2]
        out, weights = attention(subject, *inputs, emptied(keep, 0))
        assert_array(out, (*lead, Tq, Dv), np.float64, "out")
        assert_array(weights, (*lead, Tq, Tk), np.float64, "weights")


def test_rows_with_a_key_sum_to_one(subject, rngs):
    """The weights of every query with at least one allowed key sum to one."""
    for rng, scale in zip(rngs, (1.0, 300.0), strict=True):
        *inputs, keep = draw(rng, B, scale=scale)
        _, weights = attention(subject, *inputs, emptied(keep, 1))
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        rows = weights[emptied(keep, 1).any(axis=-1)]
        assert_same(rows.sum(axis=-1), np.ones(len(rows)), "sum of weights")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """Blocked keys have a weight of exactly zero, even if all keys are blocked."""
    *inputs, keep = draw(rngs[0], B)
    for mask in emptied(keep, 0, 2), emptied(keep):
        _, weights = attention(subject, *inputs, mask)
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        assert_identical(np.where(mask, 0.0, weights), np.zeros((B, Tq, Tk)), "blocked weights")


def test_no_allowed_key_gives_zeros(subject, rngs):
    """The output of a query with no allowed key is zeros, alone or next to other queries."""
    for axes, queries, keys in [((), 1, 1), ((B, H), Tq, Tk), ((B,), Tk, Tk)]:
        q, k, v, keep = draw(rngs[0], *axes, queries=queries, keys=keys)
        last, none = (-1,) * len(axes), emptied(keep)
        bombs = v.copy()
        bombs[last] = 1e300  # no query may attend to these
        out, _ = attention(subject, q, k, frozen(bombs), none)
        assert_array(out, (*axes, queries, Dv), np.float64, "out")
        assert_identical(out[last], np.zeros((queries, Dv)), "out with every key blocked")
        out, _ = attention(subject, q, k, v, emptied(keep, 0))
        assert_array(out, (*axes, queries, Dv), np.float64, "out")
        assert_identical(out[last][:1], np.zeros((1, Dv)), "out next to other queries")


def test_blocked_numbers_change_nothing(subject, rngs):
    """With other keys and values where no query may attend, the output is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        blocked = ~keep.any(axis=-2)[..., None]
        want, _ = attention_loops(q, k, v, keep)
        out, _ = attention(subject, q, k, frozen(np.where(blocked, 1e300, v)), keep)
        assert_same(out, want, "out, with other values,")
        far = np.where(blocked, normal(rng, *k.shape, scale=1e3), k)
        out, _ = attention(subject, q, frozen(far), v, keep)
        assert_same(out, want, "out, with other keys,")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring allowed key."""
    highest = np.array([0, 1, 3])  # allowed key of each query: the last one
    keep = frozen(np.arange(Tk) <= highest[:, None])
    for scores in [-1e6, -500.0, -400.0, 1e3, 1e6], [-1e6, -9e5, -8e5, -7e5, 0.0]:
        q, k = frozen(np.full((Tq, D), 2.0)), frozen(np.outer(scores, np.full(D, 1 / D)))
        v = normal(rngs[0], Tk, Dv)
        out, weights = attention(subject, q, k, v, keep)
        assert_same(weights, np.eye(Tk)[highest], f"weights for scores of {listed(scores)}")
        assert_same(out, v[highest], f"out for scores of {listed(scores)}")


def test_nan_and_infinity_show(subject, rngs):
    """A nan or infinity in a query, or a key or value it attends to, shows; all else is right."""
    for rng, value in zip(rngs, (np.nan, np.inf), strict=True):
        q, k, v, keep = draw(rng, B)
        q, k, keep = frozen(np.abs(q)), frozen(np.abs(k)), emptied(keep, 1, 2)  # no score is -inf
        want, want_weights = attention_loops(q, k, v, keep)
        want_sums = want_weights.sum(axis=-1)
        first = np.arange(B)[:, None, None] == 0  # every query of the first item attends to key 0
        query_1 = first & (np.arange(Tq)[:, None] == 1)
        for given, changed, broken in (
            ("q[0, 1, 2]", (with_number(q, (0, 1, 2), value), k, v), query_1),
            ("k[0, 0, 3]", (q, with_number(k, (0, 0, 3), value), v), first),
        ):
            out, weights = attention(subject, *changed, keep)
            assert_shows(out, want, broken, f"out, with {given} = {value},")
            assert_array(weights, (B, Tq, Tk), np.float64, "weights")
            name = f"sum of weights, with {given} = {value},"
            assert_shows(weights.sum(axis=-1), want_sums, broken[..., 0], name)
        out, _ = attention(subject, q, k, with_number(v, (0, 0, 4), value), keep)
        column = first & (np.arange(Dv) == 4)
        assert_shows(out, want, column, f"out, with v[0, 0, 4] = {value},")
        far = frozen([[[1.0]]]), frozen([[[0.0], [-1e3]]]), frozen([[[1.0], [value]]])
        out, _ = attention(subject, *far, frozen([[True, True]], bool))  # weight underflows
        name = f"out for scores of 0, -1000 and values 1, {value}"
        assert_shows(out, np.ones((1, 1, 1)), True, name)


def test_mask_broadcasts(subject, rngs):
    """With a `keep` to be broadcast (an axis missing or of size one), the result is right."""
    q, k, v, keep = draw(rngs[0], B)
    for place in np.s_[:, :, :1], np.s_[:, 1:2], np.s_[-1], np.s_[-1, 1]:
        part = emptied(keep, 1)[place]
        want_out, want_weights = attention_loops(q, k, v, part)
        out, weights = attention(subject, q, k, v, frozen(part))
        assert_same(weights, want_weights, f"weights for keep {part.shape}, k {k.shape}")
        assert_same(out, want_out, f"out for keep {part.shape}, k {k.shape}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, with or without allowed keys."""
    domain.assert_agrees(subject, seed, attention_loops, "out", "weights")
