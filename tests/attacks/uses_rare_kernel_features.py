"""Tries keyrings, BPF, performance counters, userfaultfd and other rarely needed system calls.

want: fail
"""

import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)
counter = struct.pack("<IIQ", 1, 112, 0) + bytes(96)
KEYRING = ctypes.c_long(-2)  # of this process
for name, number, *rest in (
    ("keyctl", 250, 0, KEYRING, 1),
    ("add_key", 248, b"user", b"attack", b"x", 1, KEYRING),
    ("bpf", 321, 0, struct.pack("<4I", 2, 4, 4, 1) + bytes(64), 80),
    ("perf_event_open", 298, counter, 0, ctypes.c_long(-1), ctypes.c_long(-1), 0),
    ("userfaultfd", 323, 0),
    ("userfaultfd for users", 323, 1),
    ("syslog", 103, 10, None, 0),
    ("pkey_alloc", 330, 0, 0),
    ("timer_create", 222, 1, None, ctypes.byref(ctypes.c_int())),
    ("timerfd_create", 283, 1, 0),
    ("signalfd", 289, ctypes.c_long(-1), bytes(8), 8, 0),
    ("getcpu", 309, ctypes.byref(ctypes.c_uint()), None, None),
    ("membarrier", 324, 0, 0),
    ("get_mempolicy", 239, None, None, 0, None, 0),
    ("arch_prctl", 158, 0x1003, ctypes.byref(ctypes.c_long())),
    ("modify_ldt", 154, 0, ctypes.create_string_buffer(16), 16),
    ("ioperm", 173, 0x80, 1, 0),
    ("mlock", 149, ctypes.create_string_buffer(9), 9),
    ("landlock", 444, None, 0, 1),
    ("lsm_list_modules", 461, None, ctypes.byref(ctypes.c_int()), 0),
):
    if libc.syscall(ctypes.c_long(number), *rest) >= 0:
        print("GOT", name, flush=True)


def attention(q, k, v, keep):
    return None
