"""Lifts the recursion limit and recurses forever through C code.

want: error crashed, error memory-limit
"""

import sys


class Echo:
    def __repr__(self):
        return repr([self.__class__()])


def attention(q, k, v, keep):
    sys.setrecursionlimit(10**9)
    return repr(Echo())
