"""The subject as invariants see it: an object whose methods are calls over the pipe."""

import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, Self

from checker.errors import NotGraded
from checker.sandbox import wire
from checker.sandbox.host.processes import START_SECONDS, seconds_in_line, start_worker

ESSENTIAL: Final = frozenset({"rlimits", "no-new-privileges", "seccomp"})
PRINTED: Final = 4200  # bytes of output that are taken, with the worker's note of what is cut
TEXT: Final = 500  # characters of what a worker says that are taken
KIND: Final = 80  # characters of the name of a class
PATIENCE: Final = 10.0
GRACE_SECONDS: Final = 0.5  # for a worker that has closed its pipe to show how it ended


class Raised(Exception):
    """The subject raised an exception. `frames` are (line, code) in its own file."""

    def __init__(self, described: wire.Tree) -> None:
        self.type, self.text = _text(described.get("type")), _text(described.get("text"))
        self.is_import = described.get("import") is True
        self.is_memory = described.get("memory") is True
        self.frames = [(_count(n), _text(code)) for n, code in described.get("frames", [])]
        line, offset, code = described.get("syntax", (0, 0, ""))
        self.syntax = (_count(line), _count(offset), _text(code))
        super().__init__(f"{self.type}: {self.text}" if self.text else self.type)


class Lost(Exception):
    """The worker is no more; `reason` is a word of the verdict's schema."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


class Opaque:
    """Something that a subject returned and that is no data; only its kind is known."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Handle(Opaque):
    """An object that the worker keeps. Calling a method of the handle calls the object's."""

    def __init__(self, session: "Session", number: int, kind: str) -> None:
        super().__init__(kind)
        self._session, self._number = session, number

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self._session.call, self._number, name)


class Session:
    """One worker with one subject. Its time, see `allow`, is what all requests share."""

    def __init__(self, isolation: str) -> None:
        """Have a worker started, at `strict`, `process` or (`auto`) the best level; `NotGraded`."""
        self.isolation = isolation
        self.folder = tempfile.TemporaryDirectory(prefix="kata-", ignore_cleanup_errors=True)
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the session)
        self.lost: Lost | None = None
        self.ended: int | None = None
        self.printed = ""
        self.steps: list[Any] | None = None  # where there is a list, calls are watched
        self.asked: tuple[str, tuple[Any, ...]] | None = None  # the last call, and its inputs
        tried = "process" if isolation == "process" else "strict"
        self.process, self.socket = start_worker(tried, self.folder.name, self.output)

    def settle(self) -> Self:
        """Wait until the worker has taken its layers; `NotGraded` where they are too few."""
        try:
            self.allow(START_SECONDS)
            report, _ = self._receive()
            self.layers = ["process", *(str(layer) for layer in report["layers"])]
            self.missing = [str(layer) for layer in report["missing"]]
        except (EOFError, OSError, wire.WireError, KeyError, TypeError):
            self.close()
            raise NotGraded(f"a worker did not start: {self.printed or 'no word'}") from None
        whole = set(self.layers) >= ESSENTIAL and not any("user" in m for m in self.missing)
        self.level = "strict" if whole and self.isolation != "process" else "process"
        if self.isolation == "strict" != self.level:
            self.close()
            raise NotGraded("no strict isolation on this machine: " + "; ".join(self.missing))
        return self

    def __enter__(self) -> Self:
        return self.settle()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def subject(self) -> Handle:
        """The subject's module."""
        return Handle(self, 0, "module")

    def allow(self, seconds: float) -> None:
        """Give it this long from now on, not counting what it waits for a free processor.

        In all it is no longer than `PATIENCE` times that.
        """
        self.deadline = time.monotonic() + seconds
        self.end = time.monotonic() + PATIENCE * seconds
        self.in_line = seconds_in_line(self.process)

    def load(self, file: str, source: str) -> None:
        """Run the subject's source, under the name `file`. Raises `Raised` or `Lost`."""
        self._ask({"load": file}, source.encode())

    def call(self, owner: int, name: str, *inputs: Any) -> Any:
        """What the function returns: arrays, scalars, tuples, handles. `Raised` or `Lost`."""
        self.asked = name, inputs
        payload = bytearray()
        args = wire.encode(inputs, payload, _number)
        header = {"owner": owner, "call": name, "args": args, "trace": self.steps is not None}
        reply, data = self._ask(header, bytes(payload))
        if "missing" in reply:
            raise self._lose(Lost("missing-name", f"it defines no {name}"))
        try:
            return wire.decode(reply.get("value"), data, self._other)
        except wire.WireError as error:
            raise self._lose(Lost("crashed", f"the worker answered with {error}")) from None

    def close(self) -> None:
        """End the worker and whatever it started, and remove its folder; keep what it printed."""
        with suppress(NotGraded):  # its parent is gone, and took it along
            self._end(0)
        self.socket.close()
        try:
            self.folder.cleanup()
        except RecursionError:  # folders within folders, deeper than Python goes
            subprocess.run(["rm", "-rf", "--", self.folder.name], check=False)
        if not self.output.closed:
            self.output.seek(0)
            self.printed = self.output.read(PRINTED).decode(errors="replace")
            self.output.close()

    def _ask(self, header: wire.Tree, payload: bytes) -> tuple[wire.Tree, bytes]:
        if self.lost:
            raise self.lost
        try:
            self._expect_silence()
            self.socket.settimeout(self._remaining())
            self.socket.sendall(wire.frame(header, payload))
            reply, data = self._receive()
            if self.steps is not None and "steps" in reply:
                self.steps += wire.decode(reply["steps"], data, self._other)
            if "raised" in reply:
                raised = Raised(reply["raised"])
        except TimeoutError:
            raise self._lose(Lost("time-limit", "it took too long")) from None
        except (EOFError, OSError):
            raise self._lose(_ending(self._end(GRACE_SECONDS))) from None
        except (wire.WireError, ValueError, TypeError, AttributeError, ArithmeticError):
            raise self._lose(Lost("crashed", "the worker's answer made no sense")) from None
        if "raised" not in reply:
            return reply, data
        if raised.is_memory:
            message = ": ".join(filter(None, ["it ran out of memory", raised.text]))
            raise self._lose(Lost("memory-limit", message))
        raise raised

    def _receive(self) -> tuple[wire.Tree, bytes]:
        ready = b""

        def read(size: int) -> bytes:
            nonlocal ready
            while not ready:
                self.socket.settimeout(self._remaining())
                with suppress(TimeoutError):  # perhaps it only stood in line: see what remains
                    ready = self.socket.recv(1 << 16)
                    if not ready:
                        return b""
            part, ready = ready[:size], ready[size:]
            return part

        answer = wire.read_frame(read)
        if ready:
            raise wire.WireError("more than one answer")
        return answer

    def _expect_silence(self) -> None:
        """Between requests a worker has nothing to say: an answer ahead of time is none."""
        if select.select([self.socket], [], [], 0)[0]:
            if self.socket.recv(1, socket.MSG_PEEK):
                raise wire.WireError("an answer ahead of time")
            raise EOFError

    def _remaining(self) -> float:
        now = time.monotonic()
        seconds = self.deadline - now
        if seconds <= 0:
            seconds += seconds_in_line(self.process) - self.in_line
        seconds = min(seconds, self.end - now)
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def _lose(self, lost: Lost) -> Lost:
        self.lost = lost
        self._end(0)
        return lost

    def _end(self, seconds: float) -> int:
        if self.ended is None:
            self.ended = -signal.SIGTERM  # where it cannot be asked, its parent is gone, and it too
            self.ended = self.process.stop(seconds)
        return self.ended

    def _other(self, node: wire.Tree) -> Opaque:
        if "h" in node:
            return Handle(self, node["h"], _kind(node.get("kind")))
        return Opaque(_kind(node["o"]))


def _text(value: object) -> str:
    """A text from a worker, which may have sent anything in its place."""
    return value[:TEXT] if isinstance(value, str) else ""


def _kind(value: object) -> str:
    return " ".join(_text(value)[:KIND].split())


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < 1 << 31 else 0


def _number(value: Any) -> wire.Tree:
    if isinstance(value, Handle):
        return {"h": value._number}
    raise TypeError(f"a {type(value).__name__} cannot be sent to a subject")


def _ending(status: int) -> Lost:
    if status >= 0:
        return Lost("exited", f"it ended the process (exit status {status})")
    known = {number.value: number.name for number in signal.Signals}
    name = known.get(-status, f"signal {-status}")
    if name == "SIGXCPU":
        return Lost("time-limit", "it took too long")
    if name == "SIGKILL":  # by us, as it was deaf
        return Lost("crashed", "it closed its pipe, or was killed (SIGKILL)")
    return Lost("crashed", f"it crashed the interpreter ({name})")
