"""Grade hostile files next to things worth stealing, and report everything they got or broke."""

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
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox.host import processes
from tests.processes import adopt_orphans, descendants, serving

ROOT = Path(__file__).parents[2]
ATTACKS = sorted(
    path
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in ("__init__", "__main__", "bench")
)
KATA = "kata03"
SETTLE_SECONDS = 30.0  # for what was killed to be gone from the list of processes
RIGHT_EVERY = 10  # attacks; after so many a right file has to pass


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
        self.runs = 0

    def __enter__(self) -> Self:
        adopt_orphans()
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
        """Grade one attack, now and then a right file too, and say what went wrong."""
        source = attack.read_text(encoding="utf-8")
        file = self.folder / "submission.py"
        file.write_text(f"TARGET = {self.targets()!r}\n{source}", encoding="utf-8")
        files, before, descriptors = self._files(), descendants(), _descriptors()
        verdict = grading.grade(self.kata, file, isolation=self.isolation)
        outcome = Outcome(attack.stem, verdict)
        outcome.faults += self._verdict_faults(verdict, wanted(source))
        outcome.faults += self._leaks(verdict, files)
        outcome.faults += left_running(before)
        self.runs += 1
        if self.runs % RIGHT_EVERY == 0:
            outcome.faults += self.right_file_faults()
        if _descriptors() > descriptors:
            outcome.faults.append("descriptors are left open")
        return outcome

    def right_file_faults(self) -> Iterator[str]:
        """Grade a right file, and say so where it does not pass."""
        verdict = grading.grade(self.kata, self.kata.reference, isolation=self.isolation)
        if verdict.status != "pass":
            yield f"a right file got {verdict.status} next: {verdict.message}"

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


def left_running(before: set[int]) -> list[str]:
    """The processes below ours that have come and stay; the fork server may have been replaced."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while left := descendants() - before - serving(processes.fork_server().popen.pid):
        if time.monotonic() > deadline:
            return [f"processes are left running: {left}"]
        time.sleep(0.02)
    return []


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
