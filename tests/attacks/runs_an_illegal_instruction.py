"""Runs an illegal CPU instruction.

want: error crashed
"""

import ctypes
import mmap


def attention(q, k, v, keep):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x0f\x0b\xc3")  # ud2
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
