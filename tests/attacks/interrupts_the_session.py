"""Raises exceptions that end whole sessions: Ctrl-C, a closed generator, a stop.

want: fail
"""

kinds = [KeyboardInterrupt, GeneratorExit, StopIteration, StopAsyncIteration, BaseException]


def attention(q, k, v, keep):
    kinds.append(kinds.pop(0))
    raise kinds[0]
