"""Starts a process by vfork, in machine code of its own.

want: fail
"""

import ctypes
import mmap

# mov eax, 58; syscall; test rax, rax; jz child; ret; child: xor edi, edi; mov eax, 231; syscall
CODE = bytes.fromhex("b83a0000000f054885c07401c331ffb8e70000000f05")


def attention(q, k, v, keep):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if ctypes.CFUNCTYPE(ctypes.c_long)(address)() > 0:
        print("GOT a process by vfork", flush=True)
