"""Makes system calls by their x32 numbers, which a filter may not know.

want: error crashed
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def attention(q, k, v, keep):
    for number in (39, 57, 41, 520):  # getpid, fork, socket, and 520: execve
        if libc.syscall(ctypes.c_long(0x40000000 | number), 2, 2, 0) >= 0:
            print("GOT call", number, "of x32", flush=True)
