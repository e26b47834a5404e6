"""Matches a regular expression that backtracks 2**30 times.

want: error time-limit
"""

import re


def attention(q, k, v, keep):
    return re.match(r"(a+)+$", "a" * 30 + "b")
