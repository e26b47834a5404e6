"""Invariants of kata 07: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, qkv, unpack

B, H, Tq, Tk, D = 2, 3, 5, 7, 4  # all differ from each other and from H * D = 12
SIZES = [(1, D), (2, 1), (H, D), (5, 2), (2, 9)]  # number of heads, head size


def multi_head_attention(subject, *inputs):
    (out,) = unpack(subject.multi_head_attention(*inputs), "out")
    return out


def draw(rng, H=H, D=D, B=B, Tq=Tq, Tk=Tk):
    return qkv(rng, B, Tq=Tq, Tk=Tk, D=H * D, Dv=H * D)


def of_head(h, *arrays, D=D):
    """The columns of head h, in each array."""
    return tuple(frozen(x[..., h * D : (h + 1) * D]) for x in arrays)


def loops(q, k, v, H):
    """`out`, computed one head and one query at a time."""
    D = q.shape[2] // H
    out = np.zeros(q.shape)
    for b, h in np.ndindex(len(q), H):
        own = slice(h * D, (h + 1) * D)
        keys, values = k[b, :, own], v[b, :, own]
        for t, query in enumerate(q[b, :, own]):
            scores = keys @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            out[b, t, own] = exp @ values / exp.sum()
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for sizes in ({}, {"Tq": 1}, {"Tk": 1}, {"B": 1, "H": 1}, {"D": 1}):
        q, k, v = draw(rngs[0], **sizes)
        out = multi_head_attention(subject, q, k, v, sizes.get("H", H))
        assert_array(out, q.shape, np.float64, "out")


def test_equal_scores_give_the_mean(subject, rngs):
    """A query with equal scores for all keys gets the mean of the values."""
    for rng, (heads, size) in zip(cycle(rngs), SIZES[1:3], strict=False):
        q, k, v = draw(rng, heads, size)
        out = multi_head_attention(subject, frozen(0 * q), k, v, heads)
        mean = v.mean(axis=1, keepdims=True)  # (B, 1, H * D)
        assert_same(out, np.broadcast_to(mean, q.shape), f"out, H = {heads}, D = {size},")


def test_a_score_counts_the_same_for_all_heads(subject, rngs):
    """In every head, a key that scores log 3 above the only other one gets a weight of 3/4."""
    for heads, size in SIZES:
        k = np.zeros((1, 2, heads * size))
        k[:, 1] = np.log(3) / np.sqrt(size)
        v = frozen(np.broadcast_to([[0.0], [4.0]], k.shape))
        q = frozen(np.ones((1, 1, heads * size)))
        out = multi_head_attention(subject, q, frozen(k), v, heads)
        name = f"out for values 0 and 4, H = {heads}, D = {size},"
        assert_same(out, np.full(q.shape, 3.0), name)


def test_heads_are_independent(subject, rngs):
    """Each head gives the right output, next to other heads and on its own."""
    for rng in rngs:
        inputs = draw(rng)
        want = loops(*inputs, H)
        out = multi_head_attention(subject, *inputs, H)
        assert_array(out, want.shape, np.float64, "out")
        for h in range(H):
            alone = multi_head_attention(subject, *of_head(h, *inputs), 1)
            assert_same(alone, *of_head(h, want), f"out of head {h} alone")
            assert_same(*of_head(h, out), *of_head(h, want), f"out of head {h}")


def test_reordering_heads_reorders_outputs(subject, rngs):
    """With the heads of the inputs in another order, `out` is right, in that order."""
    order = np.arange(H * D).reshape(H, D)[[2, 0, 1]].ravel()
    inputs = draw(rngs[0])
    out = multi_head_attention(subject, *(frozen(x[..., order]) for x in inputs), H)
    assert_same(out, loops(*inputs, H)[..., order], "out of reordered heads")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own."""
    inputs = draw(rngs[0])
    want = loops(*inputs, H)
    assert_same(multi_head_attention(subject, *inputs, H), want, "out")
    for b in range(B):
        alone = multi_head_attention(subject, *(x[b : b + 1] for x in inputs), H)
        assert_same(alone, want[b : b + 1], f"out of item {b} alone")


def test_the_highest_score_wins(subject, rngs):
    """With widely spaced scores, each head gets the value of its highest-scoring key."""
    rows = [[-9e5, -8e5, -8.5e5], [9e5, 8e5, 8.5e5], [-100.0, -1e6, 0.0], [-2e3, -3e3, -1e3]]
    sign = np.array([1.0, -1.0])  # of two batch items, and of two queries in each
    scores = np.multiply.outer(np.multiply.outer(sign, sign), rows)  # (2, 2, H, Tk)
    q = np.repeat(sign[None, :, None], 2, axis=0).repeat(4 * D, axis=-1)
    k = sign[:, None, None] * np.repeat(np.transpose(rows), D, axis=-1) / np.sqrt(D)
    v = normal(rngs[0], *k.shape)
    out = multi_head_attention(subject, frozen(q), frozen(k), v, 4)
    highest = scores.argmax(axis=-1)  # (2, 2, H)
    want = v.reshape(2, 3, 4, D)[np.arange(2)[:, None, None], highest, range(4)]
    assert_same(out, want.reshape(q.shape), "out")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
