"""Finds the worker's loop in its call stack and makes it answer for itself.

want: fail, error crashed, error exited
"""

import sys


def attention(q, k, v, keep):
    frame = sys._getframe(1)
    while frame:
        for value in [*frame.f_locals.values()]:
            if type(value).__name__ == "Worker":
                claim = frame.f_globals["wire"].frame({"status": "pass", "value": {"v": True}})
                type(value).answer = lambda *a: claim
        frame = frame.f_back
