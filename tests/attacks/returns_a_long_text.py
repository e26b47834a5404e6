"""Returns a string, and a list, far longer than an answer may be.

want: fail, error memory-limit, error time-limit
"""


def attention(q, k, v, keep):
    return "x" * 50_000_000, [None] * 2_000_000
