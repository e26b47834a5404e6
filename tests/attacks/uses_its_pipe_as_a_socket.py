"""Uses its pipe as the socket it is: descriptors, peers, options, addresses.

want: fail
"""

import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
SOL_SOCKET, SO_SNDBUF, SO_PEERCRED, SO_PEEK_OFF, PEEK = 1, 7, 17, 42, 0x42
room, size = ctypes.create_string_buffer(128), ctypes.c_int(128)
control = ctypes.create_string_buffer(struct.pack("<Qiii4x", 20, SOL_SOCKET, 1, 1))
part = ctypes.create_string_buffer(struct.pack("<QQ", ctypes.addressof(room), 1))
places = ctypes.addressof(part), 1, ctypes.addressof(control), 24
for name, result in (
    ("its peer", libc.getsockopt(3, SOL_SOCKET, SO_PEERCRED, room, ctypes.byref(size))),
    ("a larger buffer", libc.setsockopt(3, SOL_SOCKET, SO_SNDBUF, struct.pack("i", 1 << 24), 4)),
    ("an offset", libc.setsockopt(3, SOL_SOCKET, SO_PEEK_OFF, struct.pack("i", -1), 4)),
    ("its peer's name", libc.getpeername(3, room, ctypes.byref(size))),
    ("its own name", libc.getsockname(3, room, ctypes.byref(size))),
    ("a look ahead", libc.recv(3, room, 0, PEEK)),
    (
        "an empty message",
        libc.sendmsg(3, struct.pack("<QQ4Q", 0, 0, *places[:1], 0, 0, 0) + bytes(8), 0),
    ),
    ("a pipe filled from a file", libc.sendfile(3, os.open(os.__file__, 0), None, 0)),
):
    if result >= 0:
        print("GOT", name, flush=True)


def attention(q, k, v, keep):
    return None
