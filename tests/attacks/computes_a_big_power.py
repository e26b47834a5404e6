"""Computes a number of fifty million digits in one step of the interpreter.

want: error time-limit
"""


def attention(q, k, v, keep):
    return 9 ** (5 * 10**7) > 0
