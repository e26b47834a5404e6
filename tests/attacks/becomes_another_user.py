"""Tries to become root, leave its groups and gain capabilities.

want: fail
"""

import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
header = struct.pack("<Ii", 0x20080522, 0)
for name, way in (
    ("setuid", lambda: os.setuid(0)),
    ("setgid", lambda: os.setgid(0)),
    ("seteuid", lambda: os.seteuid(0)),
    ("setresuid", lambda: os.setresuid(0, 0, 0)),
    ("setreuid", lambda: os.setreuid(0, 0)),
    ("setgroups", lambda: os.setgroups([])),
    ("getgroups", lambda: os.getgroups()),
    ("setsid", lambda: os.setsid()),
    ("setpgid", lambda: os.setpgid(0, os.getppid())),
    ("setfsuid", lambda: 1 / (libc.setfsuid(0) == libc.setfsuid(-1) == 0)),
    ("capset", lambda: 1 / (libc.capset(header, struct.pack("<6I", *[2**32 - 1] * 6)) == 0)),
    ("capget", lambda: 1 / (libc.capget(header, ctypes.create_string_buffer(24)) == 0)),
):
    try:
        way()
        print("GOT", name, os.getuid(), os.getresuid() if name == "none" else "", flush=True)
    except (OSError, ZeroDivisionError):
        continue


def attention(q, k, v, keep):
    return None
