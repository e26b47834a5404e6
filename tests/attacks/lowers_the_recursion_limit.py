"""Leaves the worker too little recursion depth once the call is over.

want: fail, error crashed, error exited
"""

import sys


def attention(q, k, v, keep):
    for limit in range(5, 100):
        try:
            sys.setrecursionlimit(limit)
        except RecursionError:
            continue
        return None
