"""Prints a hundred megabytes with `print`.

want: fail, error time-limit
"""


def attention(q, k, v, keep):
    for _ in range(100):
        print("x" * 1_000_000)
