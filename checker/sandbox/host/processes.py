"""Start workers, and make sure that they end.

On Linux workers are forked from a fork server (see `guest.forkserver`), elsewhere each is an
interpreter of its own. Neither inherits the grader's environment.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from functools import cache
from typing import IO, Any, Final, Protocol

from checker.errors import NotGraded
from checker.sandbox.program import program

SERVER: Final = "checker.sandbox.guest.forkserver"
START_SECONDS: Final = 60.0  # for a cold disk on a loaded machine; usually a third of a second
FORKS: Final = sys.platform == "linux"


ONE_THREAD: Final = {
    f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "VECLIB", "NUMEXPR")
}  # arrays are small, workers are many, and each thread takes 40 MiB of address space


class Process(Protocol):
    """A running worker."""

    @property
    def pid(self) -> int:
        """Its process id."""

    @property
    def is_watched(self) -> bool:
        """Whether what started it can still end it."""

    def stop(self, seconds: float) -> int:
        """Let it end by itself for that long, then kill it; return its exit code or -signal."""


class Forked:
    """A worker that the fork server forks and kills."""

    def __init__(self, server: "ForkServer") -> None:
        self.server = server
        self.started: int | None = None  # its process id, once the server has reported it

    @property
    def pid(self) -> int:
        """Its process id; waits for the fork server."""
        return self.server.pid_of(self)

    @property
    def is_watched(self) -> bool:
        """Whether its fork server is the present one."""
        return fork_server() is self.server

    def stop(self, seconds: float) -> int:
        """See `Process`."""
        return self.server.stop(self, seconds)


class Spawned:
    """A worker that is an interpreter of its own, and whatever it started."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen, self.pid = popen, popen.pid

    @property
    def is_watched(self) -> bool:
        """Always: this process started it."""
        return True

    def stop(self, seconds: float) -> int:
        """See `Process`."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        _kill(self.popen)
        return self.popen.wait()


class ForkServer:
    """The process that workers are forked from, as the grader sees it."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the server)
        self.unreported: deque[Forked] = deque()  # forked, but their process ids not read yet
        self.running: set[int] = set()
        with theirs:
            number = theirs.fileno()
            self.popen = _start(["serve", str(number)], pass_fds=[number], stderr=self.log)
        self.control.settimeout(START_SECONDS)

    def fork(self, level: str, folder: str, connection: socket.socket, output: IO[bytes]) -> Forked:
        """Fork a worker at this level, with both descriptors, working in `folder`.

        Returns at once; reading the worker's `pid` waits for it.
        """
        forked = Forked(self)
        self._send(f"fork {level} {folder}", connection.fileno(), output.fileno())
        self.unreported.append(forked)
        return forked

    def pid_of(self, forked: Forked) -> int:
        """The process id of a worker. The server reports them in the order of the requests."""
        while forked.started is None:
            started = self.unreported.popleft().started = self._receive()
            self.running.add(started)
        return forked.started

    def stop(self, forked: Forked, seconds: float) -> int:
        """End a worker; see `Process.stop`. Raises `NotGraded` if the server does not answer."""
        pid = self.pid_of(forked)
        while self.unreported:
            self.pid_of(self.unreported[-1])
        self._send(f"stop {pid} {seconds}")
        status = self._receive()
        self.running.discard(pid)
        return status

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
        """What to raise when the server has died; the next worker gets a new one."""
        lost = NotGraded(f"the fork server does not answer ({error}){self._last_words()}")
        if fork_server.cache_info().currsize and fork_server() is self:
            fork_server.cache_clear()
        self.close()
        return lost

    def _last_words(self) -> str:
        """The last line in the server's log, if there is one."""
        if self.log.closed:
            return ""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").splitlines()
        return f": {lines[-1]}" if lines else ""

    def close(self) -> None:
        """End the server, which ends its workers first."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(2)
        _kill(self.popen)
        self.popen.wait()
        self.log.close()
        for pid in self.running:  # a server that was killed has not ended them
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


@cache
def fork_server() -> ForkServer:
    """The fork server of this process; the first call starts it, without waiting for it."""
    return ForkServer()


def close() -> None:
    """End the fork server of this process, if there is one."""
    if fork_server.cache_info().currsize:
        fork_server().close()
        fork_server.cache_clear()


def start_worker(level: str, folder: str, output: IO[bytes]) -> tuple[Process, socket.socket]:
    """A new worker at this level, and the socket to talk to it. Raises `NotGraded`."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            return _fork_or_spawn(level, folder, theirs, output), ours
        except NotGraded:
            ours.close()
            raise


def _fork_or_spawn(level: str, folder: str, theirs: socket.socket, output: IO[bytes]) -> Process:
    if not FORKS:
        return _spawn(level, folder, theirs, output)
    with suppress(NotGraded):
        return fork_server().fork(level, folder, theirs, output)
    return fork_server().fork(level, folder, theirs, output)  # from a new one: it had died


def run_queue_seconds(process: Process) -> float:
    """How long the worker has waited for a free CPU while ready to run (Linux; elsewhere 0)."""
    try:
        with open(f"/proc/{process.pid}/schedstat", "rb") as file:  # quicker than with Path
            return int(file.read().split()[1]) / 1e9
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
    for needed in (
        "LD_LIBRARY_PATH",
        "SYSTEMROOT",
    ):  # libpython is found by it; Windows needs it
        if needed in os.environ:
            environment[needed] = os.environ[needed]
    command = [
        sys.executable,
        "-I",
        "-X",
        "utf8",
        "-c",
        program("checker.sandbox.guest.forkserver"),
        *arguments,
    ]
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
