"""A session: one worker process that runs one subject, from its start to its end."""

import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Self

from checker.errors import NotGraded
from checker.sandbox import wire
from checker.sandbox.host.calls import Caller, Lost, Raised, count
from checker.sandbox.host.processes import START_SECONDS, run_queue_seconds, start_worker

ESSENTIAL: Final = frozenset({"rlimits", "no-new-privileges", "seccomp"})
PRINTED: Final = 4200  # bytes kept of the output, with the worker's note on what is cut
SECONDS: Final = 2.0  # for running a file, and for each thing asked of it
BUDGET: Final = 10.0  # for everything asked of one file; the slowest reference takes one second
TOO_LONG: Final = "it took too long"
OUT_OF_BUDGET: Final = "everything that was asked of it took too long together"
PATIENCE: Final = 10.0
SERVER_ENDED: Final = "it ended the process that starts and watches it"
GRACE_SECONDS: Final = 0.5  # for a worker that closed its pipe: its exit status may follow


class Session(Caller):
    """One worker with one subject. All requests share the time given with `allow`."""

    def __init__(self, isolation: str, budget: float = BUDGET) -> None:
        """Start a worker at `strict`, `process` or (`auto`) the best level. Raises `NotGraded`.

        All requests together take at most `budget` seconds.
        """
        super().__init__()
        self.isolation, self.budget = isolation, budget
        self.left = START_SECONDS  # of the budget; until the worker has started, for that
        self.folder = tempfile.TemporaryDirectory(prefix="kata-", ignore_cleanup_errors=True)
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the session)
        self.ended: int | None = None
        tried = "process" if isolation == "process" else "strict"
        self.process, self.socket = start_worker(tried, self.folder.name, self.output)
        self.waited = run_queue_seconds(self.process)  # as it was when it last answered

    def settle(self) -> Self:
        """Wait until the worker has applied its layers. Raises `NotGraded` if they are too few."""
        try:
            self.allow(START_SECONDS)
            report, _ = self._receive()
            self.layers = ["process", *(str(layer) for layer in report["layers"])]
            self.missing = [str(layer) for layer in report["missing"]]
            self.left, self.waited = self.budget, run_queue_seconds(self.process)
        except (EOFError, OSError, wire.WireError, KeyError, TypeError):
            self.close()
            raise NotGraded(f"a worker did not start: {self.printed or 'no output'}") from None
        self.level = "strict" if self._is_strict() else "process"
        if self.isolation == "strict" and self.level != "strict":
            self.close()
            raise NotGraded("no strict isolation on this machine: " + "; ".join(self.missing))
        return self

    def _is_strict(self) -> bool:
        has_essential = set(self.layers) >= ESSENTIAL
        kept_its_user = any("user" in layer for layer in self.missing)
        return has_essential and not kept_its_user and self.isolation != "process"

    def __enter__(self) -> Self:
        return self.settle()

    def __exit__(self, *_: object) -> None:
        self.close()

    def allow(self, seconds: float) -> None:
        """Give the requests from now on this much time, not counting the wait for a free CPU.

        With the wait it is at most `PATIENCE` times as much. It is never more than what is left of
        the budget.
        """
        self.seconds, self.too_long = seconds, TOO_LONG if seconds < self.left else OUT_OF_BUDGET
        seconds = min(seconds, self.left)
        self.deadline = time.monotonic() + seconds
        self.end = time.monotonic() + PATIENCE * seconds
        self.queued = self.waited

    def restart(self) -> None:
        """Start the time that was allowed last anew."""
        self.allow(self.seconds)

    def load(self, file: str, source: str, seconds: float = SECONDS) -> None:
        """Run the subject's source, under the name `file`. Raises `Raised` or `Lost`."""
        self.allow(seconds)
        self.ask({"load": file, "trace": self.steps is not None}, source.encode())

    def close(self) -> None:
        """End the worker and whatever it started, and remove its folder; keep what it printed."""
        with suppress(NotGraded):  # the fork server has gone and took its workers along
            self._end(0)
        self.socket.close()
        try:
            self.folder.cleanup()
        except RecursionError:  # folders nested deeper than Python can go
            subprocess.run(["rm", "-rf", "--", self.folder.name], check=False)
        if not self.output.closed:
            self.output.seek(0)
            self.printed = self.output.read(PRINTED).decode(errors="replace")
            self.output.close()

    def ask(self, header: wire.Tree, payload: bytes) -> tuple[wire.Tree, bytes]:
        """Send one request and return the reply. Raises `Raised` or `Lost`."""
        if self.lost:
            raise self.lost
        with self._paid():
            return self._ask(header, payload)

    @contextmanager
    def _paid(self) -> Iterator[None]:
        """Take the time of a request, without the wait for a free CPU, from the budget."""
        started, before = time.monotonic(), self.waited
        try:
            yield
        finally:
            self.waited = run_queue_seconds(self.process)
            waited = max(0.0, self.waited - before)
            self.left -= max(0.0, time.monotonic() - started - waited)

    def _ask(self, header: wire.Tree, payload: bytes) -> tuple[wire.Tree, bytes]:
        try:
            self._expect_silence()
            self.socket.settimeout(self._remaining())
            self.socket.sendall(wire.frame(header, payload))
            reply, data = self._receive()
            if self.steps is not None and "steps" in reply:
                self.steps.append(wire.decode(reply["steps"], data, self.other))
            if "raised" in reply:
                raised = Raised(reply["raised"])
                raised.at = count(reply.get("at"))
        except TimeoutError:
            raise self.lose(Lost("time-limit", self.too_long)) from None
        except (EOFError, OSError):
            raise self.lose(self._why_ended()) from None
        except (wire.WireError, ValueError, TypeError, AttributeError, ArithmeticError):
            raise self.lose(Lost("crashed", "the worker's answer made no sense")) from None
        if "raised" not in reply:
            return reply, data
        if raised.is_memory:
            message = ": ".join(filter(None, ["it ran out of memory", raised.text]))
            raise self.lose(Lost("memory-limit", message))
        raise raised

    def lose(self, lost: Lost) -> Lost:
        """Remember why the subject answers no more calls, and end the worker."""
        try:
            self._end(0)
        except NotGraded:
            if self.level != "process":
                raise
            lost = Lost("crashed", SERVER_ENDED)
        return super().lose(lost)

    def _receive(self) -> tuple[wire.Tree, bytes]:
        ready = b""

        def read(size: int) -> bytes:
            nonlocal ready
            while not ready:
                self.socket.settimeout(self._remaining())
                with suppress(TimeoutError):  # it may only have waited for a CPU: look again
                    ready = self.socket.recv(1 << 16)
                    if not ready:
                        return b""
            part, ready = ready[:size], ready[size:]
            return part

        answer = wire.read_frame(read)
        if ready:
            raise wire.WireError("more than one answer")
        return answer

    def _why_ended(self) -> Lost:
        """Why the worker has ended. Raises `NotGraded` if its fork server ended by itself.

        Only at `process` can a subject end it, and then it is the one that is being asked.
        """
        try:
            return _ending(self._end(GRACE_SECONDS))
        except NotGraded:
            if self.level != "process":
                raise
            return Lost("crashed", SERVER_ENDED)

    def _expect_silence(self) -> None:
        """Reject an answer that arrives before its request."""
        if select.select([self.socket], [], [], 0)[0]:
            if self.socket.recv(1, socket.MSG_PEEK):
                raise wire.WireError("an answer before the request")
            raise EOFError

    def _remaining(self) -> float:
        now = time.monotonic()
        seconds = self.deadline - now
        if seconds <= 0:
            seconds += run_queue_seconds(self.process) - self.queued
        seconds = min(seconds, self.end - now)
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def _end(self, seconds: float) -> int:
        if self.ended is None:
            self.ended = -signal.SIGTERM  # in case its fork server has gone, and the worker too
            self.ended = self.process.stop(seconds)
        return self.ended


def _ending(status: int) -> Lost:
    if status >= 0:
        return Lost("exited", f"it ended the process (exit status {status})")
    known = {number.value: number.name for number in signal.Signals}
    name = known.get(-status, f"signal {-status}")
    if name == "SIGXCPU":
        return Lost("time-limit", TOO_LONG)
    if name == "SIGKILL":  # ours, after it closed its pipe
        return Lost("crashed", "it closed its pipe, or was killed (SIGKILL)")
    return Lost("crashed", f"it crashed the interpreter ({name})")
