"""Opens and copies a file by system calls that a filter may have missed.

want: fail
"""

import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
path = TARGET["secret"].encode()
folder = os.path.dirname(path)
HERE = -100
handle = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0) + bytes(128))
mount = ctypes.c_int()
place = libc.syscall(257, HERE, folder, os.O_PATH)
for name, result in (
    ("open", libc.syscall(2, path, 0, 0)),
    ("open with a bit too many", libc.syscall(2, path, ctypes.c_long(1 << 40), 0)),
    ("openat", libc.syscall(257, HERE, path, 0, 0)),
    ("openat2", libc.syscall(437, HERE, path, struct.pack("<3Q", 0, 0, 0), 24)),
    ("name_to_handle_at", libc.syscall(303, HERE, path, handle, ctypes.byref(mount), 0)),
    ("open_by_handle_at", libc.syscall(304, place, handle, 0)),
    ("open_tree", libc.syscall(428, HERE, path, 0)),
    ("readlink", libc.syscall(89, path, ctypes.create_string_buffer(99), 99)),
    ("uselib", libc.syscall(134, path)),
    ("chdir", libc.syscall(80, folder)),
    ("fchdir", libc.syscall(81, place)),
    ("dup", libc.syscall(32, 1)),
    ("dup3", libc.syscall(292, 1, 20, 0)),
    ("io_uring_setup", libc.syscall(425, 4, ctypes.create_string_buffer(200))),
    ("io_setup", libc.syscall(206, 4, ctypes.byref(ctypes.c_long()))),
    ("inotify", libc.syscall(254, libc.syscall(294, 0), path, 0x2)),
    ("fanotify", libc.syscall(300, 0, 0)),
    ("statfs", libc.syscall(137, path, ctypes.create_string_buffer(200))),
):
    if result >= 0:
        print("GOT", name, flush=True)
library = os.open(os.__file__, os.O_RDONLY)
for name, number, *rest in (
    ("sendfile", 40, 1, library, None, 9),
    ("splice", 275, library, None, 3, None, 9, 0),
    ("copy_file_range", 326, library, None, 1, None, 9, 0),
    ("preadv2", 327, library, None, 0, 0, 0, 0),
    ("tee", 276, 3, 3, 9, 0),
):
    if libc.syscall(number, *rest) >= 0:
        print("\nGOT", name, flush=True)


def attention(q, k, v, keep):
    return None
