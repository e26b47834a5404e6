"""Answers once, then takes its function and its module away.

want: error missing-name, fail
"""

import sys


def attention(q, k, v, keep):
    del sys.modules[__name__], globals()["attention"]
