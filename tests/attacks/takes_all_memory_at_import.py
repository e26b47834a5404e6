"""Takes all memory while the file is run, down to the last block, and keeps quiet about it.

want: error memory-limit, error time-limit
"""

KEPT = []
for size in (1 << 24, 1 << 16, 1 << 10, 1 << 6):
    try:
        while len(KEPT) < 1_000_000:
            KEPT.append(bytearray(size))
    except MemoryError:
        continue


def attention(q, k, v, keep):
    return None
