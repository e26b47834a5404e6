"""Disables the worker's exit, then exits, to fall out of its loop into its parent's.

want: error exited
"""

import os
import sys

os._exit = lambda status: None
sys.excepthook = lambda *what: None


def attention(q, k, v, keep):
    sys.exit(0)
