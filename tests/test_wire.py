"""The wire format: what arrives unchanged, and what is rejected before anything is built."""

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.sandbox import wire


def fail(value: Any) -> Any:
    raise AssertionError(f"not data: {value}")


def round_trip(value: Any, *, strided: bool = False) -> Any:
    payload = bytearray()
    tree = wire.encode(value, payload, fail, strided=strided)
    sent = wire.frame({"value": tree}, bytes(payload))
    header, received = wire.read_frame(io.BytesIO(sent).read)
    return wire.decode(header["value"], received, fail)


def test_one_array_in_two_places_arrives_as_one() -> None:
    one, equal = np.arange(3.0), np.arange(3.0)
    got = round_trip((one, equal, one))
    assert got[2] is got[0]
    assert got[1] is not got[0]


def test_an_array_and_a_view_of_it_backwards_share_their_memory() -> None:
    one = np.arange(6.0).reshape(3, 2)
    got = round_trip((one, one.copy()[::-1], one[::-1]), strided=True)
    assert np.shares_memory(got[0], got[2])
    assert not np.shares_memory(got[0], got[1])
    assert got[1].tolist() == got[2].tolist() == [[4, 5], [2, 3], [0, 1]]


@pytest.mark.parametrize("kind", ["i", "b"])
@pytest.mark.parametrize("first", [-1, 1, 2, "0", None])
def test_a_place_that_is_not_an_earlier_one_is_rejected(kind: str, first: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.decode({"t": [{"v": 1}, {kind: first}]}, b"", fail)


@pytest.mark.parametrize("first", [{"v": 1}, {"l": [{"l": []}]}, {"a": ["<f8", [1], 0]}])
def test_only_an_array_with_two_axes_has_a_view_backwards(first: wire.Tree) -> None:
    with pytest.raises(wire.WireError):
        wire.decode({"t": [first, {"b": 0}]}, bytes(8), fail)


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES))
def test_every_dtype_arrives_bit_for_bit(dtype: str) -> None:
    sent = np.arange(24).reshape(2, 3, 4).astype(dtype)
    got = round_trip(sent)
    assert (got.dtype, got.shape, got.tobytes()) == (sent.dtype, sent.shape, sent.tobytes())


@pytest.mark.parametrize(
    "array",
    [
        np.array(1.5),
        np.empty((0, 3)),
        np.array([np.nan, np.inf, -0.0]),
        np.arange(12.0).reshape(3, 4).T,
        np.arange(12.0)[::-2],
        np.arange(3, dtype=">f8"),
        np.broadcast_to(1.0, (2, 3)),
    ],
)
def test_every_memory_layout_arrives_unchanged(array: Any) -> None:
    got = round_trip(array)
    assert got.shape == array.shape
    assert got.astype(array.dtype).tobytes() == array.tobytes()


def test_arrays_arrive_read_only() -> None:
    got = round_trip(np.ones(3))
    with pytest.raises(ValueError, match="read-only"):
        got[0] = 2
    with pytest.raises(ValueError, match="WRITEABLE"):
        got.flags.writeable = True


@pytest.mark.parametrize("value", [None, True, 3, -1.5, "µ\0", (), [(1, [2.0])], np.float32(2)])
def test_plain_values_arrive_unchanged(value: Any) -> None:
    assert round_trip(value) == value


def test_nan_arrives_as_nan() -> None:
    assert np.isnan(round_trip(float("nan")))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.array([object()]), "array of object"),
        (np.array(["a"]), "array of <U1"),
        (np.zeros(2, "M8[s]"), "array of datetime64[s]"),
        (np.zeros(2, [("a", "i4")]), "array of [('a', '<i4')]"),
    ],
)
def test_an_array_of_another_dtype_is_sent_as_its_dtype_name(value: Any, kind: str) -> None:
    assert wire.encode(value, bytearray(), fail) == {"o": kind}


def test_an_array_subclass_is_not_sent_as_an_array() -> None:
    node = wire.encode(np.ma.masked_array([1.0]), bytearray(), lambda value: {"o": "other"})
    assert node == {"o": "other"}


def test_a_list_that_is_too_long_is_rejected() -> None:
    with pytest.raises(wire.WireError, match="a list of 1001 items"):
        wire.encode([0.0] * 1001, bytearray(), fail)


def test_an_array_larger_than_a_frame_is_rejected_before_it_is_copied() -> None:
    with pytest.raises(wire.WireError):
        wire.encode(np.broadcast_to(1.0, (1 << 40,)), bytearray(), fail)


HEAD = wire.HEAD


@pytest.mark.parametrize(
    "data",
    [
        HEAD.pack(b"KATB", 2, 0) + b"{}",
        HEAD.pack(b"KATA", 1 << 31, 0),
        HEAD.pack(b"KATA", 2, 1 << 62) + b"{}",
        HEAD.pack(b"KATA", 2, 0) + b"[]",
        HEAD.pack(b"KATA", 2, 0) + b"\xff\xff",
        HEAD.pack(b"KATA", 60000, 0) + b"[" * 60000,
        HEAD.pack(b"KATA", 5002, 0) + b"1" * 5002,
    ],
)
def test_bytes_that_are_not_a_frame_are_rejected(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.read_frame(io.BytesIO(data).read)


@pytest.mark.parametrize("size", [0, 3, 15, 17])
def test_a_truncated_frame_ends_the_stream(size: int) -> None:
    with pytest.raises(EOFError):
        wire.read_frame(io.BytesIO(wire.frame({})[:size]).read)


@pytest.mark.parametrize(
    "node",
    [
        None,
        {},
        {"v": [1]},
        {"v": {}},
        {"a": ["|O", [1], 0]},
        {"a": ["<f8", [5], 0]},
        {"a": ["<f8", [-1], 0]},
        {"a": ["<f8", [1], -8]},
        {"a": ["<f8", [True], 0]},
        {"a": ["<f8", [1 << 40, 1 << 40], 0]},
        {"a": ["<f8", [1] * 9, 0]},
        {"a": ["<f8", [0, 1 << 20, 1 << 20], 0]},
        {"a": ["<f8", [1.0], 0]},
        {"a": ["<f8", 1, 0]},
        {"t": "ab"},
        {"l": [{"l": [{"l": [{"l": [{"l": []}]}]}]}]},
        {"h": "0"},
        {"o": 1},
    ],
)
def test_a_node_that_is_not_a_value_is_rejected(node: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(node, b"12345678" * 4, fail)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("vatlho"), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(JSON, st.binary(max_size=64))
@settings(deadline=None, max_examples=400)
def test_any_header_is_decoded_or_rejected(node: Any, payload: bytes) -> None:
    data = json.dumps({"value": node}).encode()
    frame = HEAD.pack(b"KATA", len(data), len(payload)) + data + payload
    header, received = wire.read_frame(io.BytesIO(frame).read)
    try:
        value = wire.decode(header["value"], received, lambda node: node)
    except wire.WireError:
        return
    assert isinstance(value, None | bool | int | float | str | tuple | list | dict | np.ndarray)


def is_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


@given(
    JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=20),
    st.binary(max_size=20),
    st.integers(0, 2),
)
@settings(deadline=None, max_examples=400)
def test_a_frame_is_read_only_where_its_header_is_an_object(
    text: bytes, payload: bytes, missing: int
) -> None:
    stream = io.BytesIO(HEAD.pack(b"KATA", len(text), len(payload) + missing) + text + payload)
    if not is_object(text):
        with pytest.raises(wire.WireError):
            wire.read_frame(stream.read)
    elif missing:
        with pytest.raises(EOFError):
            wire.read_frame(stream.read)
    else:
        assert wire.read_frame(stream.read) == (json.loads(text), payload)
