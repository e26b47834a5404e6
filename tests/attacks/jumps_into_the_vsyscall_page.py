"""Makes system calls through the vsyscall page, which old programs used.

want: fail, error crashed
"""

import ctypes


def attention(q, k, v, keep):
    for offset in (0x400, 0x800, 0):
        ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(0xFFFFFFFFFF600000 + offset)(None)
