"""Renames, removes and changes modes, owners, times and attributes in an open folder.

want: fail
"""

import os

folder, secret = TARGET["open"], TARGET["secret"]
mine, other = f"{folder}/mine", f"{folder}/other"
try:
    os.close(os.open(mine, os.O_CREAT | os.O_WRONLY))
except OSError:
    mine = folder
mode = os.stat(secret).st_mode & 0o7777
for name, change in (
    ("chmod", lambda: os.chmod(secret, mode)),
    ("chmod of a folder", lambda: os.chmod(folder, 0o777)),
    ("fchmod", lambda: os.fchmod(1, 0o600)),
    ("chown", lambda: os.chown(secret, -1, -1)),
    ("lchown", lambda: os.lchown(mine, os.getuid(), -1)),
    ("fchown", lambda: os.fchown(1, os.getuid(), -1)),
    ("utime", lambda: os.utime(mine)),
    ("utime of its output", lambda: os.utime(1)),
    ("setxattr", lambda: os.setxattr(mine, "user.attack", b"here")),
    ("setxattr of its output", lambda: os.setxattr(1, "user.attack", b"here")),
    ("listxattr", lambda: os.listxattr(secret)),
    ("truncate", lambda: os.truncate(mine, 0)),
    ("rename", lambda: os.rename(mine, other)),
    ("remove", lambda: os.unlink(other)),
    ("rmdir", lambda: (os.mkdir(other), os.rmdir(other))),
    ("umask", lambda: os.umask(0)),
    ("sync", lambda: os.fsync(1)),
):
    try:
        change()
        print("GOT", name, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
