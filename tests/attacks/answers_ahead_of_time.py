"""Sends the answers to all requests before the first request.

want: fail, error crashed
"""

import os

load = b'{"value":{"v":null}}'
call = b'{"value":{"t":[{"a":["<f8",[2,3,6],0]},{"a":["<f8",[2,3,5],0]}]}}'
frames = b"KATA" + len(load).to_bytes(4, "little") + bytes(8) + load
frames += 200 * (
    b"KATA" + len(call).to_bytes(4, "little") + (288).to_bytes(8, "little") + call + b"\xff" * 288
)
while frames:
    frames = frames[os.write(3, frames[:200]) :]


def attention(q, k, v, keep):
    return None
