"""Calls itself until the interpreter has had enough.

want: fail
"""


def attention(q, k, v, keep):
    return attention(q, k, v, keep)
