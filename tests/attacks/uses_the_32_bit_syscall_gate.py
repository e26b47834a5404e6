"""Makes system calls by int 0x80, where the same numbers mean other calls.

want: error crashed
"""

import ctypes
import mmap


def attention(q, k, v, keep):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("53b814000000cd805bc3"))  # push rbx; mov eax, 20; int 0x80; pop; ret
    gate = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    if gate() > 0:
        print("GOT getpid of the 32-bit interface", flush=True)
