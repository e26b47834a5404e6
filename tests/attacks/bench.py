"""Grade hostile files among things that are worth having, and see what is missing afterwards."""

import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from checker.judge import grading
from checker.judge.start import Job
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox.host import processes

ROOT = Path(__file__).parents[2]
ATTACKS = sorted(
    path
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in ("__init__", "__main__", "bench")
)
KATA = "kata03"
SETTLE_SECONDS = 2.0  # for what was killed to be gone from the list of processes


@dataclass
class Outcome:
    """What came of one attack: the verdict, and everything that must not have happened."""

    name: str
    verdict: Verdict
    faults: list[str] = field(default_factory=list)


def wanted(source: str) -> list[tuple[str, str]]:
    """The verdicts that may follow, as (status, reason), from the docstring's `want:` line."""
    line = re.search(r"^want: (.+)$", source, re.MULTILINE)
    assert line, "an attack says what it wants"
    pairs = [word.strip().partition(" ")[::2] for word in line[1].split(",")]
    return [(status, reason) for status, reason in pairs]


class Bench:
    """A place with a home, a secret, open ports and a grader, and a watch over all of them."""

    def __init__(self, isolation: str) -> None:
        self.isolation = isolation
        self.kata = catalog.find(KATA)
        self.token = secrets.token_hex(16)

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="attacks-"))
        self.secret = self.folder / "home" / "secret.txt"
        self.secret.parent.mkdir()
        self.secret.write_text(self.token)
        (self.folder / "open").mkdir()
        (self.folder / "open").chmod(0o777)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.temporary, tempfile.tempdir = tempfile.tempdir, str(self.scratch)
        os.environ["ATTACK_TOKEN"] = self.token
        self.abstract = f"\0attack-{os.getpid()}"
        self.listeners = list(self._listen())
        processes.close()  # a fork server that has this environment to hide
        processes.fork_server()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for listener in self.listeners:
            listener.close()
        del os.environ["ATTACK_TOKEN"]
        processes.close()
        tempfile.tempdir = self.temporary
        shutil.rmtree(self.folder, ignore_errors=True)

    def targets(self) -> dict[str, object]:
        """What an attack may aim at; each key is said in `tests/attacks/__init__.py`."""
        tcp, udp, _ = self.listeners
        return {
            "root": str(ROOT),  # the checkout: solutions/, checker/invariants/, katas/
            "secret": str(self.secret),  # a file in somebody's home; its text is the token
            "token_name": "ATTACK_TOKEN",  # a variable in the grader's environment
            "open": str(self.folder / "open"),  # a folder in which anybody may write
            "tcp": tcp.getsockname()[1],  # ports on 127.0.0.1 where somebody listens
            "udp": udp.getsockname()[1],
            "abstract": self.abstract,  # the name of an abstract Unix socket (datagrams)
            "grader": os.getpid(),  # the process that holds the verdict
        }

    def run(self, attack: Path) -> Outcome:
        """Grade one attack, then a right file, and say what went wrong."""
        source = attack.read_text(encoding="utf-8")
        file = self.folder / "submission.py"
        file.write_text(f"TARGET = {self.targets()!r}\n{source}", encoding="utf-8")
        files, before, descriptors = self._files(), pids(), _descriptors()
        verdict = grading.grade(self.kata, file, isolation=self.isolation)
        outcome = Outcome(attack.stem, verdict)
        outcome.faults += self._verdict_faults(verdict, wanted(source))
        outcome.faults += self._leaks(verdict, files)
        outcome.faults += left_running(before)
        (after,) = grading.grade_all(
            [Job(self.kata, self.kata.reference)], isolation=self.isolation
        )
        if after.status != "pass":
            outcome.faults.append(f"a right file got {after.status} next: {after.message}")
        if _descriptors() > descriptors:
            outcome.faults.append("descriptors are left open")
        return outcome

    def _verdict_faults(self, verdict: Verdict, want: list[tuple[str, str]]) -> Iterator[str]:
        if verdict.score or verdict.status == "pass":
            yield f"it earned {verdict.score} points"
        got = verdict.status, verdict.reason or ""
        if self.isolation == "strict" and got not in want:
            yield f"the verdict is {' '.join(got)!r}: {verdict.message}"

    def _leaks(self, verdict: Verdict, files: dict[str, tuple[int, int]]) -> Iterator[str]:
        if "GOT" in verdict.stdout:
            yield verdict.stdout[verdict.stdout.index("GOT") :].partition("\n")[0]
        if self.token in verdict.stdout:
            yield "the token was read"
        for listener in self.listeners:
            with suppress(BlockingIOError):
                while True:
                    listener.accept() if listener.type == socket.SOCK_STREAM else listener.recv(16)
                    yield "a packet arrived"
        changed = {path for path, _ in self._files().items() ^ files.items()}
        if changed:
            yield f"files were touched: {sorted(changed)[:3]}"

    def _listen(self) -> Iterator[socket.socket]:
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_DGRAM, self.abstract),
        ):
            listener = socket.socket(family, kind)
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
            yield listener

    def _files(self) -> dict[str, tuple[int, int]]:
        """Size and time of change of every file that is here, in the bench and in the checkout."""
        found = {}
        places = [self.folder, *(ROOT / name for name in ("katas", "solutions", "checker"))]
        for path in (file for place in places for file in place.rglob("*")):
            with suppress(OSError):
                if "__pycache__" not in path.parts and path != self.folder / "submission.py":
                    stat = path.lstat()
                    found[str(path)] = stat.st_size, stat.st_mtime_ns if path.is_file() else 0
        return found


def pids() -> set[int]:
    """All processes of this machine."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def left_running(before: set[int]) -> list[str]:
    """The processes that have come, stay, and are children of ours or of nobody."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while left := [pid for pid in pids() - before if _is_ours(pid)]:
        if time.monotonic() > deadline:
            return [f"processes are left running: {left}"]
        time.sleep(0.02)
    return []


def _is_ours(pid: int) -> bool:
    """Whether a worker, or what a worker started, is a child of ours or has lost its parent."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return False
    parents = {1, os.getpid(), processes.fork_server().popen.pid}
    return b"checker.sandbox.guest.forkserver" in command and parent in parents


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
