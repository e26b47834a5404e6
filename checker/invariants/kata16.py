"""Invariants of kata 16: every correct implementation passes them."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

B, H, S, D, Dv = 4, 3, 7, 5, 6  # S rows in a buffer
LENGTHS = frozen([5, 1, S, 3])
WILD = [np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0]
SPECIAL = {"NaN": [np.nan], "inf": [np.inf], "-inf": [-np.inf], "NaN, inf and huge numbers": WILD}


def decode(subject, *inputs):
    (out,) = unpack(subject.decode(*inputs), "out")
    return out


def draw(rng, B=B, H=H, S=S, D=D, scale=1.0):
    """A query and two buffers with ordinary numbers in every row."""
    q, keys = normal(rng, B, H, D, scale=scale), normal(rng, B, H, S, D, scale=scale)
    return q, keys, normal(rng, B, H, S, Dv)


def with_junk(rng, buffer, lengths, junk):
    """The buffer, with random choices from `junk` in all unfilled rows."""
    rest = np.arange(buffer.shape[2])[:, None] >= lengths[:, None, None, None]
    return frozen(np.where(rest, rng.choice(junk, size=buffer.shape), buffer))


def loops(q, keys, values, lengths):
    """`out`, computed one head at a time."""
    out = np.zeros((*q.shape[:2], values.shape[-1]))
    for b, h in np.ndindex(q.shape[:2]):
        filled = slice(lengths[b])
        scores = keys[b, h, filled] @ q[b, h] / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max())  # all NaN if a key holds NaN
        out[b, h] = (exp / exp.sum()) @ values[b, h, filled]
    return out


def split(out):
    """True where `out` is NaN, and `out` with zeros there: NaN itself equals nothing."""
    return np.isnan(out), np.where(np.isnan(out), 0.0, out)


def split_loops(*inputs):
    """The split output of `loops`."""
    return split(loops(*inputs))


class Split:
    """The subject, with its outputs split into numbers and NaN."""

    def __init__(self, subject):
        self.decode, self._decode = self, subject.decode

    def each(self, batch, *, views):
        """The split output for each of these inputs."""
        results = [unpack(out, "out")[0] for out in self._decode.each(batch, views=views)]
        shapes = [(*q.shape[:2], values.shape[-1]) for q, _, values, _ in batch]
        return [
            split(out) if (out.shape, out.dtype.kind) == (shape, "f") else (out, out)
            for out, shape in zip(results, shapes, strict=True)
        ]


def assert_items(out, want, lengths, rows, detail="", tolerance=None):
    """Check `out` one item at a time, with its length in the message."""
    assert_array(out, want.shape, np.float64, "out")
    for b in np.argsort(lengths, kind="stable"):
        name = f"out of item {b}, {lengths[b]} of {rows} rows filled{detail},"
        assert_same(out[b], want[b], name, tolerance)


def assert_items_but(out, want, is_nan, *details):
    """Check that `out` is NaN where `is_nan` is True, and as wanted elsewhere."""
    assert_array(out, want.shape, np.float64, "out")
    assert_identical(np.isnan(out), is_nan, "isnan(out)")
    assert_items(np.where(is_nan, 0.0, out), np.where(is_nan, 0.0, want), *details)


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and dtype given in the contract."""
    for rng in rngs:
        for sizes in (B, H, S, D), (B, 1, S, 1), (B, H, S + 2, H):
            out = decode(subject, *draw(rng, *sizes), LENGTHS)
            assert_array(out, (B, sizes[1], Dv), np.float64, "out")


def test_full_buffers_match_plain_loops(subject, rngs):
    """With full buffers, `out` matches a plain-loop implementation."""
    sizes = [(2, H, 1, D), (1, 2, S, D), (H, B, H, 1), (B, B, B, B), (B, H, S, D)]
    for rng, size in zip(cycle(rngs), sizes, strict=False):
        inputs = *draw(rng, *size), frozen([size[2]] * size[0])
        name = f"out with {size[2]} rows, D={size[3]}"
        assert_same(decode(subject, *inputs), loops(*inputs), name)


def test_equal_scores_give_the_mean(subject, rngs):
    """If all filled keys score the same, high or low, `out` is the mean of the filled values."""
    for rng in rngs:
        values = normal(rng, B, H, S, Dv)
        want = np.array([values[b, :, :length].mean(axis=1) for b, length in enumerate(LENGTHS)])
        keys = with_junk(rng, np.full((B, H, S, 1), 1e3), LENGTHS, [0.0])
        for number in -1e3, 0.0, 1e3:  # scores of minus a million, zero and a million
            out = decode(subject, frozen(np.full((B, H, 1), number)), keys, values, LENGTHS)
            detail = f", all scores {1e3 * number:g}"
            # A log-softmax rounds near a million, so the tolerance is wider.
            assert_items(out, want, LENGTHS, S, detail, tolerance=1e-9)


def test_huge_numbers_past_the_length_change_nothing(subject, rngs):
    """With huge finite numbers in unfilled rows, the output is right."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for junk in [1e6, -1e6], [1e300, -1e300], [np.finfo(float).max]:
            buffers = (with_junk(rng, buffer, LENGTHS, junk) for buffer in (keys, values))
            detail = ", " + " or ".join(map("{:g}".format, junk)) + " in the unfilled rows"
            assert_items(decode(subject, q, *buffers, LENGTHS), want, LENGTHS, S, detail)


def test_keys_past_the_length_change_nothing(subject, rngs):
    """With NaN and infinity in unfilled keys, the output is right."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for name, junk in SPECIAL.items():
            out = decode(subject, q, with_junk(rng, keys, LENGTHS, junk), values, LENGTHS)
            assert_items(out, want, LENGTHS, S, f", {name} in the unfilled rows")


def test_values_past_the_length_change_nothing(subject, rngs):
    """With NaN and infinity in unfilled values, the output is right."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for name, junk in SPECIAL.items():
            out = decode(subject, q, keys, with_junk(rng, values, LENGTHS, junk), LENGTHS)
            assert_items(out, want, LENGTHS, S, f", {name} in the unfilled rows")


def test_nan_in_a_filled_value_stays_visible(subject, rngs):
    """A NaN in a filled value makes one number of the output NaN, and all others are right."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        is_nan, filled = np.zeros(want.shape, dtype=bool), values.copy()
        for b, h, s, e in (0, 0, 4, 1), (0, 1, 0, 5), (1, 2, 0, 3), (2, 0, S - 1, 2):
            filled[b, h, s, e], is_nan[b, h, e] = np.nan, True
        out = decode(subject, q, keys, frozen(filled), LENGTHS)
        assert_items_but(out, want, is_nan, LENGTHS, S)


def test_nan_in_a_filled_key_stays_visible(subject, rngs):
    """A NaN in a filled key makes the whole output of its head NaN, and other heads are right."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        is_nan, filled = np.zeros(want.shape, dtype=bool), keys.copy()
        for b, h, s, e in (0, 0, 4, 1), (1, 2, 0, 3), (2, 1, S - 1, 0), (3, 0, 1, 4):
            filled[b, h, s, e], is_nan[b, h] = np.nan, True
        out = decode(subject, q, frozen(filled), values, LENGTHS)
        assert_items_but(out, want, is_nan, LENGTHS, S)


def test_small_weights_count(subject, rngs):
    """A large value with a small weight contributes the right amount to the output."""
    keys = frozen(np.reshape([0.0, -30.0, 0.0], (1, 1, 3, 1)))
    values = frozen(np.reshape([0.0, 1e6, 9.0], (1, 1, 3, 1)))
    out = decode(subject, frozen(np.ones((1, 1, 1))), keys, values, frozen([2]))
    assert_same(out, np.full((1, 1, 1), 1e6 / (1 + np.exp(30.0))), "out")


def test_matches_plain_loops(subject, domain, seed):
    """`out` matches a plain-loop implementation over the filled rows, NaN included."""
    domain.assert_agrees(Split(subject), seed, split_loops, "isnan(out)", "out")
