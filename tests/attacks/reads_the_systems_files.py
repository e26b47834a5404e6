"""Opens system files, among them /etc/passwd, and the shadow file without reading it.

want: fail
"""

import glob
import os

import numpy as np

beside = os.path.dirname(os.path.dirname(np.__file__))
for path in (
    "/etc/passwd",
    "/etc/shadow",
    "/etc/hostname",
    "/etc/hosts",
    "/proc/version",
    "/proc/cpuinfo",
    "/proc/net/tcp",
    "/proc/self/status",
    "/proc/self/maps",
    "/sys/kernel/uevent_seqnum",
    "/dev/urandom",
    "/dev/null",
    f"{beside}/pytest/__init__.py",
    *glob.glob(f"{beside}/*/METADATA")[:1],
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        print("GOT", path, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
