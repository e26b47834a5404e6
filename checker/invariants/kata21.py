"""Invariants of kata 21: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

T, B, H, D, E = 5, 2, 3, 4, 7  # H * D = 12 differs from all of them


def causal_attention(subject, *inputs):
    (out,) = unpack(subject.causal_attention(*inputs), "out")
    return out


def draw(rng, T=T, B=B, H=H, D=D, E=E):
    """Random tokens, and projections that give scores of order one."""
    into = (normal(rng, E, H * D, scale=0.5) for _ in range(3))
    return normal(rng, T, B, E), *into, normal(rng, H * D, E, scale=0.5)


def of_head(h, Wq, Wk, Wv, Wo, D=D):
    """The projections of head h, for a layer with this head alone."""
    own = slice(h * D, (h + 1) * D)
    return *(frozen(W[:, own]) for W in (Wq, Wk, Wv)), frozen(Wo[own])


def loops(x, Wq, Wk, Wv, Wo, H):
    """`out`, computed one batch item, head and token at a time."""
    out, D = np.zeros(x.shape), Wq.shape[1] // H
    for b, h in np.ndindex(x.shape[1], H):
        into_q, into_k, into_v, back = of_head(h, Wq, Wk, Wv, Wo, D)
        k, v = x[:, b] @ into_k, x[:, b] @ into_v
        for t, query in enumerate(x[:, b] @ into_q):
            scores = k[: t + 1] @ query / np.sqrt(D)
            exp = np.exp(scores - scores.max())
            out[t, b] += exp @ v[: t + 1] / exp.sum() @ back
    return out


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng, (tokens, items) in zip(cycle(rngs), [(T, B), (B, T), (1, 1), (H, H)], strict=False):
        out = causal_attention(subject, *draw(rng, tokens, items), H)
        assert_array(out, (tokens, items, E), np.float64, "out")


def test_the_first_token_gets_its_own_value(subject, rngs):
    """The first token of each batch item gets its own value, times Wo."""
    for rng, (tokens, items) in zip(cycle(rngs), [(1, B), (1, 6), (T, 6)], strict=False):
        x, Wq, _, Wv, Wo = draw(rng, tokens, items)
        for Wk, far in (Wq, ""), (frozen(-1e4 * Wq), ", scores far below zero,"):
            out = causal_attention(subject, x, Wq, Wk, Wv, Wo, H)
            assert_array(out, x.shape, np.float64, "out")
            assert_same(out[:1], x[:1] @ Wv @ Wo, f"out with T={tokens}, B={items}{far}")


def test_equal_scores_give_the_mean_so_far(subject, rngs):
    """With equal scores, each token gets the mean of its own and all earlier values, times Wo."""
    for rng, items in zip(cycle(rngs), (1, B, T), strict=False):
        x, Wq, Wk, Wv, Wo = draw(rng, B=items)
        out = causal_attention(subject, x, frozen(0 * Wq), Wk, Wv, Wo, H)
        count = np.arange(1, T + 1)[:, None, None]
        want = (x @ Wv).cumsum(axis=0) / count @ Wo
        assert_same(out, want, f"out with T={T}, B={items}")


def test_later_tokens_change_nothing(subject, rngs):
    """With other tokens later on, earlier outputs are right."""
    for rng in rngs:
        x, *matrices = draw(rng)
        want = loops(x, *matrices, H)
        for t in (1, T - 1):
            other = np.concatenate([x[:t], normal(rng, T - t, B, E, scale=5.0)])
            out = causal_attention(subject, frozen(other), *matrices, H)
            assert_array(out, x.shape, np.float64, "out")
            assert_same(out[:t], want[:t], f"out before token {t} of {T}")


def test_the_highest_score_so_far_wins(subject, rngs):
    """With widely spaced scores, each token gets the highest-scoring value so far, times Wo."""
    levels = [[-1, -2, 3, -3, 9], [-10, 4, -8, 8, 10], [10, 9, 3, 2, -10]]  # one row per item
    for rng in rngs:
        x, _, _, Wv, Wo = draw(rng, B=len(levels))
        x = x.copy()
        x[..., 0], x[..., 1] = 1.0, np.transpose(levels)
        Wq, Wk = np.zeros((2, E, H * D))
        Wq[0], Wk[1] = 1e3, 1e2 / np.sqrt(D) / D  # each score is 1e5 times the key's level
        out = causal_attention(subject, *map(frozen, (x, Wq, Wk, Wv, Wo)), H)
        highest = [[np.argmax(item[: t + 1]) for item in levels] for t in range(T)]  # (T, B)
        tokens = np.take_along_axis(x, np.array(highest)[..., None], axis=0)
        assert_same(out, tokens @ Wv @ Wo, "out")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own, wherever it is."""
    x, *matrices = draw(rngs[0], B=4)
    want = loops(x, *matrices, H)
    assert_same(causal_attention(subject, x, *matrices, H), want, "out for 4 items")
    for b in range(4):
        alone = causal_attention(subject, frozen(x[:, b : b + 1]), *matrices, H)
        assert_same(alone, want[:, b : b + 1], f"out for item {b} alone")


def test_heads_are_independent(subject, rngs):
    """One head alone gives the right output, and several give the sum of such outputs."""
    x, *matrices = draw(rngs[0])
    want = [loops(x, *of_head(h, *matrices), 1) for h in range(H)]
    assert_same(causal_attention(subject, x, *matrices, H), sum(want), f"out with {H} heads")
    for h in range(H):
        alone = causal_attention(subject, x, *of_head(h, *matrices), 1)
        assert_same(alone, want[h], f"out with head {h} alone")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
