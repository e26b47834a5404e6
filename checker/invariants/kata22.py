"""Invariants of kata 22: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_same,
    frozen,
    normal,
    unpack,
)

B, H, Tq, Tk, D, E = 2, 3, 4, 6, 5, 8  # H * D = 15 and Tq + Tk = 10 differ from all of them


def cross_attention(subject, *inputs):
    (out,) = unpack(subject.cross_attention(*inputs), "out")
    return out


def draw(rng, B=B, Tq=Tq, Tk=Tk, H=H, D=D, scale=1.0):
    """Tokens, a mask with a gap, and projections that give scores of order `scale` squared."""
    keep = rng.random((B, Tk)) < 0.5
    keep[:, -1] = True
    keep[:, 0] = False  # also if it is the last one: then nothing is allowed
    x, memory = normal(rng, B, Tq, E, scale=scale), normal(rng, B, Tk, E, scale=scale)
    into = (normal(rng, E, H * D, scale=0.4) for _ in range(3))
    return x, memory, frozen(keep), *into, normal(rng, H * D, E, scale=0.4), H


def loops(x, memory, keep, Wq, Wk, Wv, Wo, H):
    """`out`, computed one batch item, head and token at a time."""
    out, D = np.zeros(x.shape), Wq.shape[1] // H
    for b, h in np.ndindex(len(x), H):
        own = slice(h * D, (h + 1) * D)
        tokens = np.concatenate([x[b], memory[b][keep[b]]])
        k, v = tokens @ Wk[:, own], tokens @ Wv[:, own]
        for t, query in enumerate(x[b] @ Wq[:, own]):
            scores = k @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            out[b, t] += exp @ v / exp.sum() @ Wo[own]
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    sizes = [(B, Tq, Tk), (1, Tk, Tq), (B, 1, Tk), (B, Tq, 1)]
    for rng, (items, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        out = cross_attention(subject, *draw(rng, items, queries, keys))
        assert_array(out, (items, queries, E), np.float64, "out")


def test_full_memory_is_attended_to(subject, rngs):
    """With no memory token blocked, `out` matches a plain-loop implementation."""
    for rng, keys in zip(cycle(rngs), (1, Tq, Tk), strict=False):
        x, memory, keep, *weights = draw(rng, Tk=keys)
        inputs = x, memory, frozen(np.ones_like(keep)), *weights
        assert_same(cross_attention(subject, *inputs), loops(*inputs), f"out with Tk={keys}")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own."""
    x, memory, keep, *weights = draw(rngs[0])
    want = loops(x, memory, keep, *weights)
    assert_same(cross_attention(subject, x, memory, keep, *weights), want, "out")
    for b in range(B):
        alone = (frozen(each[b : b + 1]) for each in (x, memory, keep))
        out = cross_attention(subject, *alone, *weights)
        assert_same(out, want[b : b + 1], f"out for item {b} alone")


def test_blocked_values_change_nothing(subject, rngs):
    """With huge numbers in blocked memory tokens, the output is right."""
    for rng in rngs:
        x, memory, keep, Wq, Wk, *others = draw(rng)
        Wk = Wk.copy()
        Wk[0] = 0  # scores do not depend on the first feature
        huge = memory.copy()
        huge[..., 0] = np.where(keep, memory[..., 0], 1e200)
        want = loops(x, memory, keep, Wq, Wk, *others)
        out = cross_attention(subject, x, frozen(huge), keep, Wq, frozen(Wk), *others)
        assert_same(out, want, "out")


def test_padding_changes_nothing(subject, rngs):
    """With blocked tokens of any kind added to the memory, the output is right."""
    for rng in rngs:
        x, memory, keep, *weights = draw(rng)
        want = loops(x, memory, keep, *weights)
        more = normal(rng, B, 3, E, scale=30.0)
        none = np.zeros((B, 3), dtype=bool)
        after, before = ((memory, more), (keep, none)), ((more, memory), (none, keep))
        for (parts, masks), where in (after, "after"), (before, "before"):
            longer = frozen(np.concatenate(parts, axis=1))
            out = cross_attention(subject, x, longer, frozen(np.hstack(masks)), *weights)
            assert_same(out, want, f"out with 3 blocked tokens {where} the memory")


def test_without_memory_tokens_attend_to_each_other(subject, rngs):
    """An item whose whole memory is blocked gets the right output."""
    for rng in rngs:
        x, memory, keep, *weights = draw(rng)
        first_blocked = frozen(keep & (np.arange(B) > 0)[:, None])  # no memory for the first item
        inputs = x, memory, first_blocked, *weights
        out = cross_attention(subject, *inputs)
        assert_array(out, (B, Tq, E), np.float64, "out")
        assert_same(out[:1], loops(*inputs)[:1], "out where keep is all False")


def test_reordering_the_memory_changes_nothing(subject, rngs):
    """With the memory and its mask in another order, the output is right."""
    for rng in rngs:
        x, memory, keep, *weights = draw(rng)
        want = loops(x, memory, keep, *weights)
        order = np.roll(np.arange(Tk), 2)[::-1]
        reordered = frozen(memory[:, order]), frozen(keep[:, order])
        out = cross_attention(subject, x, *reordered, *weights)
        assert_same(out, want, "out with the memory reordered")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each token of x gets the value of its highest allowed score."""
    own = np.array([-1000.0, 1000.0, -900.0, 10.0])
    others = [[1000, -990, -999], [999, -3, 998], [1000, 999, 998], [9, -100, 1000]]
    keep = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]], dtype=bool)
    x = np.stack([own, np.full(4, 1000.0)], axis=-1)[:, None]  # one token: its value and its query
    memory = np.stack([others, np.zeros((4, 3))], axis=-1)  # (4, 3, 2)
    value, query = frozen([[1.0], [0.0]]), frozen([[0.0], [1.0]])
    want = np.array([-990.0, 1000.0, -900.0, 10.0])
    for Wo in (1.0, 0.5), (-1.0, 2.0):
        weights = query, value, value, frozen([Wo]), 1
        out = cross_attention(subject, frozen(x), frozen(memory), frozen(keep), *weights)
        assert_same(out, want[:, None, None] * np.array(Wo), "out")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
