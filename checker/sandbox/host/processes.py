"""The grader's end: starting workers, and ending them for certain.

On Linux workers are forked from a nursery (see `nursery`), elsewhere each is an interpreter of its
own. Nothing of the grader's environment reaches either.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import IO, Any, Final, Protocol

from checker.errors import NotGraded

ROOT: Final = Path(__file__).parents[3]
PROGRAM: Final = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    "from checker.sandbox.guest.forkserver import main; main()"
)
START_SECONDS: Final = 60.0  # a cold disk and a loaded machine; ordinarily a third of a second
FORKS: Final = sys.platform == "linux"


ONE_THREAD: Final = {
    f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "VECLIB", "NUMEXPR")
}  # small arrays, many workers; and each thread takes 40 MiB of address space


class Process(Protocol):
    """A running worker."""

    @property
    def pid(self) -> int:
        """Its process id."""

    def stop(self, seconds: float) -> int:
        """Give it that long to end by itself, then kill it; the return code, negative a signal."""


class Forked:
    """A worker that a nursery has been asked to fork, and kills."""

    def __init__(self, nursery: "Nursery") -> None:
        self.nursery = nursery

    @cached_property
    def pid(self) -> int:
        """Its process id, for which the nursery is waited for."""
        return self.nursery.answer(self)

    def stop(self, seconds: float) -> int:
        """As `Process` has it."""
        return self.nursery.ask(f"stop {self.pid} {seconds}")


class Spawned:
    """A worker that is an interpreter of its own, with whatever it may have started."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen, self.pid = popen, popen.pid

    def stop(self, seconds: float) -> int:
        """As `Process` has it."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        _kill(self.popen)
        return self.popen.wait()


class Nursery:
    """The process that workers are forked from."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the nursery)
        self.waiting: list[Forked] = []
        with theirs:
            number = theirs.fileno()
            self.popen = _start(["nursery", str(number)], pass_fds=[number], stderr=self.log)
        self.control.settimeout(START_SECONDS)

    def fork(self, level: str, folder: str, connection: socket.socket, output: IO[bytes]) -> Forked:
        """A new worker at this level; it has both descriptors, and `folder` to work in.

        Nothing is waited for: the worker is under way, and its process id comes when it is asked.
        """
        forked = Forked(self)
        self._send(f"fork {level} {folder}", connection.fileno(), output.fileno())
        self.waiting.append(forked)
        return forked

    def ask(self, message: str) -> int:
        """The nursery's answer to one request. Raises `NotGraded` where there is none."""
        for forked in list(self.waiting):
            forked.pid  # noqa: B018 (answers come in the order of the requests)
        self._send(message)
        return self._receive()

    def answer(self, forked: Forked) -> int:
        """The process id of a worker that was asked for."""
        while self.waiting[0] is not forked:
            self.waiting[0].pid  # noqa: B018 (as above)
        del self.waiting[0]
        return self._receive()

    def _send(self, message: str, *descriptors: int) -> None:
        try:
            socket.send_fds(self.control, [os.fsencode(message)], list(descriptors))
        except OSError as error:
            raise self._lost(error) from None

    def _receive(self) -> int:
        try:
            return int(self.control.recv(64))
        except (OSError, ValueError) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> NotGraded:
        """What to raise when the nursery is no more; the next worker gets another."""
        told = NotGraded(f"the workers' parent does not answer ({error}){self._why()}")
        if nursery.cache_info().currsize and nursery() is self:
            nursery.cache_clear()
        self.close()
        return told

    def _why(self) -> str:
        """The last line that the nursery has left, where it has left one."""
        if self.log.closed:
            return ""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").splitlines()
        return f": {lines[-1]}" if lines else ""

    def close(self) -> None:
        """End the nursery, which ends its workers first."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(2)
        _kill(self.popen)
        self.popen.wait()
        self.log.close()


@cache
def nursery() -> Nursery:
    """The nursery of this process; the first call starts it and does not wait until it is warm."""
    return Nursery()


def close() -> None:
    """End the nursery of this process, where there is one."""
    if nursery.cache_info().currsize:
        nursery().close()
        nursery.cache_clear()


def start_worker(level: str, folder: str, output: IO[bytes]) -> tuple[Process, socket.socket]:
    """A new worker at this level, and the socket to talk to it. Raises `NotGraded`."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            start = nursery().fork if FORKS else _spawn
            return start(level, folder, theirs, output), ours
        except NotGraded:
            ours.close()
            raise


def seconds_in_line(process: Process) -> float:
    """How long the worker has been ready to run and others were run instead (Linux; else 0)."""
    try:
        return int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _spawn(level: str, folder: str, theirs: socket.socket, output: IO[bytes]) -> Spawned:
    if sys.platform != "win32":
        arguments = ["worker", level, folder, str(theirs.fileno())]
        return Spawned(_start(arguments, pass_fds=[theirs.fileno()], stdout=output, stderr=output))
    popen = _start(["worker", level, folder], stdin=subprocess.PIPE, stdout=output, stderr=output)
    with popen.stdin:
        popen.stdin.write(theirs.share(popen.pid))
    return Spawned(popen)


def _start(arguments: list[str], **options: Any) -> subprocess.Popen[bytes]:
    environment = dict(ONE_THREAD)
    for needed in ("LD_LIBRARY_PATH", "SYSTEMROOT"):  # to find libpython; to start at all (Windows)
        if needed in os.environ:
            environment[needed] = os.environ[needed]
    command = [sys.executable, "-I", "-X", "utf8", "-c", PROGRAM, *arguments]
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **options}
    try:
        return subprocess.Popen(command, env=environment, start_new_session=True, **options)
    except OSError as error:
        raise NotGraded(f"{sys.executable} cannot be started: {error}") from None


def _kill(popen: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        popen.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)
