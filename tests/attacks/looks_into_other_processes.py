"""Reads what /proc reveals about the grader and its own parent.

want: fail
"""

import os

for pid in (TARGET["grader"], os.getppid()):
    for name in ("mem", "maps", "cmdline", "status", "stat", "auxv", "syscall", "io", "comm"):
        try:
            os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
            print("GOT", name, "of", pid, flush=True)
        except OSError:
            continue
    for name, look in (
        ("fd", lambda: os.listdir(f"/proc/{pid}/fd")),
        ("task", lambda: os.listdir(f"/proc/{pid}/task")),
        ("exe", lambda: os.readlink(f"/proc/{pid}/exe")),
        ("cwd", lambda: os.listdir(f"/proc/{pid}/cwd")),
        ("root", lambda: os.listdir(f"/proc/{pid}/root")),
        ("a descriptor", lambda: os.readlink(f"/proc/{pid}/fd/0")),
        ("a namespace", lambda: os.readlink(f"/proc/{pid}/ns/user")),
    ):
        try:
            look()
            print("GOT", name, "of", pid, flush=True)
        except OSError:
            continue


def attention(q, k, v, keep):
    return None
