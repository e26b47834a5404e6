"""Frames between grader and worker: a JSON header, then raw array bytes.

A frame is 4 bytes of magic, the header's length (u32), the payload's length (u64), the header and
the payload. Both lengths are checked against a limit before anything is read, and an array's dtype
and shape before it is built. There is no pickle here: a reply can only be data.

A value is a JSON tree of one-letter nodes: `v` a plain scalar, `a` an array as [dtype, shape,
offset in the payload], `s` the same with strides, `t` and `l` a tuple and a list, `h` an object
that stays in the worker, `i` the very array that is item number i of the same tuple or list, `b` a
view of that array, its last axis but one backwards, `o` anything else, by the name of its type.
"""

import json
import math
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

MAGIC: Final = b"KATA"
HEAD: Final = struct.Struct("<4sIQ")
MAX_HEADER: Final = 64 * 1024
MAX_PAYLOAD: Final = 4 * 1024 * 1024  # the arrays of katas are small
MAX_DEPTH: Final = 4
MAX_AXES: Final = 8
MAX_ITEMS: Final = 1000
ALIGNMENT: Final = 16
DTYPES: Final = {
    name: np.dtype(name)
    for name in "|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <c8 <c16".split()  # noqa: SIM905
}
NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}

Tree = dict[str, Any]
Read = Callable[[int], bytes]


class WireError(Exception):
    """A frame or value that does not have the form above, or is too large."""


def frame(header: Tree, payload: bytes = b"") -> bytes:
    """The bytes of one frame. Raises `WireError` if a part is over its limit."""
    text = json.dumps(header).encode()
    if len(text) > MAX_HEADER or len(payload) > MAX_PAYLOAD:
        raise WireError(f"{len(text) + len(payload)} bytes are more than a frame may hold")
    return HEAD.pack(MAGIC, len(text), len(payload)) + text + payload


def read_frame(read: Read) -> tuple[Tree, bytes]:
    """The next frame from `read(n)`, which returns at most n bytes, and none at the end.

    Raises `EOFError` if the stream ends, `WireError` for anything that is not a frame.
    """
    magic, header_size, payload_size = HEAD.unpack(_exactly(read, HEAD.size))
    if magic != MAGIC or header_size > MAX_HEADER or payload_size > MAX_PAYLOAD:
        raise WireError("not a frame")
    text = _exactly(read, header_size)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise WireError("a header that is not JSON") from None
    if not isinstance(header, dict):
        raise WireError("a header that is not an object")
    return header, _exactly(read, payload_size)


def encode(
    value: Any,
    payload: bytearray,
    other: Callable[[Any], Tree],
    depth: int = 0,
    *,
    strided: bool = False,
) -> Tree:
    """The tree of a value; array bytes go to `payload`, `other` encodes what is not data.

    With `strided`, arrays that are not in C order arrive with the strides they have here.
    """
    kind = type(value)
    if kind is np.ndarray or isinstance(value, np.generic):
        return _encode_array(np.asarray(value), payload, strided=strided)
    if isinstance(value, tuple | list) and depth < MAX_DEPTH:
        if len(value) > MAX_ITEMS:
            raise WireError(f"a {kind.__name__} of {len(value)} items is more than can be sent")
        nodes: list[Tree] = []
        places: dict[int, int] = {}
        for place, item in enumerate(value):
            first = places.setdefault(id(item), place)
            back = _backwards(item, value[:place]) if strided else None
            if first < place and type(item) is np.ndarray:
                nodes.append({"i": first})
            elif back is not None:
                nodes.append({"b": back})
            else:
                nodes.append(encode(item, payload, other, depth + 1, strided=strided))
        return {"t" if isinstance(value, tuple) else "l": nodes}
    if value is None or kind in (bool, int, float, str):
        return {"v": value}
    return other(value)


def decode(node: Any, payload: bytes, other: Callable[[Tree], Any], depth: int = 0) -> Any:
    """The value of a tree; arrays are read-only, `other` decodes the nodes `h` and `o`.

    Raises `WireError` for anything that `encode` does not write.
    """
    match node:
        case {"a": [str(dtype), list(shape), int(offset)]}:
            return _decode_array(dtype, shape, offset, payload)
        case {"s": [str(dtype), list(shape), int(offset), list(strides)]}:
            return _restrided(_decode_array(dtype, shape, offset, payload), strides)
        case {"t": list(nodes)} if depth < MAX_DEPTH:
            return tuple(_decode_items(nodes, payload, other, depth + 1))
        case {"l": list(nodes)} if depth < MAX_DEPTH:
            return _decode_items(nodes, payload, other, depth + 1)
        case {"v": None | bool() | int() | float() | str() as value}:
            return value
        case {"h": int()} | {"o": str()}:
            return other(node)
    raise WireError("a value of unknown form")


def _decode_items(
    nodes: list[Any], payload: bytes, other: Callable[[Tree], Any], depth: int
) -> list[Any]:
    items: list[Any] = []
    for node in nodes:
        match node:
            case {"i": int(first)} if 0 <= first < len(items):
                items.append(items[first])
            case {"b": int(first)} if 0 <= first < len(items) and _has_rows(items[first]):
                items.append(items[first][..., ::-1, :])
            case _:
                items.append(decode(node, payload, other, depth))
    return items


def _backwards(item: Any, others: Sequence[Any]) -> int | None:
    """The place of the array of which an item is a view, backwards along its last axis but one."""
    if _has_rows(item) and item.strides[-2] < 0:
        for place, other in enumerate(others):
            if _has_rows(other) and _layout(other[..., ::-1, :]) == _layout(item):
                return place
    return None


def _has_rows(value: Any) -> bool:
    return type(value) is np.ndarray and value.ndim > 1


def _layout(array: Any) -> tuple[Any, ...]:
    return array.ctypes.data, array.shape, array.strides, array.dtype


def _encode_array(array: np.ndarray[Any, Any], payload: bytearray, *, strided: bool) -> Tree:
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder())
    name = NAMES.get(array.dtype)
    if name is None:
        return {"o": f"array of {array.dtype}"}
    if array.nbytes > MAX_PAYLOAD:
        raise WireError(f"an array of {array.nbytes} bytes is more than a frame may hold")
    payload.extend(bytes(-len(payload) % ALIGNMENT))
    offset = len(payload)
    payload.extend(array.tobytes())
    if strided and array.size and not array.flags.c_contiguous:
        return {"s": [name, array.shape, offset, array.strides]}
    return {"a": [name, array.shape, offset]}


def _decode_array(name: str, shape: list[Any], offset: int, payload: bytes) -> Any:
    dtype = DTYPES.get(name)
    sizes = all(type(size) is int and 0 <= size <= MAX_PAYLOAD for size in shape)
    if dtype is None or len(shape) > MAX_AXES or not sizes:
        raise WireError("an array of unknown form")
    count = math.prod(shape)
    if not count:  # numpy refuses to read nothing from nothing
        if math.prod(size or 1 for size in shape) > MAX_PAYLOAD:
            raise WireError("an array of unknown form")
        payload, offset = bytes(ALIGNMENT), 0
    if not 0 <= offset <= len(payload) - count * dtype.itemsize:
        raise WireError("an array that is longer than its bytes")
    return np.frombuffer(payload, dtype, count, offset).reshape(shape)


def _restrided(array: np.ndarray[Any, Any], strides: list[Any]) -> np.ndarray[Any, Any]:
    """A read-only copy of the array with these strides, in memory of its own."""
    if len(strides) != array.ndim or not all(type(stride) is int for stride in strides):
        raise WireError("an array with unknown strides")
    steps = [stride * (size - 1) for stride, size in zip(strides, array.shape, strict=True)]
    low = sum(step for step in steps if step < 0)
    size = sum(step for step in steps if step > 0) + array.itemsize - low
    if size > MAX_PAYLOAD:
        raise WireError("an array that is spread too far")
    copy = np.ndarray(array.shape, array.dtype, bytearray(size), -low, strides)
    copy[...] = array
    copy.flags.writeable = False
    return copy


def _exactly(read: Read, size: int) -> bytes:
    parts = []
    while size:
        part = read(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
