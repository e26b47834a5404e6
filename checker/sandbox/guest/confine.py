"""The rights a worker gives up before it gets a line of a student's code.

Each layer is applied by itself and its failure reported, so that an old kernel or a container that
lacks one still has the others. A `Plan` is made once, in the process that workers are forked from.
"""

import fcntl
import os
import platform
import stat
import struct
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from checker.sandbox import linux
from checker.sandbox.guest import landlock, seccomp

if sys.platform != "win32":
    import resource

GiB: Final = 1 << 30
MEMORY: Final = 1 * GiB  # address space; numpy with one BLAS thread needs about 0.2 GiB
CPU_SECONDS: Final = 120  # a backstop; the grader's deadlines are far shorter
OUTPUT: Final = 64 * 1024  # bytes in any file, that is, in what the subject prints
DESCRIPTORS: Final = 32
KEPT: Final = 16  # descriptors that a worker needs start here, above its own

# Users that nothing else runs as: the range that systemd reserves for dynamic users.
FIRST_USER, USERS = 61184, 4336

PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS = 8, 38
CAPABILITY_VERSION: Final = 0x20080522
CAP_DAC_READ_SEARCH: Final = 1 << 2

RLIMITS: Final = "rlimits"
PROCESS_IDS: Final = "process-ids"  # this one and the next are extra: no level requires them
NAMESPACES: Final = "namespaces"
USER: Final = "user"
PRIVILEGES: Final = "no-new-privileges"
LANDLOCK: Final = "landlock"
SECCOMP: Final = "seccomp"


@dataclass(frozen=True)
class Plan:
    """The layers to apply, by name, and those known beforehand to be missing."""

    layers: dict[str, Callable[[], None]]
    missing: tuple[str, ...]
    descriptors: tuple[int, ...] = ()  # that the layers need left open

    def apply(self) -> tuple[list[str], list[str]]:
        """Apply every layer that works here; return those that did and those that did not."""
        held, missing = [], list(self.missing)
        for name, take in self.layers.items():
            try:
                take()
            except (OSError, ValueError) as error:
                missing.append(f"{name}: {error}")
            else:
                held.append(name)
        return held, missing


def plan(level: str) -> Plan:
    """The plan for a level: `process` is limits alone, `strict` everything this machine has."""
    layers: dict[str, Callable[[], None]] = {}
    missing, descriptors = [], []
    if os.name == "posix":
        layers[RLIMITS] = _limit_resources
    else:
        missing.append(f"{RLIMITS}: not on {platform.system()}")
    if sys.platform == "linux":
        layers[PROCESS_IDS] = _assert_own_process_ids
        layers[NAMESPACES] = _leave_network
    if level == "process":
        return Plan(layers, tuple(missing))
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        missing.append(f"{SECCOMP}: not available on {platform.system()} {platform.machine()}")
        return Plan(layers, tuple(missing))
    rules, grants = None, readable()
    try:
        rules = fcntl.fcntl(landlock.ruleset(grants), fcntl.F_DUPFD_CLOEXEC, KEPT)
        descriptors.append(rules)
    except OSError as error:
        missing.append(f"{LANDLOCK}: {error.strerror}")
    if os.geteuid() == 0:
        closed = rules is not None and not all(_open_to_others(path) for path, _ in grants)
        layers[USER] = partial(_drop_user, may_enter=closed)
    layers[PRIVILEGES] = _give_up_privileges
    if rules is not None:
        layers[LANDLOCK] = partial(landlock.restrict, rules)
    code = seccomp.program(may_read_files=rules is not None)
    layers[SECCOMP] = partial(seccomp.install, code)
    return Plan(layers, tuple(missing), tuple(descriptors))


def reads_later() -> bool:
    """Whether a worker at `strict` can still import: only if Landlock limits what it reads."""
    try:
        return sys.platform == "linux" and landlock.version() > 0
    except OSError:
        return False


def readable() -> list[tuple[Path, int]]:
    """What a worker may read: the standard library, numpy and its libraries, and nothing else.

    The standard library is granted entry by entry, because in many installations site-packages is
    inside it, with everything else that is installed. That folder itself can only be listed.
    """
    grants: list[tuple[Path, int]] = []
    for folder in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}:
        if not os.path.isdir(folder):
            continue
        grants.append((Path(folder), landlock.READ_DIR))
        grants += [_grant(Path(e.path)) for e in os.scandir(folder) if "-packages" not in e.name]
    package = Path(np.__file__).parent
    libraries = package.with_name("numpy.libs")
    return grants + [_grant(path) for path in (package, libraries) if path.exists()]


def _grant(path: Path) -> tuple[Path, int]:
    return path, landlock.READ_FILE | (landlock.READ_DIR if path.is_dir() else 0)


def _limit_resources() -> None:
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_FSIZE: OUTPUT,
        resource.RLIMIT_NOFILE: DESCRIPTORS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
    }
    refused = []
    for limit, most in limits.items():
        try:
            _, hard = resource.getrlimit(limit)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (most, most))
        except (OSError, ValueError):  # macOS has no limit on the address space
            refused.append(limit)
    if refused:
        raise OSError(f"limits {refused} refused")


def _assert_own_process_ids() -> None:
    """Check that the fork server has process ids of its own. Raises `OSError`."""
    if len(linux.process_ids()) < 2:
        raise OSError("a PID namespace is not permitted here")


def _leave_network() -> None:
    """Move to an empty network, shared memory and host name of its own."""
    linux.leave(linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS)
    if os.geteuid():
        set_capabilities(0)  # those that come with a new user namespace


def _drop_user(*, may_enter: bool) -> None:
    """Become a user that nothing else runs as. `may_enter` is for a Python in a private folder.

    From there, the new user could import nothing. So the one capability to enter and read is kept,
    if root had it; Landlock decides what can be read.
    """
    user = FIRST_USER + linux.process_ids()[0] % USERS
    os.setgroups([])
    os.setresgid(user, user, user)
    linux.prctl(PR_SET_KEEPCAPS, int(may_enter))
    os.setresuid(user, user, user)
    if may_enter:
        try:
            set_capabilities(CAP_DAC_READ_SEARCH)
        except OSError:  # root without that capability, in a container
            set_capabilities(0)


def _open_to_others(path: Path) -> bool:
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.resolve().parents)


def set_capabilities(bits: int) -> None:
    """Keep these capabilities and no others. Raises `OSError`."""
    header = struct.pack("<Ii", CAPABILITY_VERSION, 0)
    linux.call("capset", header, struct.pack("<6I", bits, bits, 0, 0, 0, 0))


def _give_up_privileges() -> None:
    linux.follow_parent()  # again: the change of user has cleared it
    linux.keep_private()
    linux.prctl(PR_SET_NO_NEW_PRIVS, 1)
