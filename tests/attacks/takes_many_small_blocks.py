"""Takes memory in small blocks, more than there may be, and keeps them.

want: error memory-limit, error time-limit
"""

KEPT = []


def attention(q, k, v, keep):
    for _ in range(300_000):
        KEPT.append(bytes(5000))
    print("GOT", len(KEPT) * 5000, "bytes", flush=True)
