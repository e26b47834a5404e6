"""What must hold for kata 08, however it is written."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, qkv, unpack

B, Tq, Tk, D, Dv = 3, 2, 7, 4, 5
LENGTHS = frozen([4, 7, 1])  # some padding, no padding, only one token
PADDING = frozen(np.arange(Tk) >= LENGTHS[:, None])  # (B, Tk)
SIZES = [([2], 1, 6, D), ([3, 1], 3, 3, 3), (LENGTHS, Tq, Tk, D), ([1, 1], Tq, 1, 1)]


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def padded_attention(subject, *inputs):
    return unpack(subject.padded_attention(*inputs), "out", "weights")


def draw(rng, B=B, Tq=Tq, Tk=Tk, D=D):
    return qkv(rng, B, Tq=Tq, Tk=Tk, D=D, Dv=Dv)


def loops(q, k, v, keep):
    """`out` and `weights`, computed one query and one key at a time."""
    out, weights = np.zeros((*q.shape[:2], Dv)), np.zeros((*q.shape[:2], k.shape[1]))
    for b, t in np.ndindex(q.shape[:2]):
        for s in range(k.shape[1]):
            if np.broadcast_to(keep, weights.shape)[b, t, s]:
                weights[b, t, s] = np.exp(np.sum(q[b, t] * k[b, s]) / np.sqrt(q.shape[-1]))
        weights[b, t] /= weights[b, t].sum()
        out[b, t] = sum(w * value for w, value in zip(weights[b, t], v[b], strict=True))
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """`blocked`, `out` and `weights` have the shape and dtype given in the contract."""
    (blocked,) = unpack(subject.blocked_from_lengths(LENGTHS, Tk), "blocked")
    assert_array(blocked, (B, Tk), np.bool_, "blocked")
    for lengths, queries, keys, size in SIZES:
        inputs = draw(rngs[0], len(lengths), queries, keys, size)
        out, weights = padded_attention(subject, *inputs, frozen(lengths))
        assert_array(out, (len(lengths), queries, Dv), np.float64, "out")
        assert_array(weights, (len(lengths), queries, keys), np.float64, "weights")


def test_padding_is_blocked(subject, rngs):
    """`blocked` is True at the padding of each sentence, and nowhere else."""
    for T in 7, 9:
        (blocked,) = unpack(subject.blocked_from_lengths(LENGTHS, T), "blocked")
        want = [[t not in range(length) for t in range(T)] for length in LENGTHS]
        assert_identical(blocked, np.array(want), "blocked")


def test_attention_follows_keep(subject, rngs):
    """`attention` attends to the keys where `keep` is True or 1, and to no others."""
    for rng, kind in zip(cycle(rngs), (bool, np.int64, np.uint8), strict=False):
        keep = rng.random((B, Tq, Tk)) < 0.5
        keep[..., 0], keep[..., -1] = False, True
        for part in (keep, keep[:, :1]) if kind is bool else (keep[0], keep[1, 0]):
            inputs = draw(rng)
            want_out, want_weights = loops(*inputs, part)
            out, weights = attention(subject, *inputs, frozen(part, kind))
            name = f"for keep {part.shape} of {kind.__name__}"
            assert_same(weights, want_weights, f"weights {name}")
            assert_same(out, want_out, f"out {name}")
    inputs, causal = draw(rngs[0], 3, 3, 3), np.tri(3, dtype=bool)  # B = Tq
    _, want_weights = loops(*inputs, causal)
    _, weights = attention(subject, *inputs, frozen(causal, bool))
    assert_same(weights, want_weights, "weights for keep (3, 3) of bool")


def test_padding_weighs_nothing(subject, rngs):
    """In `padded_attention`, padding has a weight of exactly zero, and each row sums to one."""
    for rng in rngs:
        _, weights = padded_attention(subject, *draw(rng), LENGTHS)
        assert_array(weights, (B, Tq, Tk), np.float64, "weights")
        of_padding = np.where(PADDING[:, None], weights, 0.0)
        assert_identical(of_padding, np.zeros((B, Tq, Tk)), "weights of padding")
        assert_same(weights.sum(axis=-1), np.ones((B, Tq)), "sum of weights")


def test_padding_changes_nothing(subject, rngs):
    """Changing the padding does not change the `out` of `padded_attention`."""
    padding = PADDING[..., None]  # (B, Tk, 1)
    for rng in rngs:
        q, k, v = draw(rng)
        want, _ = padded_attention(subject, q, k, v, LENGTHS)
        other = frozen(np.where(padding, normal(rng, *k.shape, scale=5.0), k))
        out, _ = padded_attention(subject, q, other, v, LENGTHS)
        assert_same(out, want, "out, with other keys,")
        out, _ = padded_attention(subject, q, k, frozen(np.where(padding, 1e300, v)), LENGTHS)
        assert_same(out, want, "out, with other values,")


def test_a_sentence_gets_the_same_output_alone(subject, rngs):
    """A sentence in a batch gets the same output as it gets alone, without padding."""
    for rng in rngs:
        q, k, v = draw(rng)
        out, _ = padded_attention(subject, q, k, v, LENGTHS)
        assert_array(out, (B, Tq, Dv), np.float64, "out")
        for b, length in enumerate(LENGTHS):
            tokens = frozen(k[b : b + 1, :length]), frozen(v[b : b + 1, :length])
            allowed = frozen(np.ones((1, Tq, length), dtype=bool))
            want, _ = attention(subject, q[b : b + 1], *tokens, allowed)
            assert_array(want, (1, Tq, Dv), np.float64, "out for a sentence alone")
            assert_same(out[b], want[0], f"out for item {b}, length {length},")


def test_the_highest_allowed_score_wins(subject, rngs):
    """With widely spaced scores, each query gets the value of its highest-scoring allowed key."""
    k = [[-1e6, 1e6, 9e5], [-1e4, -1e6, -9e5], [-200.0, -150.0, -30.0], [9e5, 1e6, -1e6]]
    keep = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]], dtype=bool)[:, None]
    tokens = np.arange(3) < np.array([1, 2, 2, 3])[:, None, None]
    q = np.array([[[1.0], [-1.0]]] * 4)
    for rng in rngs:
        inputs = frozen(q), frozen(k)[..., None], normal(rng, 4, 3, Dv)
        masked, _ = attention(subject, *inputs, frozen(keep))
        padded, _ = padded_attention(subject, *inputs, frozen([1, 2, 2, 3]))
        for out, mask, name in (masked, keep, "attention"), (padded, tokens, "padded_attention"):
            highest = np.where(mask, q * np.array(k)[:, None], -np.inf).argmax(axis=-1)
            want = inputs[2][np.arange(4)[:, None], highest]
            assert_same(out, want, f"out of {name}")


def test_matches_plain_loops(subject, rngs):
    """`out` and `weights` of `padded_attention` match a plain-loop implementation."""
    for rng, (lengths, queries, keys, size) in zip(cycle(rngs), SIZES, strict=False):
        inputs = draw(rng, len(lengths), queries, keys, size)
        keep = [[[s < length for s in range(keys)]] for length in lengths]  # (B, 1, Tk)
        want_out, want_weights = loops(*inputs, keep)
        out, weights = padded_attention(subject, *inputs, frozen(lengths))
        name = f"for lengths {np.array(lengths).tolist()}, k {inputs[1].shape}"
        assert_same(weights, want_weights, f"weights {name}")
        assert_same(out, want_out, f"out {name}")
