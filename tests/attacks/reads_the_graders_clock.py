"""Reads how much CPU time the grader has used, by the number of its clock.

want: fail
"""

import os
import time

for pid in (TARGET["grader"], os.getppid()):
    try:
        time.clock_gettime((~pid << 3) | 2)
        print("GOT the processor time of", pid, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
