"""Tries to undo its restrictions by prctl, seccomp, personality and ptrace.

want: fail
"""

import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)
filter_ = ctypes.create_string_buffer(struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000))
program = struct.pack("<H6xQ", 1, ctypes.addressof(filter_))
for name, done in (
    ("PDEATHSIG", libc.prctl(1, 0, 0, 0, 0) == 0),
    ("DUMPABLE", libc.prctl(4, 1, 0, 0, 0) == 0),
    ("NAME", libc.prctl(15, b"init", 0, 0, 0) == 0),
    ("SECCOMP", libc.prctl(22, 2, program, 0, 0) == 0),
    ("GET_SECCOMP", libc.prctl(21, 0, 0, 0, 0) >= 0),
    ("seccomp", libc.syscall(317, 1, 0, program) == 0),
    ("NO_NEW_PRIVS", libc.prctl(38, 0, 0, 0, 0) == 0),
    ("SUBREAPER", libc.prctl(36, 1, 0, 0, 0) == 0),
    ("PTRACER", libc.prctl(0x59616D61, -1, 0, 0, 0) == 0),
    ("SYSCALL_USER_DISPATCH", libc.prctl(59, 0, 0, 0, 0) == 0),
    ("TSC", libc.prctl(26, 1, 0, 0, 0) == 0),
    ("personality", libc.personality(0x0040000) >= 0),
    ("TRACEME", libc.ptrace(0, 0, None, None) == 0),
):
    if done:
        print("GOT", name, flush=True)


def attention(q, k, v, keep):
    return None
