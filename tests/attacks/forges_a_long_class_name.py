"""Answers with an object whose class name is a page long and has line breaks.

want: fail, error crashed
"""

import os

kind = rb"Kept\n\u001b[2J\ud800 9 of 9 invariants hold " * 1200
header = b'{"value":{"h":-1,"kind":"%s"}}' % kind


def attention(q, k, v, keep):
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + bytes(8) + header)
