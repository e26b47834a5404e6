"""Each layer by itself: what it refuses works without it and fails with it."""

import ctypes
import errno
import fcntl
import itertools
import mmap
import os
import platform
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.sandbox import linux
from checker.sandbox.guest import confine, landlock, seccomp
from checker.sandbox.host.session import Session

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="the layers of strict are Linux's on x86-64",
)

Probe = Callable[[], object]
AS_ROOT = os.geteuid() == 0


def tried(probe: Probe, *layers: str, plan: confine.Plan | None = None) -> str:
    """`ok`, or the name of the error that a process with these layers gets from the probe."""
    plan = plan or confine.plan("strict")
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        kept = sorted({2, writer, *plan.descriptors, os.sysconf("SC_OPEN_MAX")})
        for low, high in itertools.pairwise(kept):  # a limit counts what this process has open
            os.closerange(low + 1, high)
        try:
            for layer in layers:
                plan.layers[layer]()
            probe()
            answer = "ok"
        except OSError as error:
            answer = errno.errorcode.get(error.errno or 0, "?")
        except BaseException as error:
            answer = type(error).__name__
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        answer = pipe.read().decode() or "no answer"
    os.waitpid(pid, 0)
    return answer


def much_memory() -> None:
    mmap.mmap(-1, 2 << 30)


def large_file() -> None:
    with tempfile.TemporaryFile(buffering=0) as file:
        assert file.write(bytes(1 << 20)) == 1 << 20, "EFBIG"


def many_descriptors() -> None:
    for _ in range(60):
        os.dup(0)


def fork() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def read_a_file() -> None:
    Path("/etc/passwd").read_bytes()


def write_a_file() -> None:
    with tempfile.TemporaryFile():
        pass


def signal_another() -> None:
    os.kill(os.getppid(), 0)


def send_to_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.sendto(b"", ("127.0.0.1", 9))


def connect_by_tcp() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        socket.create_connection(listener.getsockname()).close()


def reach_an_abstract_socket() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"", ABSTRACT)


def become_root_again() -> None:
    os.setuid(0)
    Path("/etc/shadow").read_bytes()


def aim_a_signal_through_a_descriptor() -> None:
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())


def look_for_another_process() -> None:
    os.sched_getaffinity(os.getppid())


def gain_by_running_another() -> None:
    if not linux.call("prctl", 39, 0, 0, 0, 0):  # PR_GET_NO_NEW_PRIVS
        return
    raise PermissionError(errno.EPERM, "no new privileges")


ABSTRACT = f"\0layers-{os.getpid()}"
NNP = confine.PRIVILEGES

BITES = [  # the probe, what it needs, the layer under test, what it then gets
    (much_memory, [], confine.RLIMITS, "ENOMEM"),
    (large_file, [], confine.RLIMITS, "AssertionError"),
    (many_descriptors, [], confine.RLIMITS, "EMFILE"),
    (send_to_loopback, [], confine.NAMESPACES, "ENETUNREACH"),
    (connect_by_tcp, [], confine.NAMESPACES, "EADDRNOTAVAIL ENETUNREACH"),
    (gain_by_running_another, [], NNP, "EPERM"),
    (read_a_file, [NNP], confine.LANDLOCK, "EACCES"),
    (write_a_file, [NNP], confine.LANDLOCK, "EACCES FileNotFoundError ENOENT"),
    (connect_by_tcp, [NNP], confine.LANDLOCK, "EACCES"),
    (signal_another, [NNP], confine.LANDLOCK, "EPERM"),
    (reach_an_abstract_socket, [NNP], confine.LANDLOCK, "EPERM"),
    (fork, [NNP], confine.SECCOMP, "EPERM"),
    (send_to_loopback, [NNP], confine.SECCOMP, "EPERM"),
    (signal_another, [NNP], confine.SECCOMP, "EPERM"),
    (look_for_another_process, [NNP], confine.SECCOMP, "EPERM"),
    (aim_a_signal_through_a_descriptor, [NNP], confine.SECCOMP, "EPERM"),
    (write_a_file, [NNP], confine.SECCOMP, "EACCES EPERM FileNotFoundError ENOENT"),
]
BITES += [
    (fork, [confine.RLIMITS], confine.USER, "EAGAIN"),
    (become_root_again, [], confine.USER, "EPERM"),
    (signal_another, [], confine.USER, "EPERM"),
] if AS_ROOT else [(fork, [], confine.RLIMITS, "EAGAIN")]  # fmt: skip


@pytest.fixture(autouse=True)
def _abstract_socket() -> object:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(ABSTRACT)
        yield receiver


@pytest.mark.parametrize(
    ("probe", "needs", "layer", "refused"),
    [pytest.param(*bite, id=f"{bite[2]}-{bite[0].__name__}") for bite in BITES],
)
def test_a_layer_refuses_what_works_without_it(
    probe: Probe, needs: list[str], layer: str, refused: str
) -> None:
    if layer not in confine.plan("strict").layers:
        pytest.skip(f"this machine has no {layer}")
    assert tried(probe, *needs) == "ok"
    assert tried(probe, *needs, layer) in refused.split()


def test_root_still_cannot_read_what_landlock_does_not_grant() -> None:
    """The one capability that root may keep reads nothing that Landlock does not grant."""
    plan = confine.plan("strict")
    others = (confine.PROCESS_IDS, confine.RLIMITS, confine.SECCOMP)
    layers = [name for name in plan.layers if name not in others]
    assert tried(read_a_file, *layers, plan=plan) == "EACCES"


@pytest.fixture
def _old_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> int:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(landlock, "version", missing)


@pytest.mark.usefixtures("_old_kernel")
def test_without_landlock_no_file_can_be_opened_at_all() -> None:
    plan = confine.plan("strict")
    assert plan.missing == ("landlock: Function not implemented",)
    assert not confine.reads_later()
    assert tried(lambda: open(os.__file__), NNP, confine.SECCOMP, plan=plan) == "EPERM"  # noqa: SIM115


@pytest.mark.parametrize("abi", [1, 2, 3, 4, 5, 6, 7])
def test_every_landlock_version_guards_files(abi: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if abi > landlock.version():
        pytest.skip(f"this kernel has Landlock {landlock.version()}")
    monkeypatch.setattr(landlock, "version", lambda: abi)
    plan = confine.plan("strict")
    assert tried(read_a_file, NNP, confine.LANDLOCK, plan=plan) == "EACCES"
    assert tried(lambda: Path(os.__file__).read_bytes(), NNP, confine.LANDLOCK, plan=plan) == "ok"


def test_a_worker_may_count_its_cpus() -> None:
    assert tried(lambda: os.sched_getaffinity(0), NNP, confine.SECCOMP) == "ok"


def test_calls_of_another_architecture_end_the_process() -> None:
    def x32() -> None:
        ctypes.CDLL(None).syscall(seccomp.X32_BIT | 39)

    assert tried(x32, NNP) == "ok"
    assert tried(x32, NNP, confine.SECCOMP) == "no answer"


def test_a_process_can_be_hidden_from_the_same_user() -> None:
    linux.call("prctl", 4, 1, 0, 0, 0)  # PR_SET_DUMPABLE, if an earlier test has hidden us

    def dumpable() -> None:
        if not linux.call("prctl", 3, 0, 0, 0, 0):  # PR_GET_DUMPABLE
            raise PermissionError(errno.EPERM, "not dumpable")

    assert tried(dumpable) == "ok"

    def private() -> None:
        linux.keep_private()
        dumpable()

    assert tried(private) == "EPERM"


def test_a_worker_ends_with_its_parent() -> None:
    reader, writer = os.pipe()
    parent = os.fork()
    if not parent:
        if not os.fork():
            linux.follow_parent()
            os.write(writer, b"here")
            time.sleep(60)
        time.sleep(60)
    os.close(writer)
    assert os.read(reader, 4) == b"here"
    os.kill(parent, 9)
    os.waitpid(parent, 0)
    assert os.read(reader, 1) == b""  # the last one who could write has gone
    os.close(reader)


LOOK = """
import os
def session(): return os.getsid(0) == os.getpid()
def descriptors():
    found = []
    for fd in range(64):
        try:
            os.fstat(fd)
            found.append(fd)
        except OSError:
            pass
    return found
def folder(): return os.listdir(".")
def standard_input(): return os.read(0, 10).decode()
"""


@pytest.mark.parametrize("level", ["process", "strict"])
def test_a_worker_has_nothing_but_its_pipe(level: str) -> None:
    with Session(level) as session:
        session.load("look.py", LOOK)
        assert session.subject.descriptors() == [0, 1, 2, 3]
        assert session.subject.standard_input() == ""
        if level == "process":
            assert session.subject.session() is True
            assert session.subject.folder() == []
