"""What must hold of kata 14, however it is written."""

import math
from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

H, T, D, Dv = 3, 5, 4, 6
LEFT = [[0, 1, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1]]
KEEP = frozen([*LEFT, [1, 1, 1, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 0]], bool)
B = len(KEEP)
FOUND = np.logical_or.accumulate(KEEP, axis=1)  # (B, T): whether the token finds a word to read


def attention(subject, *inputs):
    return unpack(subject.masked_attention(*inputs), "out", "weights")


def real(rng, *shape):
    return normal(rng, *shape, dtype=np.float32)


def single(values):
    return frozen(values, np.float32)


def draw(rng, *, B=B, H=H, T=T, D=D):
    return real(rng, B, H, T, D), real(rng, B, H, T, D), real(rng, B, H, T, Dv)


def by_scores(rng, scores):
    """Inputs of which every query of a prompt has exactly these scores, (B, T)."""
    q, k = np.ones((B, 1, T, 1)), np.broadcast_to(scores, (B, T))[:, None, :, None]
    return single(q), single(k), real(rng, B, 1, T, Dv)


def each_prompt(check, got, want, name, keep=KEEP):
    """Check one prompt after another, each with its padding in the name."""
    assert_array(got, want.shape, got.dtype, name)  # its dtype is another promise
    for row, one, promised in zip(keep.astype(int), got, want, strict=True):
        check(one, promised, f"{name}, for keep {row},")


def loops(q, k, v, keep):
    """`out` and `weights`, one token and one word after another, in double precision."""
    q, k, v = (array.astype(float) for array in (q, k, v))
    out, weights = np.zeros(v.shape), np.zeros((*q.shape[:-1], q.shape[-2]))
    for b, h, t in np.ndindex(q.shape[:-1]):
        words = [s for s in range(t + 1) if keep[b, s]]
        scores = [q[b, h, t] @ k[b, h, s] / math.sqrt(q.shape[-1]) for s in words]
        exp = [math.exp(score - max(scores)) for score in scores]
        for s, share in zip(words, exp, strict=True):
            weights[b, h, t, s] = share / sum(exp)
            out[b, h, t] += weights[b, h, t, s] * v[b, h, s]
    return out.astype(np.float32), weights.astype(np.float32)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape of the contract, and are float32."""
    for rng, (items, heads, tokens) in zip(
        cycle(rngs), [(2, H, T), (1, 1, T), (2, H, 1)], strict=False
    ):
        keep = frozen(np.ones((items, tokens)), bool)
        out, weights = attention(subject, *draw(rng, B=items, H=heads, T=tokens), keep)
        assert_array(out, (items, heads, tokens, Dv), np.float32, "out")
        assert_array(weights, (items, heads, tokens, tokens), np.float32, "weights")


def test_words_only(subject, rngs):
    """In a prompt without padding a token reads itself and what comes before it."""
    keep = frozen(np.ones((2, T)), bool)
    for inputs in draw(rngs[0], B=2), draw(rngs[0], B=2, H=5, D=6):
        want_out, want_weights = loops(*inputs, keep)
        out, weights = attention(subject, *inputs, keep)
        assert_same(weights, want_weights, "weights")
        assert_same(out, want_out, "out")


def test_padded_as_alone(subject, rngs):
    """Padded on the left, by one token or several, a word gets the answer that it gets alone."""
    rng = rngs[0]
    q, k, v = draw(rng)
    out, weights = attention(subject, q, k, v, KEEP)
    assert_array(out, (B, H, T, Dv), np.float32, "out")
    assert_array(weights, (B, H, T, T), np.float32, "weights")
    for b in range(len(LEFT)):
        words = KEEP[b]
        alone = (frozen(array[b : b + 1, :, words]) for array in (q, k, v))
        want, _ = attention(subject, *alone, frozen(np.ones((1, words.sum())), bool))
        assert_array(want, (1, H, words.sum(), Dv), np.float32, "out")
        name = f"out of the words, for keep {words.astype(int)},"
        assert_same(out[b][:, words], want[0], name)


def test_highest_word_is_the_answer(subject, rngs):
    """Where scores lie far apart, a token gets the value of the highest word that it may read."""
    for rng in rngs:
        for scores in [-1e6, -9e5, -800.0, -600.0, 1e6], [1e6, 4e3, 5e3, 9e5, -1e6]:
            inputs = by_scores(rng, scores)
            want, _ = loops(*inputs, KEEP)
            out, _ = attention(subject, *inputs, KEEP)
            assert_array(out, want.shape, np.float32, "out")
            found = FOUND[:, None, :, None]
            each_prompt(assert_same, np.where(found, out, 0), np.where(found, want, 0), "out")


def test_weights_sum_to_one_or_zero(subject, rngs):
    """The weights of a token sum to one, and to zero where it finds no word to read."""
    for rng in rngs:
        _, weights = attention(subject, *draw(rng), KEEP)
        assert_array(weights, (B, H, T, T), np.float32, "weights")
        want = np.repeat(FOUND[:, None], H, axis=1).astype(np.float32)
        each_prompt(assert_same, weights.sum(axis=-1), want, "sum of weights")


def test_blocked_tokens_weigh_nothing(subject, rngs):
    """Padding and what comes later have a weight of exactly zero, for every token."""
    may_read = KEEP[:, None, None, :] & np.tri(T, dtype=bool)
    for rng in rngs:
        for inputs in draw(rng), by_scores(rng, [-1e6, 1e6, 0.0, -1e6, 1e6]):
            _, weights = attention(subject, *inputs, KEEP)
            want = np.zeros((B, inputs[0].shape[1], T, T), np.float32)
            assert_array(weights, want.shape, np.float32, "weights")
            got = np.where(may_read, 0, weights)
            each_prompt(assert_identical, got, want, "weights where it may not read")


def test_nothing_to_read_is_answered_with_zeros(subject, rngs):
    """Where a token finds no word to read, its answer is zero, whatever the scores are."""
    for rng in rngs:
        for inputs in draw(rng), by_scores(rng, rng.integers(-1e6, 1e6, size=(B, T))):
            out, _ = attention(subject, *inputs, KEEP)
            assert_array(out, inputs[2].shape, np.float32, "out")
            got = np.where(FOUND[:, None, :, None], 0, out)
            each_prompt(assert_identical, got, np.zeros_like(out), "out")


def test_later_values_change_nothing(subject, rngs):
    """Huge numbers in the values of padding, and of what comes later, change no answer."""
    q, k, v = draw(rngs[0])
    want, _ = attention(subject, q, k, v, KEEP)
    assert_array(want, (B, H, T, Dv), np.float32, "out")
    for end in (1, 3, T):  # what the tokens before `end` may read stays as it was
        stays = (KEEP & (np.arange(T) < end))[:, None, :, None]
        out, _ = attention(subject, q, k, single(np.where(stays, v, 1e38)), KEEP)
        assert_array(out, (B, H, T, Dv), np.float32, "out")
        name = f"out up to token {end - 1}"
        each_prompt(assert_identical, out[..., :end, :], want[..., :end, :], name)


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are what plain loops give, wherever padding stands."""
    for rng in rngs:
        anywhere = frozen(rng.random((B, T)) < 0.5)
        few = frozen([[False, True], [False, False]])
        small = (draw(rng, B=2, H=2, T=2), few), (draw(rng, B=1, H=1), frozen(KEEP[2:3]))
        for inputs, keep in (*small, (draw(rng), KEEP), (draw(rng, D=9), anywhere)):
            want_out, want_weights = loops(*inputs, keep)
            out, weights = attention(subject, *inputs, keep)
            each_prompt(assert_same, weights, want_weights, "weights", keep)
            each_prompt(assert_same, out, want_out, "out", keep)
