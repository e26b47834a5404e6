"""Leaves a daemon running: two forks and a session of its own.

want: error import-error
"""

import os
import time

if not os.fork():
    os.setsid()
    if not os.fork():
        os.write(1, b"GOT a daemon\n")
        time.sleep(20)
    os._exit(0)
time.sleep(0.3)
