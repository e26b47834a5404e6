"""What every correct version of kata 20 does."""

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


def loops(x, Wqkv, Wo, heads, D):
    """`out`, by loops over tokens and heads."""
    out = np.zeros(x.shape)
    for b, t, h in np.ndindex(*x.shape[:2], heads):
        q = x[b, t] @ Wqkv[:, columns(QUERIES, h, D)]
        scores = x[b] @ Wqkv[:, columns(KEYS, h, D)] @ q / np.sqrt(D)  # one number per token
        exp = np.exp(scores - scores.max())
        head = exp / exp.sum() @ (x[b] @ Wqkv[:, columns(VALUES, h, D)])
        out[b, t] += head @ Wo[h * D : (h + 1) * D]
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng, heads in zip(cycle(rngs), [H, 1], strict=False):
        out = self_attention(subject, *draw(rng, H=heads), heads)
        assert_array(out, (B, T, E), np.float64, "out")


def test_one_head(subject, rngs):
    """With one head, Wqkv has D columns for the query, then D for the key, then D for the value."""
    for rng, size in zip(cycle(rngs), [1, 3, D], strict=False):
        inputs = draw(rng, H=1, D=size)
        out = self_attention(subject, *inputs, 1)
        assert_same(out, loops(*inputs, 1, size), f"out with H=1, D={size}")


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
    """Reordering the tokens reorders the output in the same way."""
    for rng in rngs:
        x, *weights = draw(rng)
        want = self_attention(subject, x, *weights, H)
        assert_array(want, (B, T, E), np.float64, "out")
        out = self_attention(subject, frozen(x[:, ::-1]), *weights, H)
        assert_same(out, want[:, ::-1], "out")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the same output as on its own."""
    x, *weights = draw(rngs[0])
    out = self_attention(subject, x, *weights, H)
    assert_array(out, (B, T, E), np.float64, "out")
    for b in range(B):
        alone = self_attention(subject, frozen(x[b : b + 1]), *weights, H)
        assert_same(out[b : b + 1], alone, f"out for item {b}")


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
    """With several heads, the output is the sum of what each head gives alone."""
    x, *weights = draw(rngs[0])
    out = self_attention(subject, x, *weights, H)
    heads = [self_attention(subject, x, *of_head(h, *weights), 1) for h in range(H)]
    assert_same(out, sum(heads), f"out with H={H}, D={D}")


def test_matches_plain_loops(subject, rngs):
    """`out` matches a plain-loop implementation."""
    sizes = [(1, 2, 2, 1, 2), (1, 3, 4, 1, 5), (1, 2, 12, 1, 2), (3, 2, 6, 2, 1), (B, 4, 2, 3, 6)]
    sizes += [(3, 3, 3, 3, 9), (B, T, H, D, E)]
    for rng, (items, tokens, heads, size, width) in zip(cycle(rngs), sizes, strict=False):
        inputs = draw(rng, items, tokens, heads, size, width)
        out = self_attention(subject, *inputs, heads)
        name = f"out with T={tokens}, E={width}, H={heads}, D={size}"
        assert_same(out, loops(*inputs, heads, size), name)
