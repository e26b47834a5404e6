"""What must hold of kata 11, however it is written."""

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


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *axes, queries=Tq, keys=Tk, D=D, scale=1.0):
    """Inputs in which query t may read key 0 and some others, a different set for each."""
    keep = rng.random((*axes, queries, keys)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    q, k = normal(rng, *axes, queries, D, scale=scale), normal(rng, *axes, keys, D, scale=scale)
    return q, k, normal(rng, *axes, keys, Dv), frozen(keep)


def emptied(keep, *queries):
    """The same mask, but these queries of the last item read nothing; or all, if none is named."""
    keep = keep.copy()
    item = keep[(-1,) * (keep.ndim - 2)]
    item[list(queries) or slice(None)] = False
    return frozen(keep)


def spoilt(array, place, value):
    """The same numbers, but for this one."""
    array = array.copy()
    array[place] = value
    return frozen(array)


def loops(q, k, v, keep):
    """`out` and `weights`, one query and one key after another."""
    out, weights = np.zeros((*q.shape[:-1], Dv)), np.zeros(keep.shape)
    for *item, t in np.ndindex(q.shape[:-1]):
        b = tuple(item)
        read = np.flatnonzero(keep[b][t])
        scores = [q[b][t] @ k[b][s] / np.sqrt(q.shape[-1]) for s in read]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s, part in zip(read, exp, strict=True):
            weights[b][t, s] = part / sum(exp)
            out[b][t] += part / sum(exp) * v[b][s]
    return out, weights


def assert_nan(got, want, name, given):
    """Hold that `got` is no number where `want` is true, and a number elsewhere."""
    assert_identical(np.isnan(got), want, f"isnan({name}) {given}")


def listed(numbers):
    """Numbers as they stand in a message."""
    return ", ".join(f"{number:g}" for number in numbers)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and the dtype of the contract."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), Tq, Tk), ((B,), 1, Tk), ((B,), Tq, 1)]
    for rng, (axes, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        *inputs, keep = draw(rng, *axes, queries=queries, keys=keys)
        out, weights = attention(subject, *inputs, emptied(keep, 0))
        assert_array(out, (*axes, queries, Dv), np.float64, "out")
        assert_array(weights, (*axes, queries, keys), np.float64, "weights")


def test_rows_with_a_key_sum_to_one(subject, rngs):
    """The weights of a query that may read a key sum to one, whatever others may read."""
    for rng, scale in zip(cycle(rngs), (1.0, 300.0), strict=False):
        *inputs, keep = draw(rng, B, scale=scale)
        _, weights = attention(subject, *inputs, emptied(keep, 1))
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        rows = weights[emptied(keep, 1).any(axis=-1)]
        assert_same(rows.sum(axis=-1), np.ones(len(rows)), "sum of weights")


def test_blocked_keys_weigh_nothing(subject, rngs):
    """A key that a query may not read has a weight of exactly zero, though it be all of them."""
    for rng in rngs:
        *inputs, keep = draw(rng, B)
        for mask in emptied(keep, 0, 2), emptied(keep):
            _, weights = attention(subject, *inputs, mask)
            assert_array(weights, (B, Tq, Tk), np.float64, "weights")
            assert_identical(np.where(mask, 0.0, weights), np.zeros((B, Tq, Tk)), "blocked weights")


def test_nothing_to_read_gives_zeros(subject, rngs):
    """The answer of a query that may read nothing is zeros, beside others or alone."""
    sizes = [((), 1, 1), ((B, H), Tq, Tk), ((B,), Tk, Tk)]
    for rng, (axes, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        q, k, v, keep = draw(rng, *axes, queries=queries, keys=keys)
        last, none = (-1,) * len(axes), emptied(keep)
        bombs = v.copy()
        bombs[last] = 1e300  # which nobody may read
        out, _ = attention(subject, q, k, frozen(bombs), none)
        assert_array(out, (*axes, queries, Dv), np.float64, "out")
        assert_identical(out[last], np.zeros((queries, Dv)), "out where none may read")
        out, _ = attention(subject, q, k, v, emptied(keep, 0))
        assert_identical(out[last][:1], np.zeros((1, Dv)), "out where others may read")


def test_blocked_numbers_change_nothing(subject, rngs):
    """Other numbers in a key or a value that no query may read leave every answer as it was."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        unread = ~keep.any(axis=-2)[..., None]
        want, _ = attention(subject, q, k, v, keep)
        out, _ = attention(subject, q, k, frozen(np.where(unread, 1e300, v)), keep)
        assert_identical(out, want, "out, with other values,")
        far = np.where(unread, normal(rng, *k.shape, scale=1e3), k)
        out, _ = attention(subject, q, frozen(far), v, keep)
        assert_same(out, want, "out, with other keys,")


def test_highest_readable_key_is_the_answer(subject, rngs):
    """Where scores lie far apart, a query gets the value of the highest key that it may read."""
    highest = np.array([0, 1, 3])  # of the keys that each query may read
    keep = frozen(np.arange(Tk) <= highest[:, None])
    for scores in [-1e6, -500.0, -400.0, 1e3, 1e6], [-1e6, -9e5, -8e5, -7e5, 0.0]:
        q, k = frozen(np.full((Tq, D), 2.0)), frozen(np.outer(scores, np.full(D, 1 / D)))
        v = normal(rngs[0], Tk, Dv)
        out, weights = attention(subject, q, k, v, keep)
        assert_same(weights, np.eye(Tk)[highest], f"weights for scores of {listed(scores)}")
        assert_same(out, v[highest], f"out for scores of {listed(scores)}")


def test_what_is_broken_shows(subject, rngs):
    """A nan or an infinity that came in shows in the answer of every query that reads it."""
    for rng, value in zip(cycle(rngs), (np.nan, np.inf), strict=False):
        q, k, v, keep = draw(rng, B)
        keep, k = emptied(keep, 1, 2), frozen(np.abs(k))  # positive: inf times it is inf
        out, weights = attention(subject, spoilt(q, (0, 1, 2), value), k, v, keep)
        name = f"with q[0, 1, 2] = {value},"
        broken = np.repeat([[False], [True], [False]], Dv, axis=-1)
        assert_nan(out[0], broken, "out[0]", name)
        assert_nan(weights[0].sum(axis=-1), broken[:, 0], "sum of weights[0]", name)
        q = frozen(np.abs(q))
        out, weights = attention(subject, q, spoilt(k, (0, 0, 3), value), v, keep)
        name = f"with k[0, 0, 3] = {value},"
        assert_nan(out[0], np.ones((Tq, Dv), dtype=bool), "out[0]", name)
        assert_nan(weights[0].sum(axis=-1), np.ones(Tq, dtype=bool), "sum of weights[0]", name)
        out, _ = attention(subject, q, k, spoilt(v, (0, 0, 4), value), keep)
        name = f"isfinite(out[0]) with v[0, 0, 4] = {value},"
        assert_identical(np.isfinite(out[0]), np.tile(np.arange(Dv) != 4, (Tq, 1)), name)
        far = frozen([[[1.0]]]), frozen([[[0.0], [-1e3]]]), frozen([[[1.0], [value]]])
        out, _ = attention(subject, *far, frozen([[True, True]], bool))  # of a weight that vanishes
        name = f"isfinite(out) for scores of 0, -1000 and values 1, {value}"
        assert_identical(np.isfinite(out), np.zeros((1, 1, 1), dtype=bool), name)


def test_mask_broadcasts(subject, rngs):
    """`keep` may leave out an axis, or have size one there: it then holds for all of it."""
    places = [np.s_[:, :, :1], np.s_[:, 1:2], np.s_[-1], np.s_[-1, 1]]
    for rng, place in zip(cycle(rngs), places, strict=False):
        q, k, v, keep = draw(rng, B)
        part = emptied(keep, 1)[place]
        want_out, want_weights = loops(q, k, v, np.broadcast_to(part, keep.shape))
        out, weights = attention(subject, q, k, v, frozen(part))
        assert_same(weights, want_weights, f"weights for keep {part.shape}, k {k.shape}")
        assert_same(out, want_out, f"out for keep {part.shape}, k {k.shape}")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are those that plain loops give, with rows to read and without."""
    sizes = [((B,), Tq, Tk, D), ((B, H), Tq, Tk, H), ((), Tk, Tk, D), ((B,), 1, Tk, D)]
    for rng, (axes, queries, keys, size) in zip(cycle(rngs), sizes, strict=False):
        *inputs, keep = draw(rng, *axes, queries=queries, keys=keys, D=size)
        mask = emptied(keep, queries - 1)
        want_out, want_weights = loops(*inputs, mask)
        out, weights = attention(subject, *inputs, mask)
        assert_same(weights, want_weights, f"weights for keep {mask.shape}")
        assert_same(out, want_out, f"out for keep {mask.shape}")
