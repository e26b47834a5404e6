"""Lifts the recursion limit and recurses until the stack overflows.

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
