"""Reads the references, the invariants, the katas and the checker.

want: fail
"""

import os

root = TARGET["root"]
submissions = os.path.dirname(TARGET["open"])
for path in (
    f"{root}/solutions/kata03.py",
    f"{root}/checker/invariants/kata03.py",
    f"{root}/katas/kata03.py",
    f"{root}/checker/judge/grading.py",
    f"{root}/checker/kata/catalog.toml",
    f"{root}/tests/near_misses/kata03.py",
    f"{root}/.git/HEAD",
    f"{submissions}/submission.py",
):
    try:
        if open(path).read():
            print("GOT", path, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
