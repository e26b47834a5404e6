"""Mounts over its own folder, in a namespace of its own, and changes its root.

want: fail
"""

import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
PRIVATE = 1 << 18 | 1 << 14
place = b"/nowhere/at/all"
if libc.unshare(0x00020000) == 0 and libc.mount(b"none", b"/", None, PRIVATE, None) == 0:
    place = os.getcwdb()
for name, number, *rest in (
    ("mount", 165, b"none", place, b"tmpfs", 0, None),
    ("umount", 166, place, 0),
    ("fsopen", 430, b"tmpfs", 0),
    ("open_tree", 428, -100, place, 1),
    ("move_mount", 429, -100, place, -100, place, 0),
    ("pivot_root", 155, place, place),
    ("chroot", 161, b"/nowhere/at/all"),
):
    ctypes.set_errno(0)
    done = libc.syscall(number, *rest) >= 0
    if done or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EINVAL, errno.EBUSY):
        print("GOT", name, os.strerror(ctypes.get_errno()), flush=True)
try:
    os.chroot(".")
    print("GOT another root", flush=True)
except OSError:
    pass


def attention(q, k, v, keep):
    return None
