"""Invariants of kata 17: every correct implementation passes them."""

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

B, H, Tq, Tk, D, Dv = 2, 3, 4, 7, 5, 8


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, B=B, H=H, Tq=Tq, Tk=Tk, D=D, scale=1.0):
    """Inputs where sentence b has token b, padding at the next one, and others at random.

    So neighbouring sentences never have the same mask. The last token is padding in every
    sentence, unless it is the only one.
    """
    keep, b = rng.random((B, Tk)) < 0.5, np.arange(B)
    keep[b, (b + 1) % max(Tk - 1, 1)] = keep[:, -1] = False
    keep[b, b % max(Tk - 1, 1)] = True
    return *qkv(rng, B * H, Tq=Tq, Tk=Tk, D=D, Dv=Dv, scale=scale), frozen(keep)


def alone(b, q, k, v, keep, H=H):
    """The inputs of one sentence."""
    own = slice(b * H, (b + 1) * H)
    return frozen(q[own]), frozen(k[own]), frozen(v[own]), frozen(keep[b : b + 1])


def loops(q, k, v, keep):
    """`out` and `weights`, computed one sentence, head and query at a time."""
    rep = len(q) // len(keep)
    out, weights = np.zeros((*q.shape[:2], v.shape[-1])), np.zeros((*q.shape[:2], k.shape[1]))
    for b, h, t in np.ndindex(len(keep), rep, q.shape[1]):
        n, allowed = b * rep + h, keep[b]
        scores = k[n, allowed] @ q[n, t] / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max())
        weights[n, t, allowed] = exp / exp.sum()
        out[n, t] = weights[n, t, allowed] @ v[n, allowed]
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    for rng, (items, heads) in zip(cycle(rngs), [(B, H), (1, 1)], strict=False):
        out, weights = attention(subject, *draw(rng, items, heads))
        assert_array(out, (items * heads, Tq, Dv), np.float64, "out")
        assert_array(weights, (items * heads, Tq, Tk), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng))
        assert_array(weights, (B * H, Tq, Tk), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B * H, Tq)), "sum of weights")


def test_sentences_with_the_same_mask(subject, rngs):
    """If all sentences have the same mask, `out` matches a plain-loop implementation."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        keep = frozen(np.broadcast_to(keep[0], keep.shape))
        out, _ = attention(subject, q, k, v, keep)
        assert_same(out, loops(q, k, v, keep)[0], f"out with B={B}, H={H}")


def test_padding_weighs_nothing(subject, rngs):
    """Padding has a weight of exactly zero in every head of its sentence."""
    for rng in rngs:
        *inputs, keep = draw(rng)
        _, weights = attention(subject, *inputs, keep)
        assert_array(weights, (B * H, Tq, Tk), np.float64, "weights")
        for b in range(B):
            padding = np.where(keep[b], 0.0, weights[b * H : (b + 1) * H])
            name = f"weights of the padding in sentence {b}"
            assert_identical(padding, np.zeros_like(padding), name)


def test_values_of_padding_change_nothing(subject, rngs):
    """With huge values in the padding, the output is right."""
    for rng in rngs:
        q, k, v, keep = draw(rng)
        huge = v.copy()
        for b in range(B):
            huge[b * H : (b + 1) * H, ~keep[b]] = 1e300
        want, _ = loops(q, k, v, keep)
        out, _ = attention(subject, q, k, frozen(huge), keep)
        assert_same(out, want, f"out with B={B}, H={H}")


def test_sentences_are_independent(subject, rngs):
    """A sentence has the right output in a batch and on its own."""
    inputs = draw(rngs[0])
    out, _ = attention(subject, *inputs)
    assert_array(out, (B * H, Tq, Dv), np.float64, "out")
    for b in range(B):
        want, _ = loops(*alone(b, *inputs))
        assert_same(out[b * H : (b + 1) * H], want, f"out of sentence {b}")
        got, _ = attention(subject, *alone(b, *inputs))
        assert_same(got, want, f"out of sentence {b} alone")


def test_the_highest_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring token."""
    scores = np.array([-999990.0, -9e5, -900.0, -500.0, 1e3, 9e5, 1e6])
    keep = np.arange(Tk) < np.array([[1], [3], [5]])  # the highest-scoring ones are 0, 2 and 4
    q = frozen(np.broadcast_to(np.linspace(1.0, 0.2, Tq)[:, None], (3 * H, Tq, D)))
    k = frozen(np.broadcast_to(scores[:, None] / np.sqrt(D), (3 * H, Tk, D)))
    for rng in rngs:
        v = normal(rng, 3 * H, Tk, Dv)
        out, _ = attention(subject, q, k, v, frozen(keep))
        assert_array(out, (3 * H, Tq, Dv), np.float64, "out")
        for b, highest in enumerate([0, 2, 4]):
            own = slice(b * H, (b + 1) * H)
            want = np.broadcast_to(v[own, highest, None], (H, Tq, Dv))
            assert_same(out[own], want, f"out of sentence {b}")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, for any batch and head count."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
