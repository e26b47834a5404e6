"""Reads a byte of its parent, which has the same memory layout, and writes it back.

want: fail
"""

import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
address = id(sys.copyright) + sys.getsizeof(sys.copyright) - 2
byte = ctypes.create_string_buffer(1)
mine = (ctypes.c_size_t * 2)(ctypes.addressof(byte), 1)
theirs = (ctypes.c_size_t * 2)(address, 1)
pid = os.getppid()
if libc.process_vm_readv(pid, mine, 1, theirs, 1, 0) == 1:
    print("GOT a byte of the parent", flush=True)
    if libc.process_vm_writev(pid, mine, 1, theirs, 1, 0) == 1:
        print("GOT to write to the parent", flush=True)
try:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        print("GOT", len(memory.read(1)), "bytes of the parent's memory", flush=True)
except OSError:
    pass


def attention(q, k, v, keep):
    return None
