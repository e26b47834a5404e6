"""Replaces the standard streams with ones that raise or never end.

want: fail
"""

import sys


class Hostile:
    def __getattr__(self, name):
        raise KeyboardInterrupt(name)

    def write(self, text):
        raise SystemExit(0)


sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = sys.stdin = Hostile()


def attention(q, k, v, keep):
    raise ValueError(sys.stdout)
