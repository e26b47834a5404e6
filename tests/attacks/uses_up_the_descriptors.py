"""Opens readable files until there are no descriptors left, and keeps them open.

want: fail, error time-limit
"""

import os

KEPT = []


def attention(q, k, v, keep):
    try:
        while len(KEPT) < 500:
            KEPT.append(open(os.__file__))
    except OSError:
        return None
    print("GOT", len(KEPT), "descriptors", flush=True)
