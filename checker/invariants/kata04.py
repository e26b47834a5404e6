"""Invariants of kata 04: every correct implementation passes them."""

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

B, H, T, D, E = 2, 3, 5, 4, 7  # all different, also from H * D = 12


def multi_head_attention(subject, *inputs):
    (out,) = unpack(subject.multi_head_attention(*inputs), "out")
    return out


def draw(rng, T=T, H=H, D=D):
    """Random tokens, and projections that give scores of order one."""
    projections = (normal(rng, E, H * D, scale=0.5) for _ in range(3))
    return normal(rng, B, T, E), *projections, normal(rng, H * D, E, scale=0.5)


def of_head(h, Wq, Wk, Wv, Wo, D=D):
    """The projections of head h alone, for a layer with a single head."""
    own = slice(h * D, (h + 1) * D)
    return *(frozen(W[:, own]) for W in (Wq, Wk, Wv)), frozen(Wo[own])


def loops(x, Wq, Wk, Wv, Wo, H):
    """`out`, computed one head and one token at a time."""
    D = Wq.shape[1] // H
    out = np.zeros(x.shape)
    for b, h in np.ndindex(len(x), H):
        into_q, into_k, into_v, back = of_head(h, Wq, Wk, Wv, Wo, D)
        k, v = x[b] @ into_k, x[b] @ into_v
        for t, query in enumerate(x[b] @ into_q):
            scores = k @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            out[b, t] += exp @ v / exp.sum() @ back
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    out = multi_head_attention(subject, *draw(rngs[0]), H)
    assert_array(out, (B, T, E), np.float64, "out")


def test_a_single_token_gets_its_own_value(subject, rngs):
    """A single token gets its own value, times Wo."""
    for rng in rngs:
        x, *projections, Wo = draw(rng)
        alone = frozen(x[:, :1])  # (B, 1, E)
        opposite = frozen(-1e4 * projections[0])
        for Wk, name in (projections[1], "out"), (opposite, "out with scores far below zero"):
            out = multi_head_attention(subject, alone, projections[0], Wk, projections[2], Wo, H)
            assert_same(out, alone @ projections[2] @ Wo, name)


def test_equal_scores_give_the_mean(subject, rngs):
    """With equal scores, every token gets the mean of the values, times Wo."""
    for rng in rngs:
        x, Wq, Wk, Wv, Wo = draw(rng)
        x = frozen(x[:1, :2])  # fewer tokens than heads
        out = multi_head_attention(subject, x, frozen(0 * Wq), Wk, Wv, Wo, H)
        mean = (x @ Wv).mean(axis=1, keepdims=True) @ Wo  # (1, 1, E)
        assert_same(out, np.broadcast_to(mean, x.shape), f"out of 2 tokens, H = {H},")


def test_a_token_attending_to_itself_gets_its_own_value(subject, rngs):
    """A token whose score with itself is by far the highest gets its own value, times Wo."""
    angle, length = 2 * np.pi * np.arange(T) / T, np.linspace(0.5, 1, T)
    W = np.zeros((E, H * D))
    W[0, ::D] = W[1, 1::D] = 1e3  # every head compares the first two features
    for rng in rngs:
        x, _, _, Wv, Wo = draw(rng)
        x = x.copy()
        x[..., 0], x[..., 1] = length * np.cos(angle), length * np.sin(angle)
        out = multi_head_attention(subject, frozen(x), frozen(W), frozen(W), Wv, Wo, H)
        assert_same(out, x @ Wv @ Wo, "out")


def test_reordering_tokens_reorders_outputs(subject, rngs):
    """With the tokens in another order, `out` is right, in that order."""
    for rng in rngs:
        x, *weights = draw(rng)
        out = multi_head_attention(subject, frozen(x[:, ::-1]), *weights, H)
        assert_same(out, loops(x, *weights, H)[:, ::-1], "out of reordered tokens")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own."""
    x, *weights = draw(rngs[0])
    want = loops(x, *weights, H)
    assert_same(multi_head_attention(subject, x, *weights, H), want, "out")
    for b in range(B):
        alone = multi_head_attention(subject, frozen(x[b : b + 1]), *weights, H)
        assert_same(alone, want[b : b + 1], f"out of item {b} alone")


def test_heads_are_independent(subject, rngs):
    """With one head or several, `out` is right: the sum of what each head should give alone."""
    x, *weights = draw(rngs[0])
    want = [loops(x, *of_head(h, *weights), 1) for h in range(H)]
    assert_same(multi_head_attention(subject, x, *weights, H), sum(want), f"out, H = {H},")
    for h in range(H):
        alone = multi_head_attention(subject, x, *of_head(h, *weights), 1)
        assert_same(alone, want[h], f"out of head {h} alone")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
