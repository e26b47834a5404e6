"""Aborts the process.

want: error crashed
"""

import os


def attention(q, k, v, keep):
    os.abort()
