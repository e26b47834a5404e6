"""Searches its call stack for anything that a test would know.

want: fail
"""

import sys

KNOWN = {"loops", "want", "want_out", "expected", "reference", "rngs", "seed", "verdict", "roles"}


def attention(q, k, v, keep):
    frame = sys._getframe(1)
    while frame:
        found = KNOWN & {*frame.f_locals, *frame.f_globals}
        if found:
            print("GOT", found, "in", frame.f_code.co_filename)
        frame = frame.f_back
