"""The subject as invariants see it: an object whose methods are calls to another process."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from checker.sandbox import wire

TEXT: Final = 500  # characters kept of any text a worker sends
KIND: Final = 80  # characters kept of a class name
RECENT: Final = 12  # batches, as sent: the same lists go to one subject after another
BATCHES: Final[deque[tuple[Sequence[Any], wire.Tree, bytes]]] = deque(maxlen=RECENT)


class Raised(Exception):
    """The subject raised an exception. `frames` are (line, code) in its own file."""

    def __init__(self, described: wire.Tree) -> None:
        self.type, self.text = _text(described.get("type")), _text(described.get("text"))
        self.is_import = described.get("import") is True
        self.is_memory = described.get("memory") is True
        self.is_impure = described.get("impure") is True  # it changed an input or another result
        self.at = 0  # which call of a batch raised it
        self.frames = [(count(n), _text(code)) for n, code in described.get("frames", [])]
        line, offset, code = described.get("syntax", (0, 0, ""))
        self.syntax = (count(line), count(offset), _text(code))
        super().__init__(f"{self.type}: {self.text}" if self.text else self.type)


class Lost(Exception):
    """The subject can answer no more calls; `reason` is a word of the verdict's schema."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


class Opaque:
    """Something a subject returned that is not data; only its kind is known."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Handle(Opaque):
    """An object that stays with the subject. Calling a method of the handle calls the object's."""

    def __init__(self, caller: "Caller", number: int, kind: str) -> None:
        super().__init__(kind)
        self._caller, self._number = caller, number

    def __getattr__(self, name: str) -> "Function":
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self._caller, self._number, name)


class Function:
    """A function of the subject."""

    def __init__(self, caller: "Caller", owner: int, name: str) -> None:
        self.caller, self.owner, self.name = caller, owner, name

    def __call__(self, *inputs: Any) -> Any:
        """What the function returns: arrays, scalars, tuples, handles. Raises `Raised`, `Lost`."""
        return self.caller.call(self.owner, self.name, inputs)

    def each(
        self, batch: Sequence[tuple[Any, ...]], *, views: bool = False, once: bool = False
    ) -> list[Any]:
        """What it returns for each of these inputs, in one request, with its time starting anew.

        Every call is made twice, in both directions, unless `once` is true. Raises `Raised`, of
        which `at` says for which inputs; also if a call modifies an input, or if a result is not an
        array of its own: with `views` or `once` it may be a view of an input.
        """
        self.caller.restart()
        mode = "once" if once else "views" if views else "new"
        results: list[Any] = self.caller.call(self.owner, self.name, batch, batch=mode)
        return results


class Caller(ABC):
    """Calls the functions of one subject, wherever it runs: inputs and results go as frames."""

    level: str
    layers: list[str]
    missing: list[str]

    def __init__(self) -> None:
        self.lost: Lost | None = None
        self.printed = ""
        self.steps: list[Any] | None = None  # a list here turns tracing on, and receives the steps
        self.calls: list[tuple[str, tuple[Any, ...]]] = []  # of functions: their names and inputs

    @property
    def subject(self) -> Handle:
        """The subject's module."""
        return Handle(self, 0, "module")

    def call(self, owner: int, name: str, inputs: Sequence[Any], *, batch: str = "") -> Any:
        """The result of one call, or of a batch: `new`, `views` or `once`; see `Function`."""
        if not owner:
            self.calls += [(name, tuple(each)) for each in (inputs if batch else [inputs])]
        args, payload = _encoded(inputs) if batch else _encode(inputs)
        header = {"owner": owner, "call": name, "args": args, "batch": batch}
        header["trace"] = self.steps is not None
        reply, data = self.ask(header, payload)
        if "missing" in reply:
            raise self.lose(self.missing_name(name))
        try:
            return wire.decode(reply.get("value"), data, self.other)
        except wire.WireError as error:
            raise self.lose(Lost("crashed", f"the worker answered with {error}")) from None

    @abstractmethod
    def ask(self, header: wire.Tree, payload: bytes) -> tuple[wire.Tree, bytes]:
        """Send one request and return the reply. Raises `Raised` or `Lost`."""

    @abstractmethod
    def allow(self, seconds: float) -> None:
        """Give the requests from now on this much time together."""

    @abstractmethod
    def restart(self) -> None:
        """Start the time that was allowed last anew."""

    @abstractmethod
    def close(self) -> None:
        """End the subject."""

    def lose(self, lost: Lost) -> Lost:
        """Remember why the subject answers no more calls."""
        self.lost = lost
        return lost

    def missing_name(self, name: str) -> Lost:
        """What to raise if the subject does not define this name."""
        return Lost("missing-name", f"it defines no {name}")

    def other(self, node: wire.Tree) -> Opaque:
        """The handle or opaque value behind a node that is not data."""
        if "h" in node:
            return Handle(self, node["h"], _kind(node.get("kind")))
        return Opaque(_kind(node["o"]))


def _encode(inputs: Sequence[Any]) -> tuple[wire.Tree, bytes]:
    payload = bytearray()
    args = wire.encode(tuple(inputs), payload, _node, strided=True)
    return args, bytes(payload)


def _encoded(batch: Sequence[Any]) -> tuple[wire.Tree, bytes]:
    """A batch as a tree and bytes, from the last time if it is the same list: for each subject."""
    for known, args, payload in BATCHES:
        if known is batch:
            return args, payload
    args, payload = _encode(batch)
    BATCHES.append((batch, args, payload))
    return args, payload


def _text(value: object) -> str:
    """A text from a worker, which may have sent anything instead."""
    return value[:TEXT] if isinstance(value, str) else ""


def _kind(value: object) -> str:
    return " ".join(_text(value)[:KIND].split())


def count(value: object) -> int:
    """A small number from a worker, which may have sent anything instead."""
    return value if type(value) is int and 0 <= value < 1 << 31 else 0


def _node(value: Any) -> wire.Tree:
    if isinstance(value, Handle):
        return {"h": value._number}
    raise TypeError(f"a {type(value).__name__} cannot be sent to a subject")
