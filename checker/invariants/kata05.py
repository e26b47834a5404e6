"""What must hold of kata 05, however it is written."""

from itertools import cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_identical,
    assert_same,
    frozen,
    normal,
    unpack,
)

B, H, Tq, Tk, D, Dv = 2, 7, 3, 5, 4, 6
LOWEST = np.finfo(np.float64).min


def attention(subject, *inputs):
    return unpack(subject.attention(*inputs), "out", "weights")


def draw(rng, *axes, queries=Tq, keys=Tk, D=D, scale=1.0):
    """Inputs in which query t may read key 0 and some others, a different set for each.

    No query may read the last key, unless it is the only one. Scores are of the order of
    `scale` squared.
    """
    keep = rng.random((*axes, queries, keys)) < 0.5
    keep[..., -1], keep[..., 0] = False, True
    q, k = normal(rng, *axes, queries, D, scale=scale), normal(rng, *axes, keys, D, scale=scale)
    return q, k, normal(rng, *axes, keys, Dv), frozen(keep)


def unread(keep):
    """True at the keys that no query may read, beside an axis for the numbers in them."""
    return ~keep.any(axis=-2)[..., None]


def by_scores(rng, rows, keep):
    """Inputs with exactly these scores, one query a batch item."""
    rows = np.array(rows, dtype=float)  # (R, Tk)
    q, k, v = np.ones((len(rows), 1, 1)), rows[..., None], normal(rng, *rows.shape, Dv)
    return frozen(q), frozen(k), v, frozen(np.broadcast_to(keep, (len(rows), 1, rows.shape[-1])))


def listed(numbers):
    """Numbers as they stand in a message."""
    return ", ".join(f"{number:g}" for number in numbers)


def test_shapes_and_dtype(subject, rngs):
    """`out` and `weights` have the shape and the dtype of the contract."""
    sizes = [((), Tq, Tk), ((B,), Tq, Tk), ((B, H), Tq, Tk), ((B,), 1, Tk), ((B,), Tq, 1)]
    for rng, (axes, queries, keys) in zip(cycle(rngs), sizes, strict=False):
        out, weights = attention(subject, *draw(rng, *axes, queries=queries, keys=keys))
        assert_array(out, (*axes, queries, Dv), np.float64, "out")
        assert_array(weights, (*axes, queries, keys), np.float64, "weights")


def test_every_row_sums_to_one(subject, rngs):
    """The weights of every query sum to one, whatever the size of the scores."""
    for rng in rngs:
        for scale in (1.0, 1e5, 1e150):
            _, weights = attention(subject, *draw(rng, B, scale=scale))
            name = f"sum of weights for q and k of size {scale:g}"
            assert_same(weights.sum(axis=-1), np.ones((B, Tq)), name)


def test_blocked_keys_weigh_nothing(subject, rngs):
    """A key that a query may not read has a weight of exactly zero, whatever the scores."""
    for rng in rngs:
        for scale in (1.0, 1e5, 1e150):
            *inputs, keep = draw(rng, B, scale=scale)
            _, weights = attention(subject, *inputs, keep)
            blocked, name = np.where(keep, 0.0, weights), f"blocked weights for k of size {scale:g}"
            assert_identical(blocked, np.zeros((B, Tq, Tk)), name)


def test_blocked_values_change_nothing(subject, rngs):
    """Huge numbers in a value that no query may read leave every answer as it was."""
    for rng in rngs:
        for scale in (1.0, 1e5):
            q, k, v, keep = draw(rng, B, scale=scale)
            want, _ = attention(subject, q, k, v, keep)
            out, _ = attention(subject, q, k, frozen(np.where(unread(keep), 1e300, v)), keep)
            assert_identical(out, want, f"out for q and k of size {scale:g}")


def test_blocked_keys_change_nothing(subject, rngs):
    """Other numbers in a key that no query may read, of any size, leave every answer as it was."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        want, _ = attention(subject, q, k, v, keep)
        for scale in (5.0, 1e3, 1e10, 1e300):
            other = np.where(unread(keep), normal(rng, *k.shape, scale=scale), k)
            out, _ = attention(subject, q, frozen(other), v, keep)
            assert_same(out, want, f"out with other keys of size {scale:g}")


def test_blocked_scores_never_win(subject, rngs):
    """A query that may read one key gets its value, however far above it the others score."""
    for rng in rngs:
        rows = [[0, 30], [0, 1e10], [-3e9, 0], [-2e4, -1e4], [1e10, 3e10], [-1e31, 1e31]]
        rows += [[-1e308, 1e308], [1e308, 1.5e308]]
        q, k, v, keep = by_scores(rng, rows, [True, False])
        out, weights = attention(subject, q, k, v, keep)
        assert_array(weights, keep.shape, np.float64, "weights")
        for row, got in zip(rows, weights, strict=True):
            assert_same(got, keep[0] * 1.0, f"weights for scores of {listed(row)}")
        assert_same(out, v[:, :1], "out")


def test_highest_readable_key_takes_all(subject, rngs):
    """Of readable keys that score far apart, the highest gives its value, wherever they lie."""
    rows = [[2e3, 3e3], [2e12, 3e12], [-3e12, -2e12], [1.2e308, 1.5e308], [-1.5e308, -1.2e308]]
    q, k, v, keep = by_scores(rngs[0], rows, [True, True])
    out, _ = attention(subject, q, k, v, keep)
    assert_array(out, (len(rows), 1, Dv), np.float64, "out")
    for row, got, value in zip(rows, out, v, strict=True):
        assert_same(got, value[1:], f"out for scores of {listed(row)}")


def test_equal_scores_share_equally(subject, rngs):
    """Readable keys of the same score weigh the same, whatever that score is."""
    sizes = [0.0, 1e3, -1e3, 1e18, -1e18, 1e300]
    q, k, v, keep = by_scores(rngs[0], [[size, size, 0.0] for size in sizes], [True, True, False])
    _, weights = attention(subject, q, k, v, keep)
    assert_array(weights, keep.shape, np.float64, "weights")
    for size, got in zip(sizes, weights, strict=True):
        name = f"weights for scores of {listed([size, size])} and a blocked 0"
        assert_same(got, keep[0] / 2, name)


def test_lowest_score_can_be_read(subject, rngs):
    """A query gets the value of the one key that it may read, even at the lowest float64."""
    for rng in rngs:
        q, k, v, keep = by_scores(rng, [[LOWEST, LOWEST, 0.0]], [False, True, False])
        out, weights = attention(subject, q, k, v, keep)
        name = f"for scores of {listed([LOWEST, LOWEST, 0])}"
        assert_same(weights, np.array([[[0.0, 1.0, 0.0]]]), f"weights {name}")
        assert_same(out, v[:, 1:2], f"out {name}")


def test_mask_broadcasts(subject, rngs):
    """`keep` may leave out an axis, or have size one there: it then holds for all of it."""
    for rng in rngs:
        q, k, v, keep = draw(rng, B)
        for part in (keep[:, :1], keep[0], keep[0, 0]):  # (B, 1, Tk), (Tq, Tk), (Tk,)
            want, _ = attention(subject, q, k, v, frozen(np.broadcast_to(part, keep.shape)))
            out, _ = attention(subject, q, k, v, frozen(part))
            assert_same(out, want, f"out for keep {part.shape}, k {k.shape}")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` and `weights` are what plain loops give, for ordinary scores and for huge ones."""
    for rng in rngs:
        for size, scale in (D, 1.0), (H, 1.0), (D, 1e5):
            q, k, v, keep = draw(rng, B, D=size, scale=scale)
            want_out, want_weights = np.zeros((B, Tq, Dv)), np.zeros((B, Tq, Tk))
            for b, t in np.ndindex(B, Tq):
                read = [s for s in range(Tk) if keep[b, t, s]]
                scores = [q[b, t] @ k[b, s] / np.sqrt(size) for s in read]
                exp = [np.exp(score - max(scores)) for score in scores]
                want_weights[b, t, read] = np.array(exp) / sum(exp)
                want_out[b, t] = sum(want_weights[b, t, s] * v[b, s] for s in read)
            out, weights = attention(subject, q, k, v, keep)
            name = f"for q {q.shape}, of size {scale:g},"
            assert_same(weights, want_weights, f"weights {name}")
            assert_same(out, want_out, f"out {name}")
