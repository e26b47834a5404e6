"""Sets O_ASYNC and O_NONBLOCK on the pipe and locks the output, to confuse the judge.

want: fail
"""

import ctypes
import fcntl
import os
import signal

F_SETSIG, FIOASYNC, FIONBIO = 10, 0x5452, 0x5421
on = ctypes.c_int(1)
for name, ask in (
    ("F_SETSIG", lambda: fcntl.fcntl(3, F_SETSIG, signal.SIGCONT)),
    ("O_NONBLOCK", lambda: fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK)),
    ("set_blocking", lambda: os.set_blocking(3, True)),
    ("FIONBIO", lambda: fcntl.ioctl(1, FIONBIO, on)),
    ("FIOASYNC", lambda: fcntl.ioctl(3, FIOASYNC, on)),
    ("flock", lambda: fcntl.flock(1, fcntl.LOCK_EX)),
    ("lockf", lambda: fcntl.lockf(1, fcntl.LOCK_EX)),
):
    try:
        ask()
        print("GOT", name, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
