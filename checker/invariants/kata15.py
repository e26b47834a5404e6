"""Invariants of kata 15: every correct implementation passes them."""

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

H, T, D, Dv = 3, 5, 4, 6
LEFT = [[0, 1, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1]]
KEEP = frozen([*LEFT, [1, 1, 1, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 0]], bool)
B = len(KEEP)
FOUND = np.logical_or.accumulate(KEEP, axis=1)  # (B, T): has a token to attend to


def attention(subject, *inputs):
    return unpack(subject.masked_attention(*inputs), "out", "weights")


def draw(rng, *, B=B, H=H, T=T, D=D):
    return qkv(rng, B, H, Tq=T, Tk=T, D=D, Dv=Dv, dtype=np.float32)


def by_scores(rng, scores):
    """Inputs where every query of a prompt has exactly these scores, (B, T)."""
    q, k = np.ones((B, 1, T, 1)), np.broadcast_to(scores, (B, T))[:, None, :, None]
    v = normal(rng, B, 1, T, Dv, dtype=np.float32)
    return frozen(q, np.float32), frozen(k, np.float32), v


def each_prompt(check, got, want, name):
    """Check one prompt at a time, with its `keep` in the message."""
    assert_array(got, want.shape, got.dtype, name)  # its dtype is checked elsewhere
    for row, one, wanted in zip(KEEP.astype(int), got, want, strict=True):
        check(one, wanted, f"{name}, for keep {row},")


def loops(q, k, v, keep):
    """`out` and `weights`, computed one query at a time, in double precision."""
    q, k, v = (array.astype(float) for array in (q, k, v))
    out, weights = np.zeros(v.shape), np.zeros((*q.shape[:-1], q.shape[-2]))
    for b, h, t in np.ndindex(q.shape[:-1]):
        allowed = keep[b, : t + 1].nonzero()[0]
        if allowed.size:
            scores = k[b, h].take(allowed, axis=0) @ q[b, h, t] / np.sqrt(q.shape[-1])
            exp = np.exp(scores - scores.max())
            weights[b, h, t, allowed] = exp / exp.sum()
            out[b, h, t] = weights[b, h, t, allowed] @ v[b, h].take(allowed, axis=0)
    return out.astype(np.float32), weights.astype(np.float32)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape given in the contract and dtype float32."""
    for rng, (items, heads, tokens) in zip(
        cycle(rngs), [(2, H, T), (1, 1, T), (2, H, 1)], strict=False
    ):
        keep = frozen(np.ones((items, tokens)), bool)
        out, weights = attention(subject, *draw(rng, B=items, H=heads, T=tokens), keep)
        assert_array(out, (items, heads, tokens, Dv), np.float32, "out")
        assert_array(weights, (items, heads, tokens, tokens), np.float32, "weights")


def test_without_padding_it_is_causal(subject, rngs):
    """Without padding, where a token attends to itself and all before it, the result is right."""
    keep = frozen(np.ones((2, T)), bool)
    for inputs in draw(rngs[0], B=2), draw(rngs[0], B=2, H=5, D=6):
        want_out, want_weights = loops(*inputs, keep)
        out, weights = attention(subject, *inputs, keep)
        assert_same(weights, want_weights, "weights")
        assert_same(out, want_out, "out")


def test_a_prompt_gets_the_same_output_padded(subject, rngs):
    """With left padding, each real token has the output that it should have without padding."""
    rng = rngs[0]
    q, k, v = draw(rng)
    out, weights = attention(subject, q, k, v, KEEP)
    assert_array(out, (B, H, T, Dv), np.float32, "out")
    assert_array(weights, (B, H, T, T), np.float32, "weights")
    for b in range(len(LEFT)):
        real = KEEP[b]
        alone = (frozen(array[b : b + 1, :, real]) for array in (q, k, v))
        want, _ = loops(*alone, np.ones((1, real.sum()), bool))
        name = f"out of the real tokens, for keep {real.astype(int)},"
        assert_same(out[b][:, real], want[0], name)


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each token gets the value of its highest-scoring allowed token."""
    for rng in rngs:
        for scores in [-1e6, -9e5, -800.0, -600.0, 1e6], [1e6, 4e3, 5e3, 9e5, -1e6]:
            inputs = by_scores(rng, scores)
            want, _ = loops(*inputs, KEEP)
            out, _ = attention(subject, *inputs, KEEP)
            assert_array(out, want.shape, np.float32, "out")
            found = FOUND[:, None, :, None]
            each_prompt(assert_same, np.where(found, out, 0), np.where(found, want, 0), "out")


def test_weights_sum_to_one_or_zero(subject, rngs):
    """Each row of the weights sums to one, or to zero if the token has nothing to attend to."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng), KEEP)
        assert_array(weights, (B, H, T, T), np.float32, "weights")
        want = np.repeat(FOUND[:, None], H, axis=1).astype(np.float32)
        each_prompt(assert_same, weights.sum(axis=-1), want, "sum of weights")


def test_blocked_tokens_weigh_nothing(subject, rngs):
    """Padding and later tokens have a weight of exactly zero."""
    allowed = KEEP[:, None, None, :] & np.tri(T, dtype=bool)
    for rng in rngs:
        for inputs in draw(rng), by_scores(rng, [-1e6, 1e6, 0.0, -1e6, 1e6]):
            _, weights = attention(subject, *inputs, KEEP)
            want = np.zeros((B, inputs[0].shape[1], T, T), np.float32)
            assert_array(weights, want.shape, np.float32, "weights")
            got = np.where(allowed, 0, weights)
            each_prompt(assert_identical, got, want, "weights of blocked tokens")


def test_nothing_to_attend_to_gives_zeros(subject, rngs):
    """A token with nothing to attend to has an output of zero, whatever the scores are."""
    for rng in rngs:
        for inputs in draw(rng), by_scores(rng, rng.integers(-1e6, 1e6, size=(B, T))):
            out, _ = attention(subject, *inputs, KEEP)
            assert_array(out, inputs[2].shape, np.float32, "out")
            got = np.where(FOUND[:, None, :, None], 0, out)
            each_prompt(assert_identical, got, np.zeros_like(out), "out")


def test_blocked_values_change_nothing(subject, rngs):
    """With huge values in padding, and large ones in later tokens, the output is right."""
    q, k, v = draw(rngs[0])
    want, _ = loops(q, k, v, KEEP)
    for end in (1, 3, T):  # the tokens before `end` attend to none of the changed values
        later = (np.arange(T) >= end)[:, None]
        changed = np.where(KEEP[:, None, :, None], np.where(later, 1e6, v), 1e38)
        out, _ = attention(subject, q, k, frozen(changed, np.float32), KEEP)
        assert_array(out, (B, H, T, Dv), np.float32, "out")
        name = f"out up to token {end - 1}"
        each_prompt(assert_same, out[..., :end, :], want[..., :end, :], name)


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation, wherever the padding is."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
