"""A seccomp filter for x86-64 Linux that allows only the system calls that computing needs.

Everything else fails with EPERM in the worker: no new files, sockets, processes, signals or
clocks. The numbers are from the kernel's table for x86-64 (arch/x86/entry/syscalls); the program
is classic BPF over `struct seccomp_data`, see seccomp(2).
"""

import ctypes
import errno
import fcntl
import os
import struct
from typing import Final

from checker.sandbox import linux

AUDIT_ARCH_X86_64: Final = 0xC000003E
X32_BIT: Final = 0x40000000

PLAIN: Final = {
    "read": 0, "write": 1, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8,
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
    "rt_sigreturn": 15, "pread64": 17, "readv": 19, "writev": 20, "access": 21, "select": 23,
    "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
    "uname": 63, "getcwd": 79, "gettimeofday": 96, "getrusage": 98, "sysinfo": 99,
    "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110,
    "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202,
    "getdents64": 217, "restart_syscall": 219, "exit_group": 231, "newfstatat": 262,
    "faccessat": 269, "pselect6": 270, "ppoll": 271, "set_robust_list": 273,
    "getrandom": 318, "statx": 332, "rseq": 334,
}  # fmt: skip
OPEN, OPENAT, IOCTL, FCNTL, CLONE3 = 2, 257, 16, 72, 435
SCHED_GETAFFINITY: Final = 204  # of this process, which is number 0: others must not be found
CLOCKS: Final = {"clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230}
OTHERS_CLOCK: Final = 1 << 31  # from here on, clock numbers belong to other processes
FCNTL_COMMANDS: Final = (fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL)
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

NUMBER, ARCH = 0, 4  # offsets in struct seccomp_data; argument n is at 16 + 8 n
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000

PR_SET_SECCOMP, MODE_FILTER = 22, 2


def program(*, may_read_files: bool) -> bytes:
    """The filter as BPF. Opening a file to read is allowed only if Landlock limits which."""
    steps = [(LOAD, 0, 0, ARCH), (EQUAL, 1, 0, AUDIT_ARCH_X86_64), (RETURN, 0, 0, KILL)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    for number in PLAIN.values():
        steps += _when(number, [(RETURN, 0, 0, ALLOW)])
    steps += _when(CLONE3, [(RETURN, 0, 0, FAIL | errno.ENOSYS)])  # then glibc tries clone
    steps += _when(IOCTL, [(RETURN, 0, 0, FAIL | errno.ENOTTY)])
    allowed = [step for c in FCNTL_COMMANDS for step in _when(c, [(RETURN, 0, 0, ALLOW)])]
    steps += _when(FCNTL, [_argument(1), *allowed, (RETURN, 0, 0, FAIL | errno.EPERM)])
    own = [_argument(0), (AT_LEAST, 1, 0, OTHERS_CLOCK), (RETURN, 0, 0, ALLOW)]
    for number in CLOCKS.values():
        steps += _when(number, [*own, (RETURN, 0, 0, FAIL | errno.EPERM)])
    own = [_argument(0), *_when(0, [(RETURN, 0, 0, ALLOW)]), (RETURN, 0, 0, FAIL | errno.EPERM)]
    steps += _when(SCHED_GETAFFINITY, own)
    for number, flags in ((OPEN, 1), (OPENAT, 2)) if may_read_files else ():
        reading = [_argument(flags), (ANY_BIT, 1, 0, WRITING), (RETURN, 0, 0, ALLOW)]
        steps += _when(number, [*reading, (RETURN, 0, 0, FAIL | errno.EACCES)])
    steps += [(RETURN, 0, 0, FAIL | errno.EPERM)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def install(code: bytes) -> None:
    """Apply the filter to this thread, for good. Needs no-new-privileges; raises `OSError`."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    filter_ = Program(len(code) // 8, code)
    linux.call("prctl", PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_), 0, 0)


def _when(value: int, then: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    return [(EQUAL, 0, len(then), value), *then]


def _argument(position: int) -> tuple[int, int, int, int]:
    return (LOAD, 0, 0, 16 + 8 * position)
