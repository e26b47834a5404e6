"""What level `process` holds on Linux, with namespaces and where they are not permitted."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from .conftest import ROOT
from .processes import HANG_SECONDS

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="namespaces are Linux's"
)

# Grades an attack and then a right file, and prints verdicts and the processes that are left.
PROGRAM: Final = """
import ctypes, json, os, struct, sys, time
from pathlib import Path

def refuse_namespaces():
    from checker.sandbox import linux
    from checker.sandbox.guest import confine, seccomp
    UNSHARE = 272
    steps = [(seccomp.LOAD, 0, 0, seccomp.NUMBER), (seccomp.EQUAL, 0, 1, UNSHARE),
             (seccomp.RETURN, 0, 0, seccomp.FAIL | 1), (seccomp.RETURN, 0, 0, seccomp.ALLOW)]
    linux.prctl(confine.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(b"".join(struct.pack("<HBBI", *step) for step in steps))

if sys.argv[1] == "refused":
    refuse_namespaces()
from checker.sandbox.host import processes
os.environ.update(processes.ONE_THREAD)
from checker.judge import grading
from checker.judge.job import Job
from checker.kata import catalog
from tests.processes import adopt_orphans, descendants, serving

adopt_orphans()
kata = catalog.find("kata03")
jobs = [Job(kata, Path(sys.argv[2])), Job(kata, kata.reference), Job(kata, kata.reference)]
verdicts = grading.grade_all(jobs, isolation="process")
deadline = time.monotonic() + 5
while left := descendants() - serving(processes.fork_server().popen.pid):
    if time.monotonic() > deadline:
        break
    time.sleep(0.02)
told = [(v.status, v.reason, v.stdout) for v in verdicts]
print(json.dumps({"told": told, "left": len(left), "missing": verdicts[1].isolation.missing}))
processes.close()
for pid in left:
    os.kill(pid, 9)
"""

ENDS_ITS_SERVER: Final = """
import ctypes, os, signal, time
def attention(*inputs):
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # do not end with the parent
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
"""
LEAVES_ORPHANS: Final = """
import ctypes, os, signal, time
def attention(*inputs):
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
        time.sleep(60)
    time.sleep(0.2)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
"""
SHARES_MEMORY: Final = """
import ctypes
libc = ctypes.CDLL(None)
libc.shmget.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
print(libc.shmget(KEY, 1 << 20, 0o1666))
"""


def graded(source: str, namespaces: str, folder: Path) -> Any:
    """What came of an attack and of two right files after it."""
    file = folder / "attack.py"
    file.write_text(source)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, namespaces, str(file)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if namespaces == "permitted" and found["missing"]:
        pytest.skip(f"this machine permits no namespaces: {found['missing']}")
    return found


@pytest.mark.parametrize(
    ("namespaces", "reason"), [("permitted", "time-limit"), ("refused", "crashed")]
)
def test_a_file_that_ends_its_fork_server_harms_no_other(
    namespaces: str, reason: str, tmp_path: Path
) -> None:
    found = graded(ENDS_ITS_SERVER, namespaces, tmp_path)
    (status, why, _), *others = found["told"]
    assert (status, why) == ("error", reason)
    assert [status for status, *_ in others] == ["pass", "pass"]
    assert found["left"] == 0


def test_orphans_end_with_their_file(tmp_path: Path) -> None:
    assert graded(LEAVES_ORPHANS, "permitted", tmp_path)["left"] == 0


def test_shared_memory_is_gone_with_its_file(tmp_path: Path) -> None:
    key = 0x6B617461 + os.getpid()
    found = graded(SHARES_MEMORY.replace("KEY", str(key)), "permitted", tmp_path)
    assert int(found["told"][0][2]) >= 0
    assert str(key) not in Path("/proc/sysvipc/shm").read_text()


def test_what_is_not_permitted_is_said(tmp_path: Path) -> None:
    missing = graded("def attention(*inputs): return inputs", "refused", tmp_path)["missing"]
    assert [line.partition(":")[0] for line in missing] == ["process-ids", "namespaces"]
