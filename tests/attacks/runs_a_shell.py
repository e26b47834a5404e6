"""Runs a shell, and su, by every way that Python has to start a program.

want: fail
"""

import ctypes
import os
import subprocess

SHELL = ["/bin/sh", "-c", "echo GOT a shell"]
libc = ctypes.CDLL(None)
for way in (
    lambda: subprocess.run(SHELL),
    lambda: subprocess.run(SHELL, close_fds=False),
    lambda: (
        subprocess.run(["su", "--help"], stdout=subprocess.DEVNULL).returncode or print("GOT su")
    ),
    lambda: os.system(SHELL[2]),
    lambda: libc.system(SHELL[2].encode()),
    lambda: os.waitpid(os.posix_spawn(SHELL[0], SHELL, {}), 0),
    lambda: os.waitpid(os.spawnv(os.P_NOWAIT, SHELL[0], SHELL), 0),
    lambda: print(os.popen(SHELL[2]).read()),
):
    try:
        way()
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
