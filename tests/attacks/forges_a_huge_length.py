"""Announces 2**62 bytes, so that the grader allocates them.

want: error crashed
"""

import os


def attention(q, k, v, keep):
    os.write(3, b"KATA" + (2).to_bytes(4, "little") + (2**62).to_bytes(8, "little") + b"{}")
