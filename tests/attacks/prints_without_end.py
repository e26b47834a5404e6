"""Prints a hundred megabytes by `print`.

want: fail
"""


def attention(q, k, v, keep):
    for _ in range(100):
        print("x" * 1_000_000)
