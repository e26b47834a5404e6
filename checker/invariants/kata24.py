"""What every correct version of kata 24 does.

Every bound on a random result is exceeded by a correct version with a probability below 1e-13, for
normal and for uniform numbers alike: at most 2 exp(-LUCK), see `limits`. There are about a hundred
such bounds, so a run fails by bad luck with a probability below 1e-11.
"""

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

B, H, T, D = 2, 3, 5, 4
E = H * D
NAMES = "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"
LUCK = 33.0  # 2 exp(-33) is 9e-15
SIZES = [(64, 8), (128, 4), (96, 1), (80, 5), (64, 64)]  # E and H


def init_projections(subject, *inputs):
    return unpack(subject.init_projections(*inputs), *NAMES)


def attention(subject, *inputs):
    return unpack(subject.multi_head_attention(*inputs), "out", "weights")


def matrices(subject, E, H, seed):
    """The four matrices, after a check of their shapes and dtype."""
    four = init_projections(subject, E, H, seed)[:4]
    for name, W, shape in zip(NAMES, four, [(H, E, E // H)] * 3 + [(E, E)], strict=False):
        assert_array(W, shape, np.float64, name)
    return four


def any_seed(rng):
    return int(rng.integers(2**31 - 4))


def limits(n):
    """How far the mean may lie from zero and the mean square from one, for n numbers.

    In units of the standard deviation and the variance. Mean, for symmetric numbers divided by
    their root mean square: P(|mean| > t) <= 2 exp(-n t^2 / 2). Mean square: P(> 1 + d) is at most
    exp(-n (d - ln(1 + d)) / 2), hence exp(-n d^2 / 6) for d <= 1/2; since squares are not
    negative, P(< 1 - d) is at most exp(-n d^2 / (2 m)), where m, the mean fourth power, is <= 3.
    """
    t, d = np.sqrt(2 * LUCK / n), np.sqrt(6 * LUCK / n)
    assert d <= 0.5, n  # so twice or half the variance is far outside
    return t, d


def loops(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    """`out` and `weights`, by loops over heads and tokens."""
    heads, _, size = Wq.shape
    out, weights = np.zeros(x.shape) + bo, np.zeros((len(x), heads, x.shape[1], x.shape[1]))
    for b, h, t in np.ndindex(*weights.shape[:3]):
        q = x[b, t] @ Wq[h] + bq[h]
        scores = np.array([q @ (token @ Wk[h] + bk[h]) for token in x[b]]) / np.sqrt(size)
        exp = np.exp(scores - scores.max())
        weights[b, h, t] = exp / exp.sum()
        values = [token @ Wv[h] + bv[h] for token in x[b]]
        head = sum(w * v for w, v in zip(weights[b, h, t], values, strict=True))
        out[b, t] += head @ Wo[h * size : (h + 1) * size]
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """Matrices and biases have the shapes and dtype given in the contract: 4 E^2 + 4 E numbers."""
    sizes = [(E, H), (E, 1), (5, 5), (1, 1)]
    for rng, (size, heads) in zip(cycle(rngs), sizes, strict=False):
        got = init_projections(subject, size, heads, any_seed(rng))
        own = size // heads
        shapes = [(heads, size, own)] * 3 + [(size, size)] + [(heads, own)] * 3 + [(size,)]
        for each, shape, name in zip(got, shapes, NAMES, strict=True):
            assert_array(each, shape, np.float64, name)


def test_biases_are_zero(subject, rngs):
    """All biases start at zero."""
    for rng, (size, heads) in zip(cycle(rngs), [(E, H), (64, 8)], strict=False):
        biases = init_projections(subject, size, heads, any_seed(rng))[4:]
        for bias, name in zip(biases, NAMES[4:], strict=True):
            assert_identical(bias, np.zeros(bias.shape), f"{name}, E={size}, H={heads},")


def test_a_seed_gives_the_same_numbers(subject, rngs):
    """A seed gives the same numbers each time, whatever other calls come in between."""
    seeds = [0, any_seed(rngs[0]), 2**31 - 1]
    first = [init_projections(subject, E, H, seed) for seed in seeds]
    for seed, want in zip(seeds, first, strict=True):
        again = init_projections(subject, E, H, seed)
        for each, before, name in zip(again, want, NAMES, strict=True):
            assert_identical(each, before, f"{name} for seed {seed}, called again,")


def test_no_number_is_reused(subject, rngs):
    """No matrix, head or seed reuses the numbers of another one."""
    for start in 0, any_seed(rngs[0]):
        drawn = [matrices(subject, 24, 4, start + i) for i in range(4)]
        numbers = np.abs([np.concatenate([W.ravel() for W in four]) for four in drawn])
        # About 5 of these 9216 coincide by chance, even in float32; a head has 144.
        distinct = np.array([len(np.unique(numbers)) / numbers.size])
        name = f"fraction of distinct numbers in seeds {start} to {start + 3}"
        assert_same(distinct, np.ones(1), name, tolerance=0.01)


def test_mean_is_zero(subject, rngs):
    """The numbers of each matrix have a mean of zero."""
    for rng, (size, heads) in zip(cycle(rngs), SIZES, strict=False):
        far, _ = limits(size**2)
        four = matrices(subject, size, heads, any_seed(rng))
        means = [W.mean() / np.sqrt((W**2).mean() or 1.0) for W in four]
        name = f"mean / root mean square of [Wq, Wk, Wv, Wo], E={size}, H={heads}, +-{far:.2f},"
        assert_same(np.array(means), np.zeros(4), name, far)


def test_attention_matches_plain_loops(subject, rngs):
    """`out` and `weights` of the attention match a plain-loop implementation, for any numbers."""
    sizes = [(1, 2, 5, 3.0), (H, H, D, 1.0), (T, H, D, 0.3), (T, 1, 7, 1.0), (2, 6, 1, 30.0)]
    for rng, (tokens, heads, size, scale) in zip(cycle(rngs), sizes, strict=False):
        width = heads * size
        into = [normal(rng, heads, width, size, scale=scale) for _ in range(3)]
        if tokens == 1:
            into[1] = frozen(-30.0 * into[0])  # scores far below zero
        biases = (normal(rng, heads, size) for _ in range(3))
        x = normal(rng, B, tokens, width)
        inputs = x, *into, normal(rng, width, width), *biases, normal(rng, width)
        out, weights = attention(subject, *inputs)
        want_out, want_weights = loops(*inputs)
        label = f"with T={tokens}, E={width}, H={heads}"
        assert_same(weights, want_weights, f"weights {label}")
        assert_same(out, want_out, f"out {label}")


def test_initial_weights_are_spread_out(subject, rngs):
    """Before training, with tokens of variance one, a row's highest weight is small on average."""
    for rng, heads in zip(cycle(rngs), (4, 8, 16), strict=False):
        x = normal(rng, 1, 40, 64)
        first = init_projections(subject, 64, heads, any_seed(rng))
        _, weights = attention(subject, x, *(frozen(each) for each in first))
        assert_array(weights, (1, heads, 40, 40), np.float64, "weights")
        # Measured on 6000 correct results: 0.14 +- 0.009, never above 0.18.
        highest = np.array([weights.max(axis=-1).mean()])
        name = f"mean of the highest weights, E=64, H={heads}, T=40, +-0.16,"
        assert_same(highest, np.array([0.14]), name, tolerance=0.16)


def test_variance_is_one_over_the_size(subject, rngs):
    """The numbers of each matrix and of each head have variance 1 / E, for any number of heads."""
    for rng, (size, heads) in zip(cycle(rngs), SIZES, strict=False):
        four = matrices(subject, size, heads, any_seed(rng))
        _, far = limits(size**2)
        squares = np.array([size * (W**2).mean() for W in four])
        label = f"E={size}, H={heads}"
        name = f"E times the variance of [Wq, Wk, Wv, Wo], {label}, +-{far:.2f},"
        assert_same(squares, np.ones(4), name, far)
        if size**2 // heads >= 1024:
            _, far = limits(size**2 // heads)
            parts = [*four[:3], four[3].reshape(heads, -1, size)]
            squares = np.array([size * (W**2).mean(axis=(1, 2)) for W in parts])
            name = f"E times the variance of [Wq, Wk, Wv, Wo] by head, {label}, +-{far:.2f},"
            assert_same(squares, np.ones((4, heads)), name, far)
