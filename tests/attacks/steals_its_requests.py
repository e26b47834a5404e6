"""Reads the pipe itself and throws away the requests.

want: error time-limit
"""

import os


def attention(q, k, v, keep):
    while os.read(3, 1 << 16):
        continue
