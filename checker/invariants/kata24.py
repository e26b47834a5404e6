"""What every correct version of kata 24 does.

Every bound on a random result is exceeded by a correct version with a probability below 1e-13, for
normal and for uniform numbers alike: at most 2 exp(-LUCK), see `limits` and `counts`. There are
about a hundred such bounds, so a run fails by bad luck with a probability below 1e-11.
"""

import statistics
from itertools import combinations, cycle

import numpy as np

from checker.judging import (
    assert_array,
    assert_identical,
    assert_same,
    frozen,
    normal,
    unpack,
)
from checker.judging.comparisons import Broken
from checker.judging.domain import each

B, H, T, D = 2, 3, 5, 4
E = H * D
NAMES = "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"
LUCK = 33.0  # 2 exp(-33) is 9e-15
SIZES = [(64, 8), (128, 4), (96, 1), (80, 5), (64, 64), (256, 2)]  # E and H
MANY = [(128, heads) for heads in (1, 2, 4, 8, 16)]  # E and H: 327,680 numbers in all
BINS = 100
TOO_EVEN = 0.24  # (0.24 exp(0.76))^(99 / 2) is 5e-15
FARTHEST = 3.88  # of 327,680 normal numbers, none is farther with a probability of 1.4e-15
SEEDS = [*range(31), *(10**k + n for k in (2, 3, 6) for n in (0, 1, 10)), 10**9]
SEEDS += [*(2**k for k in (5, 8, 10, 12, 16, 20, 24, 30)), 2**31 - 2, 2**31 - 1]


def init_projections(subject, *inputs):
    return unpack(subject.init_projections(*inputs), *NAMES)


def attention(subject, *inputs):
    return unpack(subject.multi_head_attention(*inputs), "out", "weights")


def matrices(subject, E, H, seed):
    """The four matrices, after a check of their shapes and dtype."""
    return checked(init_projections(subject, E, H, seed), E, H)


def checked(got, E, H):
    """The four matrices among the eight arrays."""
    for name, W, shape in zip(NAMES, got, [(H, E, E // H)] * 3 + [(E, E)], strict=False):
        assert_array(W, shape, np.float64, name)
    return got[:4]


def for_seeds(subject, E, H, seeds):
    """The numbers of the four matrices, one row per seed."""
    results = []
    for start in range(0, len(seeds), 40):  # as many as one reply can hold
        some = seeds[start : start + 40]
        labels = [f"E={E}, H={H}, seed={seed}" for seed in some]
        results += each(subject.init_projections, [(E, H, seed) for seed in some], labels)
    rows = (checked(unpack(result, *NAMES), E, H) for result in results)
    return np.array([np.concatenate([W.ravel() for W in four]) for four in rows])


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


def counts(numbers):
    """How many of the numbers lie in each of `BINS` bins that are equally likely, by distribution.

    The numbers have variance one. P(the distribution function of n numbers is anywhere farther
    than e from the true one) <= 2 exp(-2 n e^2) (Dvoretzky, Kiefer, Wolfowitz; Massart). P(the
    mean of k squares of normal numbers < r) <= (r exp(1 - r))^(k / 2), see `TOO_EVEN`.
    """
    shares = np.arange(1, BINS) / BINS
    normal_edges = [statistics.NormalDist().inv_cdf(share) for share in shares]
    edges = {"normal": normal_edges, "uniform": np.sqrt(12) * (shares - 0.5)}
    return {
        name: np.bincount(np.searchsorted(limits, numbers), minlength=BINS)
        for name, limits in edges.items()
    }


def assert_unrelated(one, other, name):
    """Check that two arrays of numbers of variance one have no correlation.

    The mean of n products of independent numbers: P(> t) <= exp(-n t^2 / 4) for t <= 1/2, since
    the mean of exp(s a b) is at most (1 - s^2)^(-1/2), for normal and for uniform a and b.
    """
    far = np.sqrt(4 * LUCK / one.size)
    assert far <= 0.5, one.size
    name = f"mean product of {one.size} numbers and {name}, +-{far:.2f},"
    assert_same(np.array([(one * other).mean()]), np.zeros(1), name, far)


def loops(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    """`out` and `weights`, computed one batch item, head and token at a time."""
    heads, _, size = Wq.shape
    out, weights = np.zeros(x.shape) + bo, np.zeros((len(x), heads, x.shape[1], x.shape[1]))
    for b, h in np.ndindex(len(x), heads):
        k, v = x[b] @ Wk[h] + bk[h], x[b] @ Wv[h] + bv[h]
        for t, query in enumerate(x[b] @ Wq[h] + bq[h]):
            scores = k @ query / np.sqrt(size)
            exp = np.exp(scores - scores.max())
            weights[b, h, t] = exp / exp.sum()
            out[b, t] += weights[b, h, t] @ v @ Wo[h * size : (h + 1) * size]
    return out, weights


def test_shapes_and_dtype(subject, rngs):
    """Matrices and biases have the shapes and dtype given in the contract: 4 E^2 + 4 E numbers."""
    sizes = [(E, H), (E, 1), (5, 5), (1, 1)]
    for rng, (size, heads) in zip(cycle(rngs), sizes, strict=False):
        got = init_projections(subject, size, heads, any_seed(rng))
        own = size // heads
        shapes = [(heads, size, own)] * 3 + [(size, size)] + [(heads, own)] * 3 + [(size,)]
        for array, shape, name in zip(got, shapes, NAMES, strict=True):
            assert_array(array, shape, np.float64, f"{name} for E={size}, H={heads}")


def test_biases_are_zero(subject, rngs):
    """All biases start at zero."""
    for rng, (size, heads) in zip(cycle(rngs), [(E, H), (64, 8)], strict=False):
        biases = init_projections(subject, size, heads, any_seed(rng))[4:]
        shapes = [(heads, size // heads)] * 3 + [(size,)]
        for bias, shape, name in zip(biases, shapes, NAMES[4:], strict=True):
            assert_identical(bias, np.zeros(shape), f"{name}, E={size}, H={heads},")


def test_a_seed_gives_the_same_numbers(subject, rngs):
    """A seed gives the same numbers each time, whatever other calls come in between."""
    seeds = [0, any_seed(rngs[0]), 2**31 - 1]
    first = [init_projections(subject, E, H, seed) for seed in seeds]
    for seed, want in zip(seeds, first, strict=True):
        checked(want, E, H)
        again = init_projections(subject, E, H, seed)
        for array, before, name in zip(again, want, NAMES, strict=True):
            assert_array(array, before.shape, before.dtype, name)
            assert_identical(array, before, f"{name} for seed {seed}, called again,")


def test_no_number_is_reused(subject, rngs):
    """No matrix, head or seed reuses the numbers of another one."""
    known = {}
    for seed, numbers in zip(SEEDS, np.abs(for_seeds(subject, 4, 2, SEEDS)), strict=True):
        for name, W in zip(NAMES, np.split(numbers, 4), strict=False):
            where = f"{name} of seed {seed}"
            other = known.setdefault(np.sort(W).tobytes(), where)
            if other != where:
                raise Broken(f"{other} and {where} have the same numbers, E=4, H=2")
    for size, heads in (24, 4), (24, 1), (17, 17), (48, 4), (64, 8):
        start = any_seed(rngs[0])
        numbers = for_seeds(subject, size, heads, range(start, start + 4))
        # About 5 of 9216 coincide by chance, even in float32; a head of 4 has 144.
        distinct = np.array([len(np.unique(np.abs(numbers))) / numbers.size])
        name = f"fraction of distinct numbers in seeds {start} to {start + 3}, E={size}, H={heads},"
        assert_same(distinct, np.ones(1), name, tolerance=0.01)
        numbers /= np.sqrt((numbers**2).mean()) or 1.0  # their variance is checked elsewhere
        assert_unrelated(numbers[:2], numbers[2:], f"those of seeds 2 higher, E={size}, H={heads}")


def test_small_sizes_give_ordinary_numbers(subject, rngs):
    """For E = 1, 2 and 3 too, every number is finite and has variance 1 / E."""
    for rng, size, some in zip(cycle(rngs), (1, 2, 3), (25, 8, 4), strict=False):
        seeds = [0, 1, *(any_seed(rng) for _ in range(some - 2))]
        numbers = np.sqrt(size) * for_seeds(subject, size, size, seeds)
        for seed, row in zip(seeds, numbers, strict=True):
            if not np.abs(row).max() < 9.0:  # 9 standard deviations: 2e-19
                raise Broken(f"a number for E={size}, H={size}, seed={seed} is too large or nan")
        square = (numbers**2).mean()  # of 99 numbers or more: see `counts` for the lower limit
        if not TOO_EVEN < square < 2.65:  # exp(-99 (1.65 - ln 2.65) / 2) is 3e-15
            message = f"E times the variance of {numbers.size} numbers, E={size}, is {square:.3g}"
            raise Broken(message)


def test_numbers_are_normal_or_uniform(subject, rngs):
    """The numbers are independent, from a normal or a uniform distribution of variance 1 / E."""
    drawn = [matrices(subject, size, heads, any_seed(rngs[0])) for size, heads in MANY]
    numbers = np.concatenate([np.sqrt(128) * W.ravel() for four in drawn for W in four])
    n, found = len(numbers), counts(numbers)
    spread = np.sqrt(4.1 * LUCK / n)  # exp(-n d^2 / 4.1) for a small d; less for a uniform one
    name = f"E times the variance of {n} numbers, E=128, +-{spread:.3f},"
    assert_same(np.array([(numbers**2).mean()]), np.ones(1), name, spread)
    want = np.arange(1, BINS) / BINS
    away = {name: np.abs(bins.cumsum()[:-1] / n - want).max() for name, bins in found.items()}
    nearest, far = min(away, key=lambda name: away[name]), np.sqrt(LUCK / (2 * n))
    name = f"largest distance of {n} numbers from a {nearest} distribution, +-{far:.4f},"
    assert_same(np.array([away[nearest]]), np.zeros(1), name, far)
    if nearest == "normal" and not np.abs(numbers).max() > FARTHEST:
        raise Broken(f"none of {n} normal numbers is above {FARTHEST} standard deviations")
    if not ((found[nearest] - n / BINS) ** 2).mean() > TOO_EVEN * n / BINS:
        raise Broken(f"{n} numbers are spread more evenly than independent ones")
    for (size, heads), four in zip(MANY, drawn, strict=True):
        for W, name in zip(four, NAMES, strict=False):
            # Of a column: one on average, with variance 0.8 / E or more.
            squares = (W**2).sum(axis=-2)
            if not size * ((squares - 1) ** 2).mean() > 0.8 * TOO_EVEN:
                raise Broken(f"columns of {name} are too equal in length, E={size}, H={heads}")
            W = np.sqrt(size) * W.reshape(-1, size, W.shape[-1])
            assert_unrelated(W[..., ::2], W[..., 1::2], f"those in the next column of {name}")
            assert_unrelated(W[:, ::2], W[:, 1::2], f"those in the next row of {name}")
            if len(W) > 1:
                assert_unrelated(W[::2], W[1::2], f"those in the next head of {name}")
        for a, b in combinations(range(3), 2):
            name = f"those at the same places, of {NAMES[a]} and {NAMES[b]}"
            assert_unrelated(size * four[a], four[b], name)


def test_mean_is_zero(subject, rngs):
    """The numbers of each matrix have a mean of zero."""
    for rng, (size, heads) in zip(cycle(rngs), SIZES[:-1], strict=False):
        far, _ = limits(size**2)
        four = matrices(subject, size, heads, any_seed(rng))
        means = [W.mean() / np.sqrt((W**2).mean() or 1.0) for W in four]
        name = f"mean / root mean square of [Wq, Wk, Wv, Wo], E={size}, H={heads}, +-{far:.2f},"
        assert_same(np.array(means), np.zeros(4), name, far)


def test_attention_matches_plain_loops(subject, domain, seed):
    """`out` and `weights` of the attention match a plain-loop implementation, for any numbers."""
    domain.assert_agrees(subject, seed, loops, "out", "weights")


def test_initial_weights_are_spread_out(subject, rngs):
    """Before training, with tokens of variance one, a row's highest weight is small on average."""
    for rng, heads in zip(cycle(rngs), (4, 8, 16), strict=False):
        x = normal(rng, 1, 40, 64)
        first = init_projections(subject, 64, heads, any_seed(rng))
        _, weights = attention(subject, x, *(frozen(array) for array in first))
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
