"""Maps its output, which is shorter than the map, and reads past the end.

want: error crashed
"""

import ctypes
import mmap

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p


def attention(q, k, v, keep):
    size = ctypes.c_size_t(1 << 20)
    place = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, 1, ctypes.c_long(0))
    return ctypes.string_at(place + (1 << 19), 1)
