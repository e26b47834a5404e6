"""Creates shared memory, semaphores and queues that outlive it.

want: fail
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
name = f"/attack-{os.getpid()}".encode()
if libc.shm_open(name, os.O_CREAT | os.O_RDWR, 0o600) >= 0:
    print("GOT shared memory", flush=True)
    libc.shm_unlink(name)
if libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None) >= 0:
    print("GOT a queue", flush=True)
    libc.mq_unlink(name)
for what, make, remove in (
    ("memory", lambda: libc.shmget(0, 4096, 0o1600), lambda n: libc.shmctl(n, 0, None)),
    ("a semaphore", lambda: libc.semget(0, 1, 0o1600), lambda n: libc.semctl(n, 0, 0)),
    ("a message queue", lambda: libc.msgget(0, 0o1600), lambda n: libc.msgctl(n, 0, None)),
):
    number = make()
    if number >= 0:
        print("GOT", what, "of System V", flush=True)
        remove(number)


def attention(q, k, v, keep):
    return None
