"""Answers with 60,000 brackets, deeper than any parser goes.

want: error crashed
"""

import os

header = b"[" * 60_000


def attention(q, k, v, keep):
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + bytes(8) + header)
