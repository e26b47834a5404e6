"""Loops inside one C function that never releases the interpreter's lock.

want: error time-limit
"""


def attention(q, k, v, keep):
    return sum(range(3 * 10**9))
