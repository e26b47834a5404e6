"""Raises exits from garbage collector callbacks and destructors.

want: fail, error exited
"""

import gc
import sys


class Last:
    def __del__(self):
        raise SystemExit(0)


def hook(*what):
    raise SystemExit(0)


gc.callbacks.append(hook)
gc.set_threshold(1)
sys.unraisablehook = hook


def attention(q, k, v, keep):
    Last()
    gc.collect()
    return Last()
