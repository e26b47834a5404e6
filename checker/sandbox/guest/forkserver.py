"""The process that workers come from: started once, with an empty environment.

It has imported what subjects may import, and holds no invariant, reference or seed. As a fork
server (Linux) it forks a worker per request, and kills and reaps it; as a single worker
(elsewhere) it serves one subject itself.
"""

import gc
import importlib
import io
import itertools
import os
import shutil
import signal
import socket
import sys
import sysconfig
import time
from contextlib import suppress
from typing import Any, Final, NoReturn

from checker.sandbox import linux
from checker.sandbox.guest import confine, worker

# What subjects import most often: imported once, for all workers.
WARM: Final = """
    numpy.fft numpy.lib.stride_tricks numpy.linalg numpy.random
    __future__ collections.abc contextlib copy dataclasses enum functools inspect itertools json
    math operator random re string time traceback types typing warnings
""".split()  # noqa: SIM905 (a table)

# What else they may import: needed at once where a worker cannot read files later.
REST: Final = """
    numpy.ctypeslib numpy.ma numpy.matlib numpy.polynomial numpy.testing numpy.typing
    abc array asyncio base64 bisect calendar cmath codecs collections concurrent.futures csv ctypes
    datetime decimal difflib doctest fractions gc graphlib hashlib heapq io locale logging numbers
    os pathlib pickle platform pprint queue secrets statistics struct sys tempfile textwrap
    threading timeit unicodedata unittest uuid weakref zlib
""".split()  # noqa: SIM905 (a table)

CONNECTION: Final = 3
PR_SET_CHILD_SUBREAPER: Final = 36
SWEEP_SECONDS: Final = 3.0


def warm() -> None:
    """Import what subjects may import, and leave only the standard library on the path."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy.matlib is deprecated
        for name in WARM if confine.reads_later() else WARM + REST:
            importlib.import_module(name)
    library = sysconfig.get_path("stdlib")
    sys.path[:] = [p for p in sys.path if p.startswith(library) and "-packages" not in p]
    for name in [name for name in sys.modules if name.partition(".")[0] == "checker"]:
        del sys.modules[name]  # not for subjects


class Server:
    """Forks workers on request. A message is one packet, with its descriptors attached."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.plans = {level: confine.plan(level) for level in ("process", "strict")}
        self.workers: dict[int, str] = {}  # their folders, by process id
        self.numbers: dict[int, int] = {}  # their process ids, by those that the grader sees
        linux.prctl(PR_SET_CHILD_SUBREAPER, 1)
        gc.freeze()

    def serve(self) -> None:
        """Answer `fork LEVEL FOLDER` and `stop PID SECONDS` until the grader goes away."""
        with suppress(ConnectionError):
            while True:
                message, descriptors, _, _ = socket.recv_fds(self.control, 8192, 2)
                match os.fsdecode(message).split(" ", 2):
                    case ["fork", level, folder]:
                        reply = self.fork(level, folder, *descriptors)
                    case ["stop", number, seconds]:
                        reply = self.stop(self.numbers.pop(int(number)), float(seconds))
                    case _:
                        break
                self.control.send(str(reply).encode())
        for pid, folder in list(self.workers.items()):
            self.stop(pid, 0)
            shutil.rmtree(folder, ignore_errors=True)  # the grader is gone and cannot do it

    def fork(self, level: str, folder: str, connection: int, output: int) -> int:
        """Fork a worker that talks over `connection` and prints to `output`.

        Its process id, as the grader sees it.
        """
        pid = os.fork()
        if not pid:
            plan = self.plans[level]
            _live(lambda: _settle(folder, connection, output, plan.descriptors), plan)
        os.close(connection)
        os.close(output)
        self.workers[pid] = folder
        seen = linux.children().get(pid, pid)
        self.numbers[seen] = pid
        return seen

    def stop(self, pid: int, seconds: float) -> int:
        """Let a worker end by itself for that long, then kill its group; return its exit code."""
        if pid not in self.workers:
            raise ValueError(f"{pid} is not a worker")
        deadline = time.monotonic() + seconds
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while os.waitid(os.P_PID, pid, look) is None and time.monotonic() < deadline:
            time.sleep(0.002)
        for kill in (os.killpg, os.kill):  # a worker just forked does not lead a group yet
            with suppress(ProcessLookupError):
                kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        del self.workers[pid]
        self.sweep()
        return status

    def sweep(self) -> None:
        """Kill what a worker left running: orphans become children of this process."""
        deadline = time.monotonic() + SWEEP_SECONDS
        while orphans := linux.children().keys() - self.workers.keys():
            for pid in orphans:
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
            if time.monotonic() > deadline:
                return


def _live(settle: Any, plan: confine.Plan) -> NoReturn:
    """Be a worker from start to end; never returns."""
    status = 1
    try:
        stream = settle()
        worker.serve(stream, *plan.apply())
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _settle(folder: str, connection: int, output: int, kept: tuple[int, ...]) -> Any:
    """Get a session and a folder of its own; close all descriptors but pipe, output and `kept`."""
    with suppress(PermissionError):  # a spawned worker already leads its session
        os.setsid()
    linux.follow_parent()
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if connection != CONNECTION:
        os.dup2(connection, CONNECTION)
    bounds = [CONNECTION, *kept, os.sysconf("SC_OPEN_MAX")]
    for below, above in itertools.pairwise(bounds):
        os.closerange(below + 1, above)
    reader, writer = open(CONNECTION, "rb"), open(CONNECTION, "wb", closefd=False)  # noqa: SIM115
    return io.BufferedRWPair(reader.detach(), writer.detach())


def _isolate() -> None:
    """Go on as the first process of a PID namespace, where permitted; this process then waits.

    Nothing inside can see or signal a process outside, nor kill the first one; all end with it.
    """
    with suppress(OSError):
        linux.leave(linux.CLONE_NEWPID | linux.CLONE_NEWIPC)
        if pid := os.fork():
            os.closerange(0, os.sysconf("SC_OPEN_MAX"))
            os._exit(min(abs(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])), 255))
        linux.follow_parent()
        if os.geteuid():
            confine.set_capabilities(0)


def main() -> None:
    """`serve FD` or `worker LEVEL FOLDER FD` on POSIX, `worker LEVEL FOLDER` on Windows."""
    match sys.argv[1:]:
        case ["serve", descriptor]:
            control = socket.socket(fileno=int(descriptor))
            _isolate()
            warm()
            Server(control).serve()
            os._exit(0)  # the grader waits for this: skip Python's clean-up
        case ["worker", level, folder, descriptor]:
            warm()
            plan = confine.plan(level)
            _live(lambda: _settle(folder, int(descriptor), 1, plan.descriptors), plan)
        case ["worker", level, folder]:
            shared = socket.fromshare(sys.stdin.buffer.read())  # type: ignore[attr-defined, unused-ignore]
            warm()
            os.chdir(folder)
            _live(lambda: shared.makefile("rwb"), confine.plan(level))
