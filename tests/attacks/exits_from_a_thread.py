"""Starts a thread that ends the process with status 0 a moment later.

want: fail
"""

import os
import threading
import time


def leave():
    os.write(1, b"GOT a thread\n")
    time.sleep(0.02)
    os._exit(0)


def attention(q, k, v, keep):
    threading.Thread(target=leave).start()
    time.sleep(0.5)
