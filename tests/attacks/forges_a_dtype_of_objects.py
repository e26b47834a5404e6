"""Answers with an array of objects, whose bytes would be pointers.

want: error crashed
"""

import os

header = b'{"value":{"t":[{"a":["|O",[1],0]},{"a":["<f8",[2],0]}]}}'


def attention(q, k, v, keep):
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + (16).to_bytes(8, "little") + header)
    os.write(3, bytes(16))
    raise ValueError
