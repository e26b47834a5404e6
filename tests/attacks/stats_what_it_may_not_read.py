"""Asks for file sizes and times, which it may know, then for the contents, which it may not.

want: fail
"""

import os

for path in (f"{TARGET['root']}/solutions/kata03.py", TARGET["secret"]):
    found = os.stat(path)
    print("knows", found.st_size, found.st_mtime_ns, os.access(path, os.R_OK))
    try:
        with open(path) as file:
            print("GOT", len(file.read()), "characters", flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
