"""What must hold of kata 13, however it is written."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6


def attention(subject, *inputs):
    (out,) = unpack(subject.scaled_dot_product_attention(*inputs), "out")
    return out


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D):
    """Queries, keys and values; scores are of order one."""
    return normal(rng, *lead, Tq, D), normal(rng, *lead, Tk, D), normal(rng, *lead, Tk, Dv)


def keys_to_keep(rng, *lead, Tq=Tq, Tk=Tk):
    """Each query may read key 0 and some others; none may read the last, unless it is the only."""
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return frozen(keep)


def biases(rng, *lead, Tq=Tq, Tk=Tk):
    """Float masks: some numbers, half of them above zero, and -inf for some keys."""
    keep = keys_to_keep(rng, *lead, Tq=Tq, Tk=Tk)
    return frozen(np.where(keep, normal(rng, *lead, Tq, Tk, scale=2.0), -np.inf))


def under(mask):
    """The name of what comes out under this mask, with its kind and its shape."""
    return f"out under a {mask.dtype} mask of shape {mask.shape}"


def loops(q, k, v, attn_mask):
    """`out`, one query and one key after another."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    whole = np.broadcast_to(attn_mask, (*q.shape[:-1], k.shape[-2]))
    for *item, t in np.ndindex(q.shape[:-1]):
        b, row = tuple(item), whole[(*item, t)]
        read = [s for s in range(len(row)) if (row[s] if row.dtype == bool else row[s] > -np.inf)]
        added = [0.0 if row.dtype == bool else row[s] for s in read]
        scores = [q[b][t] @ k[b][s] / np.sqrt(q.shape[-1]) for s in read] + np.array(added)
        exp = np.exp(scores - max(scores))
        out[(*b, t)] = sum(share * v[b][s] for share, s in zip(exp, read, strict=True)) / sum(exp)
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and the dtype of the contract, whichever kind the mask is."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), 1, Tk), ((B,), Tq, 1)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        mask = np.zeros(keys) if len(lead) == 1 else np.ones(keys, bool)
        out = attention(subject, *draw(rng, *lead, Tq=queries, Tk=keys), frozen(mask))
        assert_array(out, (*lead, queries, Dv), np.float64, "out")


def test_mask_that_does_nothing(subject, rngs):
    """A mask of True only, one of 0.0 only, and one number for all leave every key as it was."""
    inputs = draw(rngs[0], B, D=9)
    want = loops(*inputs, np.ones(Tk, bool))
    for every in True, 0.0, 3.0:
        mask = np.full((Tq, Tk), every)
        assert_same(attention(subject, *inputs, frozen(mask)), want, f"out, {every} for all keys,")


def test_float_mask_is_added(subject, rngs):
    """The numbers of a float mask are added to the scores, ones and zeros too."""
    for rng in rngs:
        inputs = draw(rng, B)
        ones = frozen(keys_to_keep(rng, B), float)  # 1.0 and 0.0
        masks = (normal(rng, B, Tq, Tk, scale=3.0), "any numbers"), (ones, "ones and zeros")
        for mask, name in (*masks, (biases(rng, B), "numbers and -inf")):
            out = attention(subject, *inputs, mask)
            assert_same(out, loops(*inputs, mask), f"out under a mask of {name}")


def test_both_kinds_agree(subject, rngs):
    """A mask of True and False gives what the same mask of 0.0 and -inf gives."""
    for rng in rngs:
        inputs = draw(rng, B)
        keep = keys_to_keep(rng, B)
        want = attention(subject, *inputs, frozen(np.where(keep, 0.0, -np.inf)))
        assert_same(want, loops(*inputs, keep), "out under 0.0 and -inf")
        assert_same(attention(subject, *inputs, keep), want, "out under True and False")


def test_hidden_values_change_nothing(subject, rngs):
    """Huge numbers in a value that a mask of either kind hides leave every answer as it was."""
    for rng in rngs:
        q, k, v = draw(rng, B)
        for mask in keys_to_keep(rng, B), biases(rng, B):
            hidden = ~mask if mask.dtype == bool else np.isneginf(mask)
            huge = np.where(hidden.all(axis=-2)[..., None], 1e300, v)
            want = attention(subject, q, k, v, mask)
            assert_identical(attention(subject, q, k, frozen(huge), mask), want, under(mask))


def test_hidden_keys_change_nothing(subject, rngs):
    """Other numbers in a key that a mask of bool hides leave every answer as it was."""
    for rng in rngs:
        q, k, v = draw(rng, B)
        mask = keys_to_keep(rng, B)
        hidden = ~mask.any(axis=-2)[..., None]
        other = frozen(np.where(hidden, normal(rng, *k.shape, scale=100.0), k))
        assert_same(attention(subject, q, other, v, mask), loops(q, k, v, mask), "out")


def test_highest_readable_key_is_the_answer(subject, rngs):
    """Where scores lie far apart, a query gets the value of the highest key that it may read."""
    keep = np.array([[1, 0, 1, 1, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 1]], bool)
    highest = [3, 2, 4]  # of the keys that each query may read; key 1 lies far above them
    scores = np.array([-9e5, 1e6, -1e6, 5e3, 900.0])
    q, k = frozen(np.ones((Tq, 1))), frozen(scores[:, None])
    v = normal(rngs[0], Tk, Dv)
    for mask in keep, np.where(keep, 0.0, -np.inf):
        assert_same(attention(subject, q, k, v, frozen(mask)), v[highest], under(mask))
    apart = [0, 1e6, -1e6, 998e3, -np.inf], [-9e5, -1e6, -np.inf, -1e6, -1e6], [0, 0, 0, 0, 1e3]
    out = attention(subject, *draw(rngs[0])[:2], v, frozen(apart))
    assert_same(out, v[[1, 0, 4]], "out under a mask of numbers far apart")


def test_mask_broadcasts(subject, rngs):
    """A mask may leave out an axis, or have size one there: it then holds for all of it."""
    for rng, lead in zip(cycle(rngs), [(B,), (Tq,)], strict=False):
        inputs, keep = draw(rng, *lead), keys_to_keep(rng, *lead)
        for mask in keep[0, 0], keep[0], keep[:, :1], biases(rng, *lead)[0]:
            out = attention(subject, *inputs, frozen(mask))
            assert_same(out, loops(*inputs, mask), under(mask))


def test_agrees_with_plain_loops(subject, rngs):
    """`out` is what plain loops give, for masks of either kind."""
    sizes = [((), 1, 2, 1), ((), Tk, Tk, 1), ((B,), Tq, Tk, D), ((B, H), Tq, Tk, 6)]
    for rng, (lead, queries, keys, size) in zip(cycle(rngs), sizes, strict=False):
        inputs = draw(rng, *lead, Tq=queries, Tk=keys, D=size)
        keep = keys_to_keep(rng, *lead, Tq=queries, Tk=keys)
        bias = biases(rng, *lead, Tq=queries, Tk=keys)
        for mask in bias, keep:
            assert_same(attention(subject, *inputs, mask), loops(*inputs, mask), under(mask))
