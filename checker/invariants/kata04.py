"""What must hold of kata 04, however it is written."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

B, H, T, D, E = 2, 3, 5, 4, 7  # H * D = 12 is none of them


def multi_head_attention(subject, *inputs):
    (out,) = unpack(subject.multi_head_attention(*inputs), "out")
    return out


def draw(rng, T=T, H=H, D=D):
    """Random tokens, and weights that leave scores of order one."""
    into = (normal(rng, E, H * D, scale=0.5) for _ in range(3))
    return normal(rng, B, T, E), *into, normal(rng, H * D, E, scale=0.5)


def of_head(h, Wq, Wk, Wv, Wo, D=D):
    """The weights of one head, as those of a layer that has no other."""
    own = slice(h * D, (h + 1) * D)
    return *(frozen(W[:, own]) for W in (Wq, Wk, Wv)), frozen(Wo[own])


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and the dtype of the contract."""
    out = multi_head_attention(subject, *draw(rngs[0]), H)
    assert_array(out, (B, T, E), np.float64, "out")


def test_one_token_is_read_as_it_is(subject, rngs):
    """A token with no other beside it gets its own value, times Wo."""
    for rng in rngs:
        x, *into, Wo = draw(rng)
        alone = frozen(x[:, :1])  # (B, 1, E)
        far = frozen(-1e4 * into[0])
        for Wk, name in (into[1], "out"), (far, "out where scores lie far below zero"):
            out = multi_head_attention(subject, alone, into[0], Wk, into[2], Wo, H)
            assert_same(out, alone @ into[2] @ Wo, name)


def test_equal_scores_give_the_mean(subject, rngs):
    """Where all scores are equal, every token gets the mean of the values, times Wo."""
    for rng in rngs:
        x, Wq, Wk, Wv, Wo = draw(rng)
        x = frozen(x[:1, :2])  # fewer tokens than heads
        out = multi_head_attention(subject, x, frozen(0 * Wq), Wk, Wv, Wo, H)
        mean = (x @ Wv).mean(axis=1, keepdims=True) @ Wo  # (1, 1, E)
        assert_same(out, np.broadcast_to(mean, x.shape), f"out of 2 tokens, H = {H},")


def test_a_token_that_reads_itself_gets_itself(subject, rngs):
    """Where every token scores highest with itself, by far, it gets its own value, times Wo."""
    angle, length = 2 * np.pi * np.arange(T) / T, np.linspace(0.5, 1, T)
    look = np.zeros((E, H * D))
    look[0, ::D] = look[1, 1::D] = 1e3  # every head looks at the first two numbers of a token
    for rng in rngs:
        x, _, _, Wv, Wo = draw(rng)
        x = x.copy()
        x[..., 0], x[..., 1] = length * np.cos(angle), length * np.sin(angle)
        out = multi_head_attention(subject, frozen(x), frozen(look), frozen(look), Wv, Wo, H)
        assert_same(out, x @ Wv @ Wo, "out")


def test_tokens_in_another_order(subject, rngs):
    """The same tokens in another order get the same answers, in that order."""
    for rng in rngs:
        x, *weights = draw(rng)
        want = multi_head_attention(subject, x, *weights, H)
        assert_array(want, (B, T, E), np.float64, "out")
        out = multi_head_attention(subject, frozen(x[:, ::-1]), *weights, H)
        assert_same(out, want[:, ::-1], "out")


def test_batch_items_keep_to_themselves(subject, rngs):
    """A batch item gets the answer that it gets alone."""
    x, *weights = draw(rngs[0])
    out = multi_head_attention(subject, x, *weights, H)
    assert_array(out, (B, T, E), np.float64, "out")
    for b in range(B):
        alone = multi_head_attention(subject, frozen(x[b : b + 1]), *weights, H)
        assert_array(alone, (1, T, E), np.float64, "out of an item alone")
        assert_same(out[b], alone[0], f"out of item {b}")


def test_heads_keep_to_themselves(subject, rngs):
    """A layer of several heads is the sum of layers that have one of them each."""
    x, *weights = draw(rngs[0])
    out = multi_head_attention(subject, x, *weights, H)
    heads = [multi_head_attention(subject, x, *of_head(h, *weights), 1) for h in range(H)]
    assert_same(out, sum(heads), f"out, H = {H},")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` is what plain loops give."""
    sizes = [(B, 2, 6), (H, H, D), (4, 5, 1), (T, H, D)]  # tokens, heads, head size
    for rng, (tokens, heads, size) in zip(cycle(rngs), sizes, strict=False):
        x, *weights = draw(rng, tokens, heads, size)
        want = np.zeros((B, tokens, E))
        for b, t, h in np.ndindex(B, tokens, heads):
            Wq, Wk, Wv, Wo = of_head(h, *weights, D=size)
            exp = np.exp((x[b] @ Wk) @ (x[b, t] @ Wq) / np.sqrt(size))  # one number a token
            want[b, t] += exp / exp.sum() @ (x[b] @ Wv) @ Wo
        out = multi_head_attention(subject, x, *weights, heads)
        assert_same(out, want, f"out for x {x.shape}, H = {heads}, D = {size},")
