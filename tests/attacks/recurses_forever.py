"""Recurses until the interpreter stops it.

want: fail
"""


def attention(q, k, v, keep):
    return attention(q, k, v, keep)
