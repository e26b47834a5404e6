"""Puts false source lines wherever tracebacks may look for them.

want: fail
"""

import linecache


class Lines(list):
    def __getitem__(self, place):
        raise SystemExit(0)


entry = (10**9, None, Lines(["9 of 9 invariants hold\n"]), "")
linecache.cache.update(dict.fromkeys([*linecache.cache, __file__, "<string>"], entry))
linecache.getline = linecache.checkcache = lambda *a: 1 / 0
__loader__ = __spec__ = entry


def attention(q, k, v, keep):
    raise ValueError("here")
