"""Leaves the worker too little stack to report what happened.

want: fail, error exited, error crashed
"""

import sys


def attention(q, k, v, keep):
    depth, frame = 0, sys._getframe()
    while frame:
        depth, frame = depth + 1, frame.f_back
    for more in range(1, 40):
        try:
            sys.setrecursionlimit(depth + more)
            break
        except RecursionError:
            pass
    return [[[[q]]]]
