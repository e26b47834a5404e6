"""Invariants of kata 23: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_same,
    frozen,
    normal,
    unpack,
)

B, G, H, Tq, Tk, D, Dv = 2, 4, 12, 5, 7, 6, 8  # three query heads per key head


def attention(subject, *inputs):
    (out,) = unpack(subject.grouped_query_attention(*inputs), "out")
    return out


def draw(rng, items=B, groups=G, heads=H, queries=Tq, keys=Tk, D=D, Dv=Dv):
    q, k = normal(rng, items, heads, queries, D), normal(rng, items, groups, keys, D)
    return q, k, normal(rng, items, groups, keys, Dv)


def loops(q, k, v):
    """`out`, by loops over groups, their query heads and queries."""
    items, groups, _, D = k.shape
    rep = q.shape[1] // groups
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    for b, g, r, t in np.ndindex(items, groups, rep, q.shape[2]):
        scores = k[b, g] @ q[b, g * rep + r, t] / np.sqrt(D)  # one number per key
        exp = np.exp(scores - scores.max())
        out[b, g * rep + r, t] = exp / exp.sum() @ v[b, g]
    return out


def query_heads(g):
    """The query heads that use key head g of G, each with a label."""
    for h in range(g * H // G, (g + 1) * H // G):
        yield h, f"out for query head {h} of {H}, key head {g} of {G},"


def others(part, g, filling):
    """Keys or values in which all heads but head g are replaced by `filling`."""
    own = np.arange(part.shape[1]) == g
    return frozen(np.where(own[:, None, None], part, filling))


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng, (groups, heads) in zip(cycle(rngs), [(G, H), (1, H), (G, G), (1, 1)], strict=False):
        out = attention(subject, *draw(rng, groups=groups, heads=heads))
        assert_array(out, (B, heads, Tq, Dv), np.float64, "out")


def test_a_key_head_for_every_query_head(subject, rngs):
    """With one key head per query head, the output is right."""
    for rng in rngs:
        inputs = draw(rng, groups=G, heads=G)
        assert_same(attention(subject, *inputs), loops(*inputs), f"out with H={G}, G={G}")


def test_one_key_head_for_all(subject, rngs):
    """With a single key head for all query heads, the output is right."""
    for rng in rngs:
        inputs = draw(rng, groups=1, heads=3)
        assert_same(attention(subject, *inputs), loops(*inputs), "out with H=3, G=1")


def test_the_highest_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring key."""
    keys = np.array([[1e6, 9e5, -1e6], [-7e5, -1e6, -9e5]])  # one row per head
    k = np.stack([keys, keys / 10])[..., None]  # (2, 2, 3, 1)
    q = np.ones((2, 2, 2, 1))
    q[:, :, 1] = -1.0  # ranks the keys in reverse
    v = normal(rngs[0], 2, 2, 3, Dv)
    want = np.stack([v[:, 0, [0, 2]], v[:, 1, [0, 1]]], axis=1)
    assert_same(attention(subject, frozen(q), frozen(k), v), want, "out with H=2, G=2")


def test_batch_items_are_independent(subject, rngs):
    """Each batch item gets the output that it should get on its own."""
    q, k, v = draw(rngs[0])
    want = loops(q, k, v)
    assert_same(attention(subject, q, k, v), want, "out")
    for b in range(B):
        alone = attention(subject, *(frozen(part[b : b + 1]) for part in (q, k, v)))
        assert_same(alone, want[b : b + 1], f"out for item {b} alone")


def test_equal_scores_give_the_mean(subject, rngs):
    """With equal scores, each query gets the mean of the values of its key head."""
    for rng, (groups, heads) in zip(cycle(rngs), [(2, 4), (2, 6), (3, 6)], strict=False):
        q, k, v = draw(rng, items=1, groups=groups, heads=heads, queries=1)
        out = attention(subject, frozen(0 * q), k, v)
        means = [v[:, h // (heads // groups)].mean(axis=1) for h in range(heads)]  # (1, Dv) each
        want = np.stack(means, axis=1)[:, :, None]
        assert_same(out, want, f"out with H={heads}, G={groups}")


def test_values_of_other_heads_change_nothing(subject, rngs):
    """With huge values in all other heads, the output of a query head is right."""
    q, k, v = draw(rngs[0])
    want = loops(q, k, v)
    for g in range(G):
        out = attention(subject, q, k, others(v, g, 1e6))
        assert_array(out, want.shape, np.float64, "out")
        for h, name in query_heads(g):
            assert_same(out[:, h], want[:, h], name)


def test_keys_of_other_heads_change_nothing(subject, rngs):
    """With different keys in all other heads, the output of a query head is right."""
    q, k, v = draw(rngs[0])
    want = loops(q, k, v)
    for g in range(G):
        out = attention(subject, q, others(k, g, normal(rngs[0], *k.shape)), v)
        assert_array(out, want.shape, np.float64, "out")
        for h, name in query_heads(g):
            assert_same(out[:, h], want[:, h], name)


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation."""
    domain.assert_agrees(subject, seed, loops, "out")
