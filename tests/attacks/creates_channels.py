"""Creates pipes, event descriptors, memory files, terminals and socket files.

want: fail
"""

import ctypes
import os
import select
import socket

libc = ctypes.CDLL(None, use_errno=True)


def bind():
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{TARGET['open']}/socket-{os.getpid()}")
    os.unlink(f"{TARGET['open']}/socket-{os.getpid()}")


def secret_memory():
    if libc.syscall(447, 0) < 0:
        raise PermissionError


def eventfd():
    if libc.eventfd(0, 0) < 0:
        raise PermissionError


for name, make in (
    ("pipe", os.pipe),
    ("memfd", lambda: os.memfd_create("attack")),
    ("eventfd", eventfd),
    ("epoll", select.epoll),
    ("terminal", os.openpty),
    ("secret memory", secret_memory),
    ("socket file", bind),
):
    try:
        make()
        print("GOT a", name, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
