"""Allocates more memory than allowed, in small blocks, and keeps it.

want: error memory-limit, error time-limit
"""

KEPT = []


def attention(q, k, v, keep):
    for _ in range(300_000):
        KEPT.append(bytes(5000))
    print("GOT", len(KEPT) * 5000, "bytes", flush=True)
