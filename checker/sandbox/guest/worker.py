"""The worker: gets a subject's source over a pipe, runs it, and answers calls until the pipe ends.

This runs in the process of the untrusted code, which can do whatever it likes to it. It can send
back nothing but data; see `wire`.
"""

import io
import linecache
import os
import sys
import traceback
from contextlib import suppress
from types import ModuleType, TracebackType
from typing import Any, Final, Protocol, cast

import numpy as np

from checker.sandbox import wire
from checker.sandbox.guest.inner import SEEN, instrumented
from checker.sandbox.guest.purity import (
    Buffers,
    Impure,
    Snapshot,
    arrays_in,
    assert_inputs_kept,
    assert_new,
    assert_results_kept,
    assert_same_again,
    settled,
    spoil,
)
from checker.sandbox.guest.tracer import Endless, Tracer

MODULE: Final = "subject"  # whatever the file is called
PRINTED: Final = 4096  # bytes kept of what the subject prints
MESSAGE: Final = 500  # characters kept of an exception's text
NAME: Final = 80
FRAMES: Final = 3


class Stream(Protocol):
    """The worker's end of the pipe."""

    def read(self, size: int, /) -> bytes:
        """Exactly `size` bytes, or fewer at the end."""

    def write(self, data: bytes, /) -> object:
        """Write all of the data."""

    def flush(self) -> None:
        """Send what was written."""


class Printed(io.RawIOBase):
    """Standard output that keeps the first bytes and drops the rest."""

    def __init__(self) -> None:
        self.room = PRINTED

    def writable(self) -> bool:
        """True: the stream can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Keep what there is room for, and report that everything was written."""
        if self.room > 0:
            cut = b"\n... (the rest of the output is not kept)\n" if len(data) > self.room else b""
            with suppress(OSError):  # the subject may have filled the file in another way
                os.write(1, bytes(data[: self.room]) + cut)
            self.room -= len(data)
        return len(data)


class Worker:
    """One subject: its module, and its objects that the grader refers to by number."""

    def __init__(self) -> None:
        self.file = ""
        self.lines: list[str] = []
        self.objects: list[Any] = []
        self.at = 0  # the call of a batch that is being answered
        self.tracer: Tracer | None = None  # while a call is traced

    def load(self, file: str, source: str, *, trace: bool) -> None:
        """Run the source in a fresh module, which is object 0."""
        module = ModuleType(MODULE)
        module.__file__ = file
        lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.file, self.lines, self.objects = file, lines, [module]
        sys.modules[MODULE] = module
        linecache.cache[file] = (len(source), None, [line + "\n" for line in lines], file)
        if trace:
            module.__dict__[SEEN] = self.seen
            exec(instrumented(source, file), module.__dict__)
        else:
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)

    def answer(self, header: wire.Tree, payload: bytes) -> bytes:
        """The reply to one request, as a frame: a value, an exception or a missing name."""
        try:
            if "load" in header:
                self.load(header["load"], payload.decode(), trace=header["trace"])
                return wire.frame({"value": {"v": None}})
            owner = self.objects[header["owner"]]
            try:
                function = getattr(owner, header["call"])
            except AttributeError:
                return wire.frame({"missing": header["call"]})
            inputs = wire.decode(header["args"], payload, self.kept)
            if header.get("trace"):
                return self.watched(function, inputs)
            sent = bytearray()
            batch = header.get("batch")
            result = self.each(function, inputs, batch) if batch else function(*inputs)
            value = wire.encode(result, sent, self.keep)
            return wire.frame({"value": value}, bytes(sent))
        except SystemExit as request:
            if self.ends(request.code):
                raise
            return self.raised(request)
        except BaseException as error:
            return self.raised(error)

    def each(self, function: Any, batch: list[Any], mode: str) -> list[Any]:
        """The result of every call of a batch. Raises `Impure` if one affects another.

        Afterwards the small calls are made once more, in reverse order, with the same results. Then
        inputs are writable and lie where those of the call before lay, and its result is lost. One
        in three is then made again, with inputs that are columns of one array.
        """
        results, given, kept, buffers = [], [], [], Buffers()
        for self.at, inputs in enumerate(batch):
            given.append(Snapshot(arrays_in(inputs)))
            results.append(settled(function(*inputs)))
            assert_inputs_kept(given[-1])
            kept.append(Snapshot(arrays_in(results[-1])))
            if mode == "new":
                assert_new(kept[-1].arrays, given[-1].arrays, "an input or another result")
        for self.at, before in enumerate(kept):
            assert_results_kept(before)
        if mode == "once":
            return results
        for self.at in reversed(range(len(batch))):
            ways = (False, True) if self.at % 3 == 0 else (False,)
            for packed in ways if given[self.at].is_small else ():
                inputs = buffers.filled(batch[self.at], packed=packed)
                before = given[self.at].of(arrays_in(inputs))
                again = arrays_in(settled(function(*inputs)))
                assert_inputs_kept(before)
                assert_same_again(kept[self.at], again)
                assert_new(again, kept[self.at].arrays, "that of an earlier call")
                spoil(again)
        return results

    def raised(self, error: BaseException) -> bytes:
        """The reply if the subject raised an exception."""
        try:
            return wire.frame({"raised": self.describe(error), "at": self.at})
        except BaseException:  # an exception can lie about everything, except that it was raised
            return wire.frame({"raised": {"type": "an exception that cannot be described"}})

    def watched(self, function: Any, inputs: Any) -> bytes:
        """The reply to a traced call: its result, and the steps."""
        sent = bytearray()
        with Tracer(self.file) as tracer:
            self.tracer = tracer
            try:
                value, outcome = function(*inputs), "value"
            except (Exception, Endless) as error:
                value, outcome = error, "raised"
        self.tracer = None
        failed = outcome == "raised"
        node = self.describe(value) if failed else wire.encode(value, sent, self.keep)
        steps = wire.encode(tracer.sent(), sent, self.keep)
        return wire.frame({outcome: node, "steps": steps}, bytes(sent))

    def seen(self, value: Any, text: str) -> Any:
        """The value, which is a part of an expression of a subject that is traced."""
        with suppress(Exception):
            if self.tracer:
                self.tracer.inner(sys._getframe(1), value, text)
        return value

    def ends(self, code: object) -> bool:
        """End the process, as the subject asked; if `os._exit` was patched, end the loop."""
        os._exit((code if type(code) is int else int(code is not None)) & 0xFF)
        return True

    def is_own(self, name: object) -> bool:
        """Whether a class with this module name is the subject's."""
        return name == MODULE

    def keep(self, value: Any) -> wire.Tree:
        """The node of a value that is not data: a number, for an object of the subject's class."""
        kind = type(value)
        if not self.is_own(getattr(kind, "__module__", "")):
            return {"o": kind.__name__[:NAME]}
        self.objects.append(value)
        return {"h": len(self.objects) - 1, "kind": kind.__name__[:NAME]}

    def kept(self, node: wire.Tree) -> Any:
        """The object with a number that the grader sends."""
        return self.objects[node["h"]]

    def describe(self, error: BaseException) -> wire.Tree:
        """Type, text and the last frames in the subject's own file."""
        described: wire.Tree = {
            "type": type(error).__name__[:NAME],
            "import": isinstance(error, ImportError),
            "memory": isinstance(error, MemoryError),
            "impure": isinstance(error, Impure),
            "text": str(error)[:MESSAGE],
            "frames": self.frames(error.__traceback__),
        }
        if isinstance(error, SyntaxError) and error.filename == self.file:
            described["text"] = str(error.msg)[:MESSAGE]
            described["syntax"] = [error.lineno or 0, error.offset or 0, self.line(error.lineno)]
        return described

    def frames(self, trace: TracebackType | None) -> list[Any]:
        """The last frames in the subject's own file, each as line number and code."""
        steps = [
            [number, self.line(number).strip()]
            for frame, number in traceback.walk_tb(trace)
            if frame.f_code.co_filename == self.file
        ]
        return steps[-FRAMES:]

    def line(self, number: int | None) -> str:
        """A line of the subject's source."""
        known = number is not None and 0 < number <= len(self.lines)
        return self.lines[number - 1].rstrip()[:MESSAGE] if number and known else ""


def serve(stream: Stream, held: list[str], missing: list[str]) -> None:
    """Report the layers, then answer requests until the stream ends."""
    printed = io.TextIOWrapper(
        cast(Any, Printed()), encoding="utf-8", errors="backslashreplace", write_through=True
    )
    sys.stdout = sys.stderr = printed

    def send(data: bytes) -> None:
        stream.write(data)
        stream.flush()

    np.seterr(all="ignore")  # numpy also warns about right answers, and quotes the line
    send(wire.frame({"layers": held, "missing": missing}))
    exhausted = wire.frame({"raised": {"type": "MemoryError", "memory": True}})
    worker = Worker()
    with suppress(BaseException):  # from here on the subject may break anything
        try:
            while True:
                send(worker.answer(*wire.read_frame(stream.read)))
        except MemoryError:  # the subject holds so much that nothing else works
            send(exhausted)
