"""The invariants of kata 18: every correct version passes them."""

import math
from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, qkv, unpack

B, H, Tq, Tk, D, Dv = 2, 3, 5, 7, 4, 6
SIZES = [(1, 2, 1, 2), (2, 1, 3, 4), (1, 2, 6, 5), (3, 3, 3, 3), (B, H, Tq, D), (3, 4, 4, 5)]


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
        assert_same(weights.sum(axis=-1), np.ones((B, H, Tq)), "sum of weights")


def test_split_columns(subject, rngs):
    """Splitting takes number d of head h from column h * D + d of its token."""
    cases = [(2, *numbered(*shape)) for shape in ((1, 2, 2), (1, 2, 4), (2, 2, 2))]
    for rng, (items, heads, tokens, size) in zip(cycle(rngs), SIZES, strict=False):
        cases.append((heads, normal(rng, items, tokens, heads * size), "x"))
    for heads, x, name in cases:
        items, tokens, width = x.shape
        want = np.zeros((items, heads, tokens, width // heads))
        for b, h, t, d in np.ndindex(want.shape):
            want[b, h, t, d] = x[b, t, h * (width // heads) + d]
        assert_same(split_heads(subject, x, heads), want, f"{heads} heads of {name}")


def test_merged_columns(subject, rngs):
    """Merging puts number d of head h into column h * D + d of its token."""
    cases = [numbered(*shape) for shape in ((1, 2, 2, 1), (1, 2, 2, 2), (2, 2, 2, 1))]
    for rng, shape in zip(cycle(rngs), SIZES, strict=False):
        cases.append((normal(rng, *shape), "heads"))
    for parts, name in cases:
        items, heads, tokens, size = parts.shape
        want = np.zeros((items, tokens, heads * size))
        for b, h, t, d in np.ndindex(parts.shape):
            want[b, t, h * size + d] = parts[b, h, t, d]
        assert_same(merge_heads(subject, parts), want, f"x from {name}")


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
    """If a token's value changes, each head's output changes by its weight times that change."""
    q, k, v, _ = draw(rngs[0])
    want, weights = attention(subject, q, k, v, H)
    assert_array(want, (B, Tq, H * Dv), np.float64, "out")
    assert_array(weights, (B, H, Tq, Tk), np.float64, "weights")
    for t in Tk - 1, 0, Tk // 2:
        moved, change = v.copy(), normal(rngs[0], B, H * Dv)
        moved[:, t] += change
        weight = np.repeat(weights[..., t].swapaxes(1, 2), Dv, axis=-1)  # (B, Tq, H * Dv)
        out, _ = attention(subject, q, k, frozen(moved), H)
        assert_same(out, want + weight * change[:, None], f"out with token {t} of {Tk} changed")


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
    """Each head has the same weights and output as when it is run alone."""
    q, k, v, _ = draw(rngs[0])
    out, weights = attention(subject, q, k, v, H)
    assert_array(out, (B, Tq, H * Dv), np.float64, "out")
    assert_array(weights, (B, H, Tq, Tk), np.float64, "weights")
    for h in range(H):
        alone = (frozen(x[..., columns(h, n)]) for x, n in ((q, D), (k, D), (v, Dv)))
        want_out, want_weights = attention(subject, *alone, 1)
        assert_same(weights[:, h], want_weights[:, 0], f"weights of head {h}")
        assert_same(out[..., columns(h, Dv)], want_out, f"out of head {h}")


def test_matches_plain_loops(subject, rngs):
    """`out` and `weights` of `attention` match a plain-loop implementation."""
    sizes = [(1, 2, 2, 2, 1, 1), (2, 1, 3, 1, 4, 2), (1, 5, 2, 3, 1, 2), (1, 4, 1, 5, 3, 2)]
    sizes += [(3, 2, 4, 4, 2, 2), (2, 2, 3, 4, 6, 1), (3, 3, 3, 3, 3, 3), (B, H, Tq, Tk, D, Dv)]
    for rng, shape in zip(cycle(rngs), sizes, strict=False):
        q, k, v, heads = draw(rng, *shape, scale=1.5)
        items, _, queries, keys, size, width = shape
        want_out = np.zeros((items, queries, heads * width))
        want_weights = np.zeros((items, heads, queries, keys))
        for b, h, t in np.ndindex(items, heads, queries):
            own, result = columns(h, size), columns(h, width)
            scores = np.array([q[b, t, own] @ key for key in k[b, :, own]]) / np.sqrt(size)
            exp = np.exp(scores - scores.max())
            want_weights[b, h, t] = exp / exp.sum()
            for weight, value in zip(want_weights[b, h, t], v[b, :, result], strict=True):
                want_out[b, t, result] += weight * value
        out, weights = attention(subject, q, k, v, heads)
        names = "with " + ", ".join(map("{}={}".format, ("B", "H", "Tq", "Tk", "D", "Dv"), shape))
        assert_same(weights, want_weights, f"weights {names}")
        assert_same(out, want_out, f"out {names}")
