"""Starts a thread by pthread_create and by clone, bypassing the interpreter.

want: fail
"""

import ctypes

libc = ctypes.CDLL(None)
nap = ctypes.cast(libc.usleep, ctypes.c_void_p)
thread = ctypes.c_ulong()
if libc.pthread_create(ctypes.byref(thread), None, nap, ctypes.c_void_p(10)) == 0:
    print("GOT a thread", flush=True)
    libc.pthread_join(thread, None)


def attention(q, k, v, keep):
    return None
