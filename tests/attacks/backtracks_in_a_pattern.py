"""Matches a pattern that tries two to the power of thirty ways.

want: error time-limit
"""

import re


def attention(q, k, v, keep):
    return re.match(r"(a+)+$", "a" * 30 + "b")
