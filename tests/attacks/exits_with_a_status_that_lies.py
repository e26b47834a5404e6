"""Exits with an int subclass whose operators return what they like.

want: error exited
"""


class Status(int):
    def __and__(self, other):
        return 10**40

    def __bool__(self):
        raise SystemExit(0)


def attention(q, k, v, keep):
    raise SystemExit(Status(0))
