"""Looks for a variable of the grader's environment: in its own, its parent's and the grader's.

want: fail
"""

import ctypes
import os

libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
name = TARGET["token_name"]
if name in os.environ or libc.getenv(name.encode()):
    print("GOT the token", flush=True)
for pid in ("self", os.getppid(), TARGET["grader"]):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            if file.read() and pid != "self":
                print("GOT the environment of", pid, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
