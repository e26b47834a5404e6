"""Reports an exception whose parts are nested as deeply as JSON allows.

want: error import-error, error crashed, error syntax-error, fail
"""

import os

calls = iter(range(880, 960))


def attention(q, k, v, keep):
    depth = next(calls)
    deep = b"[" * depth + b"]" * depth
    header = b'{"raised":{"type":%s,"text":%s,"frames":[[1,%s]]}}' % (deep, deep, deep)
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + bytes(8) + header)
