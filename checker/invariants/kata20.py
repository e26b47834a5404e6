"""Invariants of kata 20: every correct implementation passes them."""

import math
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
from checker.judging.layouts import LAYOUTS

B, H, Tq, Tk, D, Dv = 2, 3, 5, 7, 4, 6
SIZES = [  # B, H, T, D
    *((1, 2, 1, 2), (2, 1, 3, 4), (1, 2, 6, 5), (3, 3, 3, 3), (B, H, Tq, D), (3, 4, 4, 5)),
    *((1, 1, 1, 1), (2, 2, 2, 2), (4, 4, 4, 4), (2, 3, 1, 4), (2, 3, 4, 1), (2, 2, 4, 2)),
    (B, H, Tq, D),  # again, with other numbers
    *((1, 2, size, 1) for size in (8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    *((1, size, 2, 1) for size in (5, 8, 9, 16, 17, 32, 33, 65)),
    *((1, 2, 2, size) for size in (8, 9, 16, 17, 33, 65, 130)),
    *((size, 2, 2, 1) for size in (5, 8, 9, 17, 33, 65)),
]


def split_heads(subject, x, H):
    (heads,) = unpack(subject.split_heads(x, H), "heads")
    return heads


def merge_heads(subject, heads):
    (x,) = unpack(subject.merge_heads(heads), "x")
    return x


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, B=B, H=H, Tq=Tq, Tk=Tk, D=D, Dv=Dv, scale=1.0):
    """Queries, keys and values of all heads, and the number of heads."""
    return *qkv(rng, B, Tq=Tq, Tk=Tk, D=H * D, Dv=H * Dv, scale=scale), H


def numbered(*shape):
    """An array of numbers counting up from zero, and the expression that makes it."""
    size = math.prod(shape)
    return frozen(np.arange(float(size)).reshape(shape)), f"np.arange({size}.0).reshape{shape}"


def columns(h, size):
    """The columns of head h in a token."""
    return slice(h * size, (h + 1) * size)


def loops(q, k, v, H):
    """`out` and `weights`, computed one head and one query at a time."""
    D, Dv = q.shape[2] // H, v.shape[2] // H
    out = np.zeros((*q.shape[:2], H * Dv))
    weights = np.zeros((len(q), H, q.shape[1], k.shape[1]))
    for b, h in np.ndindex(len(q), H):
        keys, values = k[b][:, columns(h, D)], v[b][:, columns(h, Dv)]
        for t, query in enumerate(q[b][:, columns(h, D)]):
            scores = keys @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            weights[b, h, t] = exp / exp.sum()
            out[b, t, columns(h, Dv)] = weights[b, h, t] @ values
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """The results of the three functions have the shape and dtype given in the contract."""
    q, k, v, _ = draw(rngs[0])
    out, weights = attention(subject, q, k, v, H)
    assert_array(out, (B, Tq, H * Dv), np.float64, "out")
    assert_array(weights, (B, H, Tq, Tk), np.float64, "weights")
    heads = split_heads(subject, q, H)
    assert_array(heads, (B, H, Tq, D), np.float64, "heads")
    assert_array(merge_heads(subject, frozen(heads)), (B, Tq, H * D), np.float64, "x")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng))
        assert_array(weights, (B, H, Tq, Tk), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, H, Tq)), "sum of weights")


def test_split_columns(subject, rngs):
    """Splitting takes number d of head h from column h * D + d of its token."""
    cases = [(*numbered(*shape), 2) for shape in ((1, 2, 2), (1, 2, 4), (2, 2, 2))]
    for layout, sizes in zip(cycle(LAYOUTS.values()), SIZES, strict=False):
        items, heads, tokens, size = sizes
        x = frozen(rngs[0].normal(size=(items, tokens, heads * size)))
        cases.append((layout(x), f"x {x.shape}", heads))
    names = [f"{heads} heads of {name}" for _, name, heads in cases]
    results = each(subject.split_heads, [(x, heads) for x, _, heads in cases], names, views=True)
    for (x, _, H), name, result in zip(cases, names, results, strict=True):
        (heads,) = unpack(result, "heads")
        D = x.shape[2] // H
        want = np.stack([x[:, :, columns(h, D)] for h in range(H)], axis=1)
        assert_array(heads, want.shape, np.float64, name)
        assert_identical(heads, want, name)


def test_merged_columns(subject, rngs):
    """Merging puts number d of head h into column h * D + d of its token."""
    cases = [numbered(*shape) for shape in ((1, 2, 2, 1), (1, 2, 2, 2), (2, 2, 2, 1))]
    for layout, sizes in zip(cycle(LAYOUTS.values()), SIZES, strict=False):
        cases.append((layout(frozen(rngs[0].normal(size=sizes))), f"heads {sizes}"))
    names = [f"x from {name}" for _, name in cases]
    results = each(subject.merge_heads, [(heads,) for heads, _ in cases], names, views=True)
    for (heads, _), name, result in zip(cases, names, results, strict=True):
        (x,) = unpack(result, "x")
        want = np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1)
        assert_array(x, want.shape, np.float64, name)
        assert_identical(x, want, name)


def test_split_and_merge_are_inverses(subject, rngs):
    """Merging undoes splitting, and splitting undoes merging."""
    x, name = numbered(1, 2, 2)
    same = merge_heads(subject, frozen(split_heads(subject, x, 2)))
    assert_same(same, x, f"{name}, split (H=2) and merged,")
    for rng in rngs:
        x, heads = normal(rng, B, Tq, H * D), normal(rng, B, H, Tk, Dv)
        assert_same(merge_heads(subject, frozen(split_heads(subject, x, H))), x, "x")
        again = split_heads(subject, frozen(merge_heads(subject, heads)), H)
        assert_same(again, heads, "heads")


def test_every_token_counts(subject, rngs):
    """With the value of one token changed, each head's output is right."""
    q, k, v, _ = draw(rngs[0])
    before, weights = loops(q, k, v, H)
    for t in Tk - 1, 0, Tk // 2:
        moved, change = v.copy(), normal(rngs[0], B, H * Dv)
        moved[:, t] += change
        weight = np.repeat(weights[..., t].swapaxes(1, 2), Dv, axis=-1)  # (B, Tq, H * Dv)
        out, _ = attention(subject, q, k, frozen(moved), H)
        assert_same(out, before + weight * change[:, None], f"out with token {t} of {Tk} changed")


def test_the_highest_score_wins(subject, rngs):
    """With widely spaced scores, each head gets the value of its own highest-scoring key."""
    scores = np.array([-1e6, -9e5, -500.0, 400.0, 1e3, 9e5, 1e6])
    keys = np.stack([np.roll(scores, h) for h in range(H)], axis=-1)  # (Tk, H): D is 1
    q = np.broadcast_to(np.linspace(1.0, 0.2, Tq)[:, None], (B, Tq, H))
    k = np.stack([keys, keys / 10 - 9e5])  # (B, Tk, H)
    for rng in rngs:
        v = normal(rng, B, Tk, H * Dv)
        out, _ = attention(subject, frozen(q), frozen(k), v, H)
        for h, highest in enumerate(keys.argmax(axis=0)):
            want = np.broadcast_to(v[:, highest, None, columns(h, Dv)], (B, Tq, Dv))
            assert_same(out[..., columns(h, Dv)], want, f"out of head {h}")


def test_heads_are_independent(subject, rngs):
    """Each head has the right weights and output, alone and next to others."""
    q, k, v, _ = draw(rngs[0])
    want_out, want_weights = loops(q, k, v, H)
    out, weights = attention(subject, q, k, v, H)
    assert_same(weights, want_weights, "weights")
    assert_same(out, want_out, "out")
    for h in range(H):
        alone = (frozen(x[..., columns(h, n)]) for x, n in ((q, D), (k, D), (v, Dv)))
        out, weights = attention(subject, *alone, 1)
        assert_same(weights, want_weights[:, h : h + 1], f"weights of head {h} alone")
        assert_same(out, want_out[..., columns(h, Dv)], f"out of head {h} alone")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` of `attention` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
