"""Writes small files into every folder it can write to, ten megabytes at most.

want: fail
"""

import os

room = 10_000_000
for folder in (".", TARGET["open"], "/tmp", "/dev/shm", "/var/tmp"):
    for number in range(40):
        path = os.path.join(folder, f"attack-{os.getpid()}-{number}")
        try:
            with open(path, "xb") as file:
                room -= file.write(bytes(60_000)) if room > 0 else 0
        except OSError:
            continue
        os.unlink(path)
print("GOT" if room < 9_000_000 else "wrote", 10_000_000 - room, "bytes")


def attention(q, k, v, keep):
    return None
