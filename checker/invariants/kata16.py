"""What must hold of kata 16, however it is written."""

from itertools import cycle

import numpy as np

from checker.judging import assert_array, assert_identical, assert_same, frozen, normal, unpack

B, H, S, D, Dv = 4, 3, 7, 5, 6  # S rows in a buffer
LENGTHS = frozen([5, 1, S, 3])
WILD = [np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0]
ODD = {"NaN": [np.nan], "inf": [np.inf], "-inf": [-np.inf], "NaN, inf and huge numbers": WILD}


def decode(subject, *inputs):
    (out,) = unpack(subject.decode(*inputs), "out")
    return out


def draw(rng, B=B, H=H, S=S, D=D, scale=1.0):
    """A query and two buffers that hold ordinary numbers in every row."""
    q, keys = normal(rng, B, H, D, scale=scale), normal(rng, B, H, S, D, scale=scale)
    return q, keys, normal(rng, B, H, S, Dv)


def littered(rng, buffer, lengths, left):
    """The buffer, with one or another of what was `left` in all that is not filled."""
    rest = np.arange(buffer.shape[2])[:, None] >= lengths[:, None, None, None]
    return frozen(np.where(rest, rng.choice(left, size=buffer.shape), buffer))


def loops(q, keys, values, lengths):
    """`out`, one head and one filled row after another."""
    out = np.zeros((*q.shape[:2], values.shape[-1]))
    for b, h in np.ndindex(q.shape[:2]):
        scores = [q[b, h] @ keys[b, h, s] / np.sqrt(q.shape[-1]) for s in range(lengths[b])]
        exp = [np.exp(score - max(scores)) for score in scores]
        out[b, h] = sum(exp[s] / sum(exp) * values[b, h, s] for s in range(lengths[b]))
    return out


def assert_items(out, want, lengths, rows, behind="", tolerance=None):
    """Hold that `out` is as wanted, one item after another, each with its length in the name."""
    assert_array(out, want.shape, np.float64, "out")
    for b in np.argsort(lengths, kind="stable"):
        name = f"out of item {b}, {lengths[b]} of {rows} rows filled{behind},"
        assert_same(out[b], want[b], name, tolerance)


def assert_items_but(out, want, lost, *told):
    """Hold that `out` is NaN where it is `lost`, and as wanted everywhere else."""
    assert_array(out, want.shape, np.float64, "out")
    assert_items(np.where(lost, 0.0, out), np.where(lost, 0.0, want), *told)
    assert_identical(np.isnan(out) * 1.0, lost * 1.0, "isnan(out)")


def test_shape_and_dtype(subject, rngs):
    """`out` has the shape and the dtype of the contract."""
    for rng in rngs:
        for sizes in (B, H, S, D), (B, 1, S, 1), (B, H, S + 2, H):
            out = decode(subject, *draw(rng, *sizes), LENGTHS)
            assert_array(out, (B, sizes[1], Dv), np.float64, "out")


def test_full_buffers_are_read_to_the_end(subject, rngs):
    """Where every row of the buffers is filled, `out` is what plain loops give."""
    sizes = [(2, H, 1, D), (1, 2, S, D), (H, B, H, 1), (B, B, B, B), (B, H, S, D)]
    for rng, size in zip(cycle(rngs), sizes, strict=False):
        inputs = *draw(rng, *size), frozen([size[2]] * size[0])
        name = f"out with {size[2]} rows of {size[3]}"
        assert_same(decode(subject, *inputs), loops(*inputs), name)


def test_equal_scores_give_the_mean(subject, rngs):
    """Where all filled keys score alike, high or low, `out` is the mean of the filled values."""
    for rng in rngs:
        values = normal(rng, B, H, S, Dv)
        want = np.array([values[b, :, :length].mean(axis=1) for b, length in enumerate(LENGTHS)])
        keys = littered(rng, np.full((B, H, S, 1), 1e3), LENGTHS, [0.0])
        for number in -1e3, 0.0, 1e3:  # scores of a million below zero, and above
            out = decode(subject, frozen(np.full((B, H, 1), number)), keys, values, LENGTHS)
            alike = f", scores all {1e3 * number:g}"
            # Logarithms of weights round at a million.
            assert_items(out, want, LENGTHS, S, alike, tolerance=1e-9)


def test_huge_numbers_behind_the_length_change_nothing(subject, rngs):
    """Huge but finite numbers in rows that are not filled change no answer."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for left in [1e6, -1e6], [1e300, -1e300], [np.finfo(float).max]:
            rest = (littered(rng, buffer, LENGTHS, left) for buffer in (keys, values))
            behind = ", " + " or ".join(map("{:g}".format, left)) + " behind"
            assert_items(decode(subject, q, *rest, LENGTHS), want, LENGTHS, S, behind)


def test_keys_behind_the_length_change_nothing(subject, rngs):
    """NaN and infinity in keys that are not filled change no answer."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for name, left in ODD.items():
            out = decode(subject, q, littered(rng, keys, LENGTHS, left), values, LENGTHS)
            assert_items(out, want, LENGTHS, S, f", {name} behind")


def test_values_behind_the_length_change_nothing(subject, rngs):
    """NaN and infinity in values that are not filled change no answer."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        for name, left in ODD.items():
            out = decode(subject, q, keys, littered(rng, values, LENGTHS, left), LENGTHS)
            assert_items(out, want, LENGTHS, S, f", {name} behind")


def test_own_nan_in_a_value_is_seen(subject, rngs):
    """A NaN in a filled value is seen in that one number of the answer, and nowhere else."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        lost, own = np.zeros(want.shape, dtype=bool), values.copy()
        for b, h, s, e in (0, 0, 4, 1), (0, 1, 0, 5), (1, 2, 0, 3), (2, 0, S - 1, 2):
            own[b, h, s, e], lost[b, h, e] = np.nan, True
        out = decode(subject, q, keys, frozen(own), LENGTHS)
        assert_items_but(out, want, lost, LENGTHS, S)


def test_own_nan_in_a_key_is_seen(subject, rngs):
    """A NaN in a filled key is seen in all that its head answers, and nowhere else."""
    for rng in rngs:
        q, keys, values = draw(rng)
        want = loops(q, keys, values, LENGTHS)
        lost, own = np.zeros(want.shape, dtype=bool), keys.copy()
        for b, h, s, e in (0, 0, 4, 1), (1, 2, 0, 3), (2, 1, S - 1, 0), (3, 0, 1, 4):
            own[b, h, s, e], lost[b, h] = np.nan, True
        out = decode(subject, q, frozen(own), values, LENGTHS)
        assert_items_but(out, want, lost, LENGTHS, S)


def test_light_values_count(subject, rngs):
    """A large value of a small weight is in the answer."""
    keys = frozen(np.reshape([0.0, -30.0, 0.0], (1, 1, 3, 1)))
    values = frozen(np.reshape([0.0, 1e6, 9.0], (1, 1, 3, 1)))
    out = decode(subject, frozen(np.ones((1, 1, 1))), keys, values, frozen([2]))
    assert_same(out, np.full((1, 1, 1), 1e6 / (1 + np.exp(30.0))), "out")


def test_agrees_with_plain_loops(subject, rngs):
    """`out` is what plain loops over the filled rows give, NaN of the caller's own included."""
    cases = [(1, 1, 2, 1, 1.0), (H, H, H, H, 1.0), (B, H, S, D, 1.0), (2, B, 6, H, 3.0)]
    cases += [(5, 1, 9, 1, 20.0)]
    for rng, (items, heads, rows, size, scale) in zip(cycle(rngs), cases, strict=False):
        q, keys, values = draw(rng, items, heads, rows, size, scale)
        for lengths in rng.integers(1, rows, size=items), rng.integers(1, rows + 1, size=items):
            own = values.copy()
            if scale == 1.0:  # a weight can be zero where scores lie far apart
                own[0, 0, lengths[0] - 1, 0] = np.nan
            want = loops(q, keys, own, lengths)
            rest = (littered(rng, buffer, lengths, WILD) for buffer in (keys, own))
            out = decode(subject, q, *rest, frozen(lengths))
            assert_items_but(out, want, np.isnan(want), lengths, rows)
