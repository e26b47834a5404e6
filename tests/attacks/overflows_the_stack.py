"""Pushes until the process's stack is full.

want: error crashed
"""

import ctypes
import mmap


def attention(q, k, v, keep):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x50\xeb\xfd")  # push rax; jmp -3
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
