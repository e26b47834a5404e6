"""Ends the process with status 0 at the second call, after a first answer.

want: error exited
"""

import os

calls = []


def attention(q, k, v, keep):
    calls.append(1)
    if len(calls) == 2:
        os._exit(0)
