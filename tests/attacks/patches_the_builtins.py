"""Replaces the built-in functions that the worker itself uses.

want: fail, error exited, error crashed
"""

import builtins


class Everything(type):
    def __instancecheck__(cls, other):
        return True


def attention(q, k, v, keep):
    builtins.isinstance = lambda *a: True
    builtins.getattr = lambda *a: print
    builtins.len = lambda *a: 0
    builtins.tuple = builtins.dict = Everything("tuple", (), {})
    return q
