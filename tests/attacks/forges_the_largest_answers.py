"""Sends answers of exactly the largest size allowed, again and again.

want: fail, error crashed, error time-limit
"""

import os

header = b'{"value":{"t":[%s]}}' % b",".join([b'{"a":["<c16",[262144],0]}'] * 2500)
payload = bytes(2**22)
sizes = len(header).to_bytes(4, "little") + len(payload).to_bytes(8, "little")


def attention(q, k, v, keep):
    for _ in range(40):
        data = b"KATA" + sizes + header + payload
        while data:
            data = data[os.write(3, data) :]
