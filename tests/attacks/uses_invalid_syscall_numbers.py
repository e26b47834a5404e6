"""Makes system calls by numbers with extra high bits, and by numbers that do not exist.

want: fail, error crashed
"""

import ctypes
import mmap

# mov rax, rdi; mov rdi, rsi; xor esi, esi; xor edx, edx; syscall; ret
CODE = bytes.fromhex("4889f84889f731f631d20f05c3")
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(CODE)
call = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long, ctypes.c_long)(
    ctypes.addressof(ctypes.c_char.from_buffer(page))
)
for number in (1 << 32 | 32, -1 << 32 | 32, 1 << 63 | 32, 335, 400, 500, 1023):  # 32 is dup
    signed = number - (1 << 64) if number >= 1 << 63 else number
    if call(signed, 1) >= 0:
        print("GOT call", number, flush=True)


def attention(q, k, v, keep):
    for number in (-1, -2, 0x7FFFFFFF, 0x80000000 | 32):
        if call(number, 1) >= 0:
            print("GOT call", number, flush=True)
