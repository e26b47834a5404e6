"""Writes a complete answer to every descriptor before returning its own.

want: fail, error crashed
"""

import contextlib
import os

header = b'{"value":{"t":[{"a":["<f8",[2,3,6],0]},{"a":["<f8",[2,3,5],0]}]},"status":"pass"}'
payload = b"\xff" * 288  # not a number
sizes = len(header).to_bytes(4, "little") + len(payload).to_bytes(8, "little")


def attention(q, k, v, keep):
    for descriptor in range(64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"KATA" + sizes + header + payload)
