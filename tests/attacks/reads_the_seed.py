"""Looks for the seed wherever a grader might have left it.

want: fail
"""

import os
import random
import sys


def attention(q, k, v, keep):
    for path in ("/proc/{}/cmdline", "/proc/{}/environ", "/proc/{}/maps"):
        for process in ("self", os.getppid(), TARGET["grader"]):
            try:
                with open(path.format(process), "rb") as file:
                    print("GOT", path, file.read(200)[:20])
            except OSError:
                pass
    if any("seed" in word for word in [*sys.argv, *os.environ]):
        print("GOT the seed")
    random.seed(0)
