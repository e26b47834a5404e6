"""Answers once, then deletes its function and its module.

want: error missing-name, fail
"""

import sys


def attention(q, k, v, keep):
    del sys.modules[__name__], globals()["attention"]
