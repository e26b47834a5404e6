"""Acquires a lock twice: a deadlock.

want: error time-limit
"""

import threading

LOCK = threading.Lock()


def attention(q, k, v, keep):
    LOCK.acquire(timeout=30)
    LOCK.acquire(timeout=30)
