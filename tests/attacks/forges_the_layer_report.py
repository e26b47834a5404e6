"""Sends a second report of its layers, and of a successful load, after it was loaded.

want: fail, error crashed, error missing-name
"""

import json
import os

for answer in [
    {"layers": ["process", "strict"], "missing": []},
    {"value": {"v": None}, "layers": ["rlimits", "seccomp"], "status": "pass"},
    {"missing": "nothing"},
]:
    header = json.dumps(answer).encode()
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + bytes(8) + header)


def attention(q, k, v, keep):
    return None
