"""Lists folders: the checkout, home folders, processes, temporary folders.

want: fail
"""

import os

home = os.path.dirname(TARGET["secret"])
places = (TARGET["root"], home, os.path.dirname(home), TARGET["open"], ".")
for place in (*places, "/", "/tmp", "/home", "/root", "/proc", "/dev/shm", "/proc/self/fd"):
    for way in (os.listdir, os.scandir, lambda path: next(os.walk(path))):
        try:
            way(place)
            print("GOT the names in", place, flush=True)
        except (OSError, StopIteration):
            continue


def attention(q, k, v, keep):
    return None
