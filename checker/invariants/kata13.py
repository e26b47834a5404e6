"""Invariants of kata 13: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_same,
    frozen,
    normal,
    qkv,
    unpack,
)

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6


def attention(subject, *inputs):
    (out,) = unpack(subject.scaled_dot_product_attention(*inputs), "out")
    return out


def draw(rng, *lead, Tq=Tq, Tk=Tk, D=D):
    """Queries, keys and values; scores are of order one."""
    return qkv(rng, *lead, Tq=Tq, Tk=Tk, D=D, Dv=Dv)


def keys_to_keep(rng, *lead, Tq=Tq, Tk=Tk):
    """Allow key 0 and some others for each query, never the last key unless it is the only one."""
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    return frozen(keep)


def biases(rng, *lead, Tq=Tq, Tk=Tk):
    """Float masks: numbers, half of them positive, and -inf for some keys."""
    keep = keys_to_keep(rng, *lead, Tq=Tq, Tk=Tk)
    return frozen(np.where(keep, normal(rng, *lead, Tq, Tk, scale=2.0), -np.inf))


def out_with(mask):
    """The output's name in messages: the mask's dtype and shape."""
    return f"out with a {mask.dtype} mask of shape {mask.shape}"


def loops(q, k, v, attn_mask):
    """`out`, computed one query at a time."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    mask = np.broadcast_to(attn_mask, (*q.shape[:-1], k.shape[-2]))
    for *item, t in np.ndindex(q.shape[:-1]):
        b, row = tuple(item), mask[(*item, t)]
        allowed = row if row.dtype == bool else row > -np.inf
        scores = k[b][allowed] @ q[b][t] / np.sqrt(q.shape[-1])
        if row.dtype != bool:
            scores = scores + row[allowed]
        exp = np.exp(scores - scores.max())
        out[b][t] = exp / exp.sum() @ v[b][allowed]
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract, for both kinds of mask."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), 1, Tk), ((B,), Tq, 1)]
    for rng, (lead, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        mask = np.zeros(keys) if len(lead) == 1 else np.ones(keys, bool)
        out = attention(subject, *draw(rng, *lead, Tq=queries, Tk=keys), frozen(mask))
        assert_array(out, (*lead, queries, Dv), np.float64, "out")


def test_a_mask_that_hides_nothing_changes_nothing(subject, rngs):
    """With a mask that is True everywhere, or the same number everywhere, the output is right."""
    inputs = draw(rngs[0], B, D=9)
    want = loops(*inputs, np.ones(Tk, bool))
    for every in True, 0.0, 3.0:
        mask = np.full((Tq, Tk), every)
        assert_same(attention(subject, *inputs, frozen(mask)), want, f"out, all-{every} mask,")


def test_float_mask_is_added(subject, rngs):
    """With a float mask of any numbers, or of ones and zeros only, the output is right."""
    for rng in rngs:
        inputs = draw(rng, B)
        ones = frozen(keys_to_keep(rng, B), float)  # 1.0 and 0.0
        masks = (normal(rng, B, Tq, Tk, scale=3.0), "any numbers"), (ones, "ones and zeros")
        for mask, name in (*masks, (biases(rng, B), "numbers and -inf")):
            out = attention(subject, *inputs, mask)
            assert_same(out, loops(*inputs, mask), f"out with a float mask of {name}")


def test_both_kinds_agree(subject, rngs):
    """A mask gives the right output as a bool mask and as one of 0.0 and -inf."""
    for rng in rngs:
        inputs = draw(rng, B)
        keep = keys_to_keep(rng, B)
        want = loops(*inputs, keep)
        bias = frozen(np.where(keep, 0.0, -np.inf))
        assert_same(attention(subject, *inputs, bias), want, "out with a mask of 0.0 and -inf")
        assert_same(attention(subject, *inputs, keep), want, "out with a bool mask")


def test_blocked_values_change_nothing(subject, rngs):
    """With huge values hidden by either kind of mask, the output is right."""
    for rng in rngs:
        q, k, v = draw(rng, B)
        for mask in keys_to_keep(rng, B), biases(rng, B):
            hidden = ~mask if mask.dtype == bool else np.isneginf(mask)
            huge = frozen(np.where(hidden.all(axis=-2)[..., None], 1e300, v))
            want = loops(q, k, v, mask)
            assert_same(attention(subject, q, k, huge, mask), want, out_with(mask))


def test_blocked_keys_change_nothing(subject, rngs):
    """With other keys where a bool mask hides them, the output is right."""
    for rng in rngs:
        q, k, v = draw(rng, B)
        mask = keys_to_keep(rng, B)
        hidden = ~mask.any(axis=-2)[..., None]
        other = frozen(np.where(hidden, normal(rng, *k.shape, scale=100.0), k))
        assert_same(attention(subject, q, other, v, mask), loops(q, k, v, mask), "out")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring allowed key."""
    keep = np.array([[1, 0, 1, 1, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 1]], bool)
    highest = [3, 2, 4]  # among the allowed keys; key 1 is far higher than these
    scores = np.array([-9e5, 1e6, -1e6, 5e3, 900.0])
    q, k = frozen(np.ones((Tq, 1))), frozen(scores[:, None])
    v = normal(rngs[0], Tk, Dv)
    for mask in keep, np.where(keep, 0.0, -np.inf):
        assert_same(attention(subject, q, k, v, frozen(mask)), v[highest], out_with(mask))
    spaced = [0, 1e6, -1e6, 998e3, -np.inf], [-9e5, -1e6, -np.inf, -1e6, -1e6], [0, 0, 0, 0, 1e3]
    out = attention(subject, *draw(rngs[0])[:2], v, frozen(spaced))
    assert_same(out, v[[1, 0, 4]], "out with a float mask of widely spaced numbers")


def test_mask_broadcasts(subject, rngs):
    """With a mask to be broadcast (an axis missing or of size one), the output is right."""
    for rng, lead in zip(cycle(rngs), [(B,), (Tq,)], strict=False):
        inputs, keep = draw(rng, *lead), keys_to_keep(rng, *lead)
        for mask in keep[0, 0], keep[0], keep[:, :1], biases(rng, *lead)[0]:
            out = attention(subject, *inputs, frozen(mask))
            assert_same(out, loops(*inputs, mask), out_with(mask))


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation, for both kinds of mask."""
    domain.assert_agrees(subject, seed, loops, "out")
