"""Opens the references, the checker and a file in a home folder for writing, and writes nothing.

want: fail
"""

import os

root = TARGET["root"]
for path in (
    f"{root}/solutions/kata03.py",
    f"{root}/katas/kata03.py",
    f"{root}/checker/kata/catalog.toml",
    f"{root}/checker/invariants/kata03.py",
    TARGET["secret"],
    os.__file__,
    "/proc/self/oom_score_adj",
    "/proc/self/comm",
    "/proc/self/fd/1",
    "/proc/self/fd/3",
):
    for flags in (os.O_RDWR, os.O_WRONLY, os.O_RDONLY | os.O_APPEND, os.O_ACCMODE):
        try:
            os.close(os.open(path, flags))
            print("GOT", path, "with", flags, flush=True)
        except OSError:
            continue


def attention(q, k, v, keep):
    return None
