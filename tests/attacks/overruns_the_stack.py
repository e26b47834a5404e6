"""Lifts the limit of recursion and goes down until the stack is gone.

want: error crashed, error memory-limit, fail
"""

import sys

sys.setrecursionlimit(2**30)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __repr__(self):
        return repr([self])


def attention(q, k, v, keep):
    return repr(Deep())
