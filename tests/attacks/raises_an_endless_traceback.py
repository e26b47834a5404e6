"""Raises an exception whose traceback never ends.

want: error time-limit
"""

import sys


class Step:
    tb_frame, tb_lineno = sys._getframe(), 1
    tb_next = property(lambda self: self)


class Endless(Exception):
    __traceback__ = property(lambda self: Step())


def attention(q, k, v, keep):
    raise Endless
