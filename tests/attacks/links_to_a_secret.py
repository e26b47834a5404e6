"""Reads a file through hard and symbolic links that it creates.

want: fail
"""

import os

secret, folder = TARGET["secret"], TARGET["open"]
for name, make in (
    ("hard", os.link),
    ("symbolic", os.symlink),
    ("followed", lambda old, new: os.link(old, new, follow_symlinks=True)),
):
    for place in (".", folder):
        link = os.path.join(place, f"link-{os.getpid()}")
        try:
            make(secret, link)
            print("GOT a link:", name, flush=True)
            with open(link) as file:
                print("GOT", len(file.read()), "characters", flush=True)
        except OSError:
            pass
        try:
            os.unlink(link)
        except OSError:
            continue


def attention(q, k, v, keep):
    return None
