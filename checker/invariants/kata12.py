"""Invariants of kata 12: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

B, T, E, D, Dv = 3, 5, 7, 4, 6
PADDED = frozen([[0, 0, 1, 1, 1], [1, 1, 1, 1, 0], [1, 0, 1, 0, 0]], bool)  # left, right, mid


def self_attention(subject, *inputs):
    (out,) = unpack(subject.self_attention(*inputs), "out")
    return out


def draw(rng, B=B, T=T, D=D, scale=1.0):
    """Tokens and projections; scores are of the order of `scale` squared."""
    into = (normal(rng, E, D, scale=scale * E**-0.5) for _ in range(2))
    return normal(rng, B, T, E), *into, normal(rng, E, Dv)


def exact(rng, T=T):
    """The same with integers: with D = 4 every score is exact, and most are far apart."""
    x, *into = (rng.integers(-9, 10, size=size) for size in ((B, T, E), (E, D), (E, D)))
    return frozen(x, float), *(frozen(W, float) for W in into), normal(rng, E, Dv)


def loops(x, keep, Wq, Wk, Wv):
    """`out`, computed one token at a time, over the real tokens."""
    out = np.zeros((*x.shape[:2], Wv.shape[1]))
    for b in range(len(x)):
        real = x[b][keep[b]]
        k, v = real @ Wk, real @ Wv
        for t, query in enumerate(x[b] @ Wq if len(real) else []):
            scores = k @ query / np.sqrt(Wq.shape[1])
            exp = np.exp(scores - scores.max())
            out[b, t] = exp @ v / exp.sum()
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng, (items, tokens) in zip(cycle(rngs), [(B, T), (1, T), (B, 1)], strict=False):
        x, *W = draw(rng, B=items, T=tokens)
        keep = frozen(np.ones((items, tokens)), bool)
        assert_array(self_attention(subject, x, keep, *W), (items, tokens, Dv), np.float64, "out")


def test_without_padding_all_attend_to_all(subject, rngs):
    """Without padding, where each token attends to its whole sentence, the output is right."""
    rng = rngs[0]
    for x, *W in draw(rng, B=2, T=2, D=2), draw(rng), draw(rng, D=9), exact(rng):
        keep = frozen(np.ones(x.shape[:2]), bool)
        name = f"out for x {x.shape}"
        assert_same(self_attention(subject, x, keep, *W), loops(x, keep, *W), name)


def test_only_padding_gives_zeros(subject, rngs):
    """A sentence without real tokens gets zeros, and another in its batch gets the right output."""
    x, *W = draw(rngs[0])
    keep = np.ones((B, T), bool)
    keep[1] = False
    out = self_attention(subject, x, frozen(keep), *W)
    assert_array(out, (B, T, Dv), np.float64, "out")
    assert_same(out[0], loops(x, keep, *W)[0], "out for a sentence without padding")
    assert_identical(out[1], np.zeros((T, Dv)), "out for a sentence without real tokens")
    alone = self_attention(subject, frozen(x[1:2]), frozen(keep[1:2]), *W)
    assert_identical(alone, np.zeros((1, T, Dv)), "out for a sentence without real tokens, alone,")


def test_a_sentence_gets_the_same_output_padded(subject, rngs):
    """A real token gets the right output, without padding and with padding anywhere."""
    x, *W = draw(rngs[0])
    want = loops(x, PADDED, *W)
    out = self_attention(subject, x, PADDED, *W)
    assert_array(out, (B, T, Dv), np.float64, "out")
    for b in (1, 0, 2):  # padding on the right, on the left, in between
        alone = frozen(x[b : b + 1, PADDED[b]])  # (1, real tokens, E)
        short = self_attention(subject, alone, frozen(np.ones(alone.shape[:2]), bool), *W)
        name = f"out for the real tokens where keep is {PADDED[b].tolist()}"
        assert_same(short, want[b : b + 1, PADDED[b]], f"{name}, without padding,")
        assert_same(out[b, PADDED[b]], want[b, PADDED[b]], name)


def test_padding_changes_nothing(subject, rngs):
    """With other numbers in the padding, the output of real tokens is right."""
    real = PADDED[..., None]  # (B, T, 1)
    for rng in rngs:
        x, Wq, Wk, Wv = draw(rng)
        want = np.where(real, loops(x, PADDED, Wq, Wk, Wv), 0.0)
        for scale in (3.0, 100.0):
            other = frozen(np.where(real, x, normal(rng, B, T, E, scale=scale)))
            out = self_attention(subject, other, PADDED, Wq, Wk, Wv)
            assert_array(out, (B, T, Dv), np.float64, "out")
            name = f"out with numbers of size {scale:g} in the padding"
            assert_same(np.where(real, out, 0.0), want, name)


def test_huge_padding_changes_nothing(subject, rngs):
    """With huge numbers in the padding that affect only its values, the output is right."""
    for rng in rngs:
        x, *into, Wv = draw(rng)
        into = [frozen(np.vstack([W[:-1], np.zeros(D)])) for W in into]  # ignore the last number
        Wv = frozen(np.clip(Wv, -0.5, 0.5))
        huge = x.copy()
        huge[~PADDED, -1] = 1e150  # its square is finite too
        out = self_attention(subject, frozen(huge), PADDED, *into, Wv)
        assert_same(out, loops(x, PADDED, *into, Wv), "out with 1e150 in the padding")


def test_equal_tokens_get_equal_outputs(subject, rngs):
    """Equal tokens in a sentence get equal outputs, whether they are real or padding."""
    for rng in rngs:
        x, *W = draw(rng)
        x = x.copy()
        x[0, 1], x[1, 4], x[2, 3] = x[0, 4], x[1, 0], x[2, 2]
        out = self_attention(subject, frozen(x), PADDED, *W)
        assert_array(out, (B, T, Dv), np.float64, "out")
        padding, real = out[[0, 1, 2], [1, 4, 3]], out[[0, 1, 2], [4, 0, 2]]
        assert_same(padding, real, "out for padding that equals a real token")


def test_a_single_token_takes_all(subject, rngs):
    """In a sentence with one real token, every token gets its value, whatever the scores."""
    for rng in rngs:
        far = draw(rng, scale=100.0)
        for (x, Wq, Wk, Wv), size in zip((draw(rng), exact(rng), far), (1, 6e3, 1e4), strict=True):
            places = rng.integers(T, size=B)
            keep = frozen(np.arange(T) == places[:, None])
            want = np.repeat((x[np.arange(B), places] @ Wv)[:, None], T, axis=1)
            name = f"out for scores of about {size:g}"
            assert_same(self_attention(subject, x, keep, Wq, Wk, Wv), want, name)
    x, keep, one = frozen([[[1e3], [-1e3]]]), frozen([[True, False]]), frozen([[1.0]])
    out = self_attention(subject, x, keep, frozen(-one), one, one)  # padding has a far higher score
    assert_same(out, np.full((1, 2, 1), 1e3), "out for scores of -1e+06, and 1e+06 at the padding,")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
