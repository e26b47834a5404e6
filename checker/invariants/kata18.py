"""Invariants of kata 18: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

B, T, H, D, E = 2, 6, 5, 4, 7  # H * D = 20 and 3 * D = 12 differ from all of them
QUERIES, KEYS, VALUES = range(3)
ROUNDED = 1e-10  # a score of 1e5 is accurate to 1e-11, and so are weights by log-sum-exp


def self_attention(subject, *inputs):
    (out,) = unpack(subject.self_attention(*inputs), "out")
    return out


def draw(rng, B=B, T=T, H=H, D=D, E=E):
    """Random tokens, and projections that give scores of order one."""
    return normal(rng, B, T, E), normal(rng, E, H * 3 * D, scale=0.5), normal(rng, H * D, E)


def columns(part, h, D=D):
    """The columns of the queries, keys or values of head h."""
    return slice((3 * h + part) * D, (3 * h + part + 1) * D)


def of_head(h, Wqkv, Wo, D=D):
    """The projections of head h, for a layer with this head alone."""
    return frozen(Wqkv[:, 3 * h * D : 3 * (h + 1) * D]), frozen(Wo[h * D : (h + 1) * D])


def values(x, Wqkv, Wo, heads, D=D):
    """The values of every token, concatenated over heads, times Wo."""
    own = [x @ Wqkv[:, columns(VALUES, h, D)] for h in range(heads)]
    return np.concatenate(own, axis=-1) @ Wo


def loops(x, Wqkv, Wo, H):
    """`out`, computed one batch item, head and token at a time."""
    out, D = np.zeros(x.shape), len(Wo) // H
    for b, h in np.ndindex(len(x), H):
        q, k, v = (x[b] @ Wqkv[:, columns(part, h, D)] for part in (QUERIES, KEYS, VALUES))
        for t, query in enumerate(q):
            scores = k @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            out[b, t] += exp @ v / exp.sum() @ Wo[h * D : (h + 1) * D]
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng, heads in zip(cycle(rngs), [H, 1], strict=False):
        out = self_attention(subject, *draw(rng, H=heads), heads)
        assert_array(out, (B, T, E), np.float64, "out")


def test_one_head(subject, rngs):
    """With one head (D columns of Wqkv each for query, key and value), the output is right."""
    for rng, size in zip(cycle(rngs), [1, 3, D], strict=False):
        inputs = draw(rng, H=1, D=size)
        out = self_attention(subject, *inputs, 1)
        assert_same(out, loops(*inputs, 1), f"out with H=1, D={size}")


def test_the_highest_score_wins(subject, rngs):
    """With widely spaced scores, each token gets the highest-scoring value, times Wo."""
    queries, keys = [[1.0, -1.0, 2.0], [0.1, -0.1, 0.2]], [[1.0, 3.0, 2.0], [-3.0, -2.0, -1.0]]
    highest = np.array([[1, 0, 1], [2, 0, 2]])  # a score is 1e5 times query times key
    x, Wqkv = np.stack([queries, keys], axis=-1), np.zeros((2, 3))  # (2, 3, 2)
    Wqkv[0, 0], Wqkv[1, 1] = 1e3, 1e2
    for rng in rngs:
        Wqkv[:, 2], Wo = rng.normal(size=2), normal(rng, 1, 2)
        out = self_attention(subject, frozen(x), frozen(Wqkv), Wo, 1)
        want = np.take_along_axis(x @ Wqkv[:, 2:] @ Wo, highest[..., None], axis=1)
        assert_same(out, want, "out")


def test_reordering_tokens_reorders_outputs(subject, rngs):
    """With the tokens in another order, the output is right, in that order."""
    for rng in rngs:
        x, *weights = draw(rng)
        out = self_attention(subject, frozen(x[:, ::-1]), *weights, H)
        assert_same(out, loops(x, *weights, H)[:, ::-1], "out of reordered tokens")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own."""
    x, *weights = draw(rngs[0])
    want = loops(x, *weights, H)
    assert_same(self_attention(subject, x, *weights, H), want, "out")
    for b in range(B):
        alone = self_attention(subject, frozen(x[b : b + 1]), *weights, H)
        assert_same(alone, want[b : b + 1], f"out for item {b} alone")


def test_a_single_token_gets_its_own_value(subject, rngs):
    """A single token gets its own values, times Wo."""
    Wqkv = np.stack([np.arange(6.0), np.zeros(6)])  # x selects the first row
    out = self_attention(subject, frozen([[[1.0, 0.0]]]), frozen(Wqkv), frozen(np.eye(2)), 2)
    name = "out with H=2, x @ Wqkv = np.arange(6.0), Wo = np.eye(2),"
    assert_same(out, np.array([[[2.0, 5.0]]]), name)
    for rng, (heads, size) in zip(cycle(rngs), [(2, 1), (H, D)], strict=False):
        x, Wqkv, Wo = draw(rng, T=1, H=heads, D=size)
        out = self_attention(subject, x, Wqkv, Wo, heads)
        assert_same(out, values(x, Wqkv, Wo, heads, size), f"out with H={heads}, D={size}")


def test_equal_scores_give_the_mean(subject, rngs):
    """With zero queries or identical keys, each token gets the mean of the values, times Wo."""
    for rng in rngs:
        for part, what in (QUERIES, "all queries zero"), (KEYS, "all keys of a head identical"):
            x, Wqkv, Wo = (drawn.copy() for drawn in draw(rng))
            x[..., -1] = 1.0
            for h in range(H):
                Wqkv[:, columns(part, h)] = 0.0
                if part == KEYS:  # very different scores in each head
                    Wqkv[-1, columns(part, h).start] = 1e4 * (h - 1)
            out = self_attention(subject, frozen(x), frozen(Wqkv), frozen(Wo), H)
            mean = values(x, Wqkv, Wo, H).mean(axis=1, keepdims=True)  # (B, 1, E)
            want = np.broadcast_to(mean, x.shape)
            assert_same(out, want, f"out with {what}, H={H}, D={D},", ROUNDED)


def test_heads_are_independent(subject, rngs):
    """One head alone gives the right output, and several give the sum of such outputs."""
    x, *weights = draw(rngs[0])
    want = [loops(x, *of_head(h, *weights), 1) for h in range(H)]
    assert_same(self_attention(subject, x, *weights, H), sum(want), f"out with H={H}, D={D}")
    for h in range(H):
        alone = self_attention(subject, x, *of_head(h, *weights), 1)
        assert_same(alone, want[h], f"out with head {h} alone")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
