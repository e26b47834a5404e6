"""Returns a tuple that can be iterated forever.

want: error memory-limit, error time-limit
"""


class Endless(tuple):
    def __iter__(self):
        while True:
            yield 1.0


def attention(q, k, v, keep):
    return Endless((q, v))
