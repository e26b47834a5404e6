"""Asks the kernel to report accesses to files of the checkout.

want: fail
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(0)
if watch >= 0 and libc.inotify_add_watch(watch, TARGET["root"].encode(), 0x20) >= 0:
    print("GOT a watch by inotify", flush=True)
if libc.fanotify_init(0, 0) >= 0:
    print("GOT a watch by fanotify", flush=True)


def attention(q, k, v, keep):
    return None
