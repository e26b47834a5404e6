"""Invariants of kata 19: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_same, frozen, normal, unpack

B, T, H, D, Dv, E = 2, 5, 3, 4, 6, 7


def multi_head_attention(subject, *inputs):
    return unpack(subject.multi_head_attention(*inputs), "out", "weights")


def draw(rng, B=B, T=T, H=H, D=D, Dv=Dv, E=E):
    """Random tokens, and projections that give scores of order one."""
    into = (normal(rng, E, H, size, scale=0.5) for size in (D, D, Dv))
    return normal(rng, B, T, E), *into, normal(rng, H, Dv, E, scale=0.5)


def projected(values, Wo):
    """The sum over heads of the head's values (B, T, H, Dv) times Wo[h]."""
    return sum(values[:, :, h] @ Wo[h] for h in range(len(Wo)))


def values_of(x, Wv):
    return np.stack([x @ Wv[:, h] for h in range(Wv.shape[1])], axis=2)  # (B, T, H, Dv)


def of_head(h, Wq, Wk, Wv, Wo):
    """The projections of head h, for a layer with this head alone."""
    return *(frozen(W[:, h : h + 1]) for W in (Wq, Wk, Wv)), frozen(Wo[h : h + 1])


def loops(x, Wq, Wk, Wv, Wo):
    """`out` and `weights`, computed one batch item, head and token at a time."""
    items, tokens, _ = x.shape
    out, weights = np.zeros(x.shape), np.zeros((items, len(Wo), tokens, tokens))
    for b, h in np.ndindex(items, len(Wo)):
        k, v = x[b] @ Wk[:, h], x[b] @ Wv[:, h]
        for t, query in enumerate(x[b] @ Wq[:, h]):
            scores = k @ query / np.sqrt(Wq.shape[-1])
            exp = np.exp(scores - scores.max())
            weights[b, h, t] = exp / exp.sum()
            out[b, t] += weights[b, h, t] @ v @ Wo[h]
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and dtype given in the contract."""
    sizes = [{}, {"B": 1, "T": 1}, {"T": H}, {"B": H, "Dv": 1, "E": 2}]
    for rng, size in zip(cycle(rngs), sizes, strict=False):
        x, *matrices = draw(rng, **size)
        out, weights = multi_head_attention(subject, x, *matrices)
        assert_array(out, x.shape, np.float64, "out")
        assert_array(weights, (len(x), H, x.shape[1], x.shape[1]), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """Each row of the weights sums to one."""
    for rng in rngs:
        _, weights = multi_head_attention(subject, *draw(rng))
        assert_array(weights, (B, H, T, T), np.float64, "weights")
        assert_same(weights.sum(axis=-1), np.ones((B, H, T)), "sum of weights")


def test_a_single_token_gets_its_own_value(subject, rngs):
    """A single token has a weight of one and gets its own values, times Wo."""
    for rng in rngs:
        x, Wq, _, Wv, Wo = draw(rng, T=1)
        for Wk, far in (Wq, ""), (frozen(-1e4 * Wq), ", scores far below zero,"):
            out, weights = multi_head_attention(subject, x, Wq, Wk, Wv, Wo)
            assert_same(weights, np.ones((B, H, 1, 1)), f"weights{far}")
            assert_same(out, projected(values_of(x, Wv), Wo), "out")


def test_equal_scores_get_equal_weights(subject, rngs):
    """With equal scores, weights are equal and each token gets the mean of the values, times Wo."""
    for rng, score in zip(cycle(rngs), [0.0, 1e5, -1e5], strict=False):
        x, Wq, Wk, Wv, Wo = (part.copy() for part in draw(rng))
        first, second = np.eye(D)[:2]
        x[..., 0] = 1.0
        Wk[..., :2] = 0.0
        Wq[:], Wq[1] = 0.0, second  # so far every query is orthogonal to every key
        Wq[0], Wk[0] = first, score * first
        out, weights = multi_head_attention(subject, *map(frozen, (x, Wq, Wk, Wv, Wo)))
        name = f"weights with T={T}, all scores {score / np.sqrt(D):g},"
        assert_same(weights, np.full((B, H, T, T), 1 / T), name)
        mean = values_of(x, Wv).mean(axis=1, keepdims=True)
        assert_same(out, np.broadcast_to(projected(mean, Wo), x.shape), "out")


def test_each_query_finds_its_key(subject, rngs):
    """A query that scores one key far above all others gets that key's value."""
    angle, length = 2 * np.pi * np.arange(T) / T, np.linspace(0.5, 1, T)
    for rng, turn in zip(cycle(rngs), (0, 1, 2), strict=False):
        x, _, _, Wv, Wo = (part.copy() for part in draw(rng))
        x[..., 0], x[..., 1] = length * np.cos(angle), length * np.sin(angle)  # becomes the key
        aim = angle + angle[turn]  # the query of token t points at the key of token t + turn
        x[..., 2], x[..., 3] = np.cos(aim), np.sin(aim)
        Wq, Wk = np.zeros((2, E, H, D))
        Wk[0, :, 0] = Wk[1, :, 1] = Wq[2, :, 0] = Wq[3, :, 1] = 1e3
        out, weights = multi_head_attention(subject, *map(frozen, (x, Wq, Wk, Wv, Wo)))
        target = (np.arange(T) + turn) % T
        assert_same(weights, np.broadcast_to(np.eye(T)[target], weights.shape), "weights")
        assert_same(out, projected(values_of(x, Wv)[:, target], Wo), "out")


def test_rotation_changes_nothing(subject, rngs):
    """With all queries and keys rotated in the same way, `weights` and `out` are right."""
    for rng in rngs:
        x, Wq, Wk, Wv, Wo = draw(rng)
        rotation, _ = np.linalg.qr(rng.normal(size=(D, D)))
        want_out, want_weights = loops(x, Wq, Wk, Wv, Wo)
        rotated = frozen(Wq @ rotation), frozen(Wk @ rotation)
        out, weights = multi_head_attention(subject, x, *rotated, Wv, Wo)
        assert_same(weights, want_weights, "weights after a rotation")
        assert_same(out, want_out, "out after a rotation")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the result that it should get on its own."""
    x, *matrices = draw(rngs[0])
    want_out, want_weights = loops(x, *matrices)
    for items in slice(0, B), slice(0, 1), slice(1, 2):
        out, weights = multi_head_attention(subject, frozen(x[items]), *matrices)
        name = f"items {list(range(B))[items]}"
        assert_same(weights, want_weights[items], f"weights for {name}")
        assert_same(out, want_out[items], f"out for {name}")


def test_heads_are_independent(subject, rngs):
    """Alone or next to others, each head has the right weights and adds the right part to `out`."""
    x, *matrices = draw(rngs[0])
    alone = [loops(x, *of_head(h, *matrices)) for h in range(H)]
    out, weights = multi_head_attention(subject, x, *matrices)
    want = np.concatenate([each for _, each in alone], axis=1)
    assert_same(weights, want, f"weights with {H} heads")
    assert_same(out, sum(each for each, _ in alone), f"out with {H} heads")
    for h, (want_out, want_weights) in enumerate(alone):
        out, weights = multi_head_attention(subject, x, *of_head(h, *matrices))
        assert_same(weights, want_weights, f"weights for head {h} alone")
        assert_same(out, want_out, f"out for head {h} alone")


def test_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` match a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")
