"""Creates namespaces of every kind, and enters those of other processes.

want: fail
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for name, flag in (
    ("user", 0x10000000),
    ("mount", 0x00020000),
    ("names", 0x04000000),
    ("queues", 0x08000000),
    ("network", 0x40000000),
    ("processes", 0x20000000),
    ("groups", 0x02000000),
    ("files", 0x400),
):
    if libc.unshare(flag) == 0:
        print("GOT a namespace:", name, flush=True)
try:
    if libc.setns(os.open("/proc/self/ns/uts", os.O_RDONLY), 0) == 0:
        print("GOT into a namespace", flush=True)
except OSError:
    pass


def attention(q, k, v, keep):
    return None
