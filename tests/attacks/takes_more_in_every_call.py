"""Takes more memory in every call and ignores memory errors, until none is left.

want: error memory-limit
"""

KEPT = []


def attention(q, k, v, keep):
    for size in (1 << 28, 1 << 24, 1 << 20, 1 << 16, 1 << 12, 1 << 8, 1 << 6):
        try:
            while len(KEPT) < 200_000:
                KEPT.append(bytearray(size))
        except MemoryError:
            continue
    if sum(map(len, KEPT)) > 1 << 30:
        print("GOT", len(KEPT), "blocks", flush=True)
