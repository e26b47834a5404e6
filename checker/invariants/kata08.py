"""Invariants of kata 08: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, qkv, unpack
from checker.judging.domain import each
from checker.judging.kinds import HIDDEN, SCORES
from checker.judging.masks import MASKS, RARE_MASKS, only_last, random_mask, staggered
from checker.judging.sizes import BORDERS, SIZES

B, Tq, Tk, D, Dv = 3, 2, 7, 4, 5
LENGTHS = frozen([4, 7, 1])  # some padding, no padding, only one token
PADDING = frozen(np.arange(Tk) >= LENGTHS[:, None])  # (B, Tk)
SHAPES = [([2], 1, 6, D), ([3, 1], 3, 3, 3), (LENGTHS, Tq, Tk, D), ([1, 1], Tq, 1, 1)]


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def padded_attention(subject, *inputs):
    return unpack(subject.padded_attention(*inputs), "out", "weights")


def draw(rng, B=B, Tq=Tq, Tk=Tk, D=D):
    return qkv(rng, B, Tq=Tq, Tk=Tk, D=D, Dv=Dv)


def loops(q, k, v, keep):
    """`out` and `weights` of `attention`, computed one query at a time."""
    out, weights = np.zeros((*q.shape[:2], v.shape[-1])), np.zeros((*q.shape[:2], k.shape[1]))
    keep = np.broadcast_to(keep, weights.shape) == 1
    for b, t in np.ndindex(q.shape[:2]):
        allowed = keep[b, t]
        scores = k[b, allowed] @ q[b, t] / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max())
        weights[b, t, allowed] = exp / exp.sum()
        out[b, t] = weights[b, t, allowed] @ v[b, allowed]
    return out, weights


def padded_loops(q, k, v, lengths):
    """`out` and `weights` of `padded_attention`, computed one query at a time."""
    keep = [[[s < length for s in range(k.shape[1])]] for length in lengths]  # (B, 1, Tk)
    return loops(q, k, v, keep)


def masked(rng):
    """Names and inputs of `attention`: every kind of mask, of sizes and of scores."""
    kinds = cycle(("?", "i8", "u1", "i4", "i1", "u8", "i2", "u4", "u2"))
    causal = frozen(np.tri(B, dtype=bool))  # (Tq, Tk), and as many sentences
    many = frozen(np.ones(130), np.int8)  # more than int8 can count
    yield "130 keys, all allowed, of int8", (*qkv(rng, B, Tq=1, Tk=130, D=1, Dv=Dv), many)
    yield "a causal mask, keep (3, 3)", (*qkv(rng, B, Tq=B, Tk=B, D=1, Dv=Dv), causal)
    sizes = cycle([(B, B, B, 1), *SIZES.values()])  # B is also the number of queries and keys
    scores = cycle(SCORES.items())
    for (mask, keep), kind in zip([*MASKS.items(), *RARE_MASKS.items()] * 2, kinds, strict=False):
        (queries, keys, size, _), (name, pair) = next(sizes), next(scores)
        q, k = pair(rng, (B,), queries, keys, size)
        part = frozen(keep(rng, (B,), queries, keys), kind)
        hidden = ~np.broadcast_to(part != 0, (B, queries, keys)).any(axis=-2)[..., None]
        v = np.where(hidden, HIDDEN, rng.normal(size=(B, keys, Dv)))
        inputs = frozen(q), frozen(k), frozen(v), part
        yield f"{mask} of {part.dtype}, keep {part.shape}, {name}", inputs
    for keys, kind in zip((8, 16, 32, 33, 62, 64, 65, 129), kinds, strict=False):
        for blocks in staggered, only_last, random_mask:
            every = blocks(rng, (B,), Tq, keys)
            for part in frozen(every, kind), frozen(every[..., ::-1], kind):
                inputs = *qkv(rng, B, Tq=Tq, Tk=keys, D=1, Dv=1), part
                yield f"some of {keys} keys blocked, keep of {part.dtype}", inputs


def test_shapes_and_dtype(subject, rngs):
    """`blocked`, `out` and `weights` have the shape and dtype given in the contract."""
    (blocked,) = unpack(subject.blocked_from_lengths(LENGTHS, Tk), "blocked")
    assert_array(blocked, (B, Tk), np.bool_, "blocked")
    for lengths, queries, keys, size in SHAPES:
        inputs = draw(rngs[0], len(lengths), queries, keys, size)
        out, weights = padded_attention(subject, *inputs, frozen(lengths))
        assert_array(out, (len(lengths), queries, Dv), np.float64, "out")
        assert_array(weights, (len(lengths), queries, keys), np.float64, "weights")


def test_padding_is_blocked(subject, rngs):
    """`blocked` is True at the padding of each sentence, and nowhere else."""
    inputs = [(LENGTHS, T) for T in (7, 9)] + [
        (frozen([1, 1]), 2),
        (frozen([2, 1]), 2),
        (frozen([1]), 1),
    ]
    for T in (1, 2, 3, *BORDERS):
        inputs += [(frozen([max(T - 1, 1), 1, T, (T + 1) // 2]), T)]
    many = rngs[0].integers(1, 6, size=(129, 2))[:, 0]  # strided
    inputs += [(frozen([3, 1, 2])[::-1], 3), (many, 5)]
    names = [f"blocked for {len(lengths)} sentences, T={T}" for lengths, T in inputs]
    results = each(subject.blocked_from_lengths, inputs, names)
    for (lengths, T), result, name in zip(inputs, results, names, strict=True):
        (blocked,) = unpack(result, "blocked")
        want = [[t not in range(length) for t in range(T)] for length in lengths]
        assert_array(blocked, (len(lengths), T), np.bool_, name)
        assert_identical(blocked, np.array(want), name)


def test_attention_follows_keep(subject, rngs):
    """With masks of True and False or of 1 and 0, the result of `attention` is right."""
    names, inputs = zip(*masked(rngs[0]), strict=True)
    results = each(subject.attention, inputs, names)
    for name, asked, result in zip(names, inputs, results, strict=True):
        want_out, want_weights = loops(*asked)
        out, weights = unpack(result, "out", "weights")
        limit = 4e-9 if "limit" in name else 4e-12 if "apart" in name else None  # see `kinds`
        assert_array(weights, want_weights.shape, np.float64, f"weights for {name}")
        assert_same(weights, want_weights, f"weights for {name}", limit)
        assert_array(out, want_out.shape, np.float64, f"out for {name}")
        assert_same(out, want_out, f"out for {name}", limit)


def test_padding_weighs_nothing(subject, rngs):
    """In `padded_attention`, padding has a weight of exactly zero, and each row sums to one."""
    for rng in rngs:
        _, weights = padded_attention(subject, *draw(rng), LENGTHS)
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        of_padding = np.where(PADDING[:, None], weights, 0.0)
        assert_identical(of_padding, np.zeros((B, Tq, Tk)), "weights of padding")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_padding_changes_nothing(subject, rngs):
    """With other numbers in the padding, the `out` of `padded_attention` is right."""
    padding = PADDING[..., None]  # (B, Tk, 1)
    for rng in rngs:
        q, k, v = draw(rng)
        want, _ = padded_loops(q, k, v, LENGTHS)
        other = frozen(np.where(padding, normal(rng, *k.shape, scale=5.0), k))
        out, _ = padded_attention(subject, q, other, v, LENGTHS)
        assert_same(out, want, "out, with other keys,")
        out, _ = padded_attention(subject, q, k, frozen(np.where(padding, 1e300, v)), LENGTHS)
        assert_same(out, want, "out, with other values,")


def test_a_sentence_gets_the_same_output_alone(subject, rngs):
    """A sentence gets the right output, with padding in a batch and alone without it."""
    q, k, v = draw(rngs[0])
    out, _ = padded_attention(subject, q, k, v, LENGTHS)
    assert_array(out, (B, Tq, Dv), np.float64, "out")
    for b, length in enumerate(LENGTHS):
        alone = q[b : b + 1], frozen(k[b : b + 1, :length]), frozen(v[b : b + 1, :length])
        want, _ = loops(*alone, True)
        assert_same(out[b], want[0], f"out for item {b}, length {length},")
        got, _ = attention(subject, *alone, frozen(np.ones((1, Tq, length), dtype=bool)))
        assert_same(got, want, f"out for item {b} alone, length {length},")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring allowed key."""
    k = [[-1e6, 1e6, 9e5], [-1e4, -1e6, -9e5], [-200.0, -150.0, -30.0], [9e5, 1e6, -1e6]]
    keep = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]], dtype=bool)[:, None]
    tokens = np.arange(3) < np.array([1, 2, 2, 3])[:, None, None]
    q = np.array([[[1.0], [-1.0]]] * 4)
    for rng in rngs:
        inputs = frozen(q), frozen(k)[..., None], normal(rng, 4, 3, Dv)
        masked, _ = attention(subject, *inputs, frozen(keep))
        padded, _ = padded_attention(subject, *inputs, frozen([1, 2, 2, 3]))
        for out, mask, name in (masked, keep, "attention"), (padded, tokens, "padded_attention"):
            highest = np.where(mask, q * np.array(k)[:, None], -np.inf).argmax(axis=-1)
            want = inputs[2][np.arange(4)[:, None], highest]
            assert_same(out, want, f"out of {name}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` of `padded_attention` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, padded_loops, "out", "weights")
