"""Creates a file everywhere it might: open folders, shared memory, its own scratch folder.

want: fail
"""

import os
import tempfile

for folder in (TARGET["open"], ".", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock"):
    path = os.path.join(folder, f"attack-{os.getpid()}")
    for name, make in (
        ("file", lambda: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))),
        ("folder", lambda: os.mkdir(path)),
        ("pipe", lambda: os.mkfifo(path)),
        ("node", lambda: os.mknod(path)),
        ("nameless file", lambda: os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))),
    ):
        try:
            make()
            print("GOT a", name, "in", folder, flush=True)
            os.rmdir(path) if os.path.isdir(path) else os.unlink(path)
        except OSError:
            continue
try:
    print("GOT", tempfile.gettempdir(), flush=True)
except OSError:
    pass


def attention(q, k, v, keep):
    return None
