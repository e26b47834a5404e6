"""Takes shared memory, which a limit on private pages may not count.

want: error memory-limit, error import-error, error time-limit
"""

import mmap

KEPT = []
for _ in range(30):
    KEPT.append(mmap.mmap(-1, 1 << 26, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))
    KEPT[-1][:: 1 << 12] = b"x" * (1 << 14)
print("GOT", len(KEPT) << 26, "bytes", flush=True)
