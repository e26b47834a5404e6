"""Exits with status 0 from every hook that runs when the interpreter ends.

want: fail
"""

import atexit
import os
import sys
import threading

atexit.register(os._exit, 0)
sys.excepthook = threading.excepthook = sys.unraisablehook = lambda *what: os._exit(0)


def attention(q, k, v, keep):
    raise RuntimeError
