"""Makes the grader the owner of the pipe, so that the kernel signals it when data arrives.

want: fail
"""

import ctypes
import fcntl
import os
import signal

F_SETOWN_EX, F_SETSIG, F_NOTIFY, FIOASYNC, FIOSETOWN, SIOCSPGRP = (
    15,
    10,
    1026,
    0x5452,
    0x8901,
    0x8902,
)
libc = ctypes.CDLL(None, use_errno=True)
for victim in (TARGET["grader"], os.getppid()):
    owner = ctypes.c_int(victim)
    for name, ask in (
        ("F_SETSIG", lambda: fcntl.fcntl(3, F_SETSIG, signal.SIGCONT)),
        ("F_SETOWN", lambda: fcntl.fcntl(3, fcntl.F_SETOWN, victim)),
        ("F_SETOWN_EX", lambda: fcntl.fcntl(3, F_SETOWN_EX, bytes(ctypes.c_int(1)) + bytes(owner))),
        ("FIOSETOWN", lambda: fcntl.ioctl(3, FIOSETOWN, owner)),
        ("SIOCSPGRP", lambda: fcntl.ioctl(3, SIOCSPGRP, owner)),
        ("F_SETLEASE", lambda: fcntl.fcntl(1, fcntl.F_SETLEASE, fcntl.F_WRLCK)),
        ("F_SETPIPE_SZ", lambda: fcntl.fcntl(3, 1031, 1 << 20)),
        ("F_DUPFD", lambda: os.close(fcntl.fcntl(3, fcntl.F_DUPFD, 9))),
    ):
        try:
            ask()
            print("GOT", name, flush=True)
        except OSError:
            continue


def attention(q, k, v, keep):
    return None
