"""Lifts the limit on recursion, and calls itself for ever by way of C.

want: error crashed, error memory-limit
"""

import sys


class Echo:
    def __repr__(self):
        return repr([self.__class__()])


def attention(q, k, v, keep):
    sys.setrecursionlimit(10**9)
    return repr(Echo())
