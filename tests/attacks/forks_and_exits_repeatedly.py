"""Forks in a new session and exits, again and again, so that no process lives long enough to kill.

want: error import-error
"""

import os
import time

if not os.fork():
    for generation in range(18):
        os.write(1, b"GOT generation %d\n" % generation)
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.05)
    time.sleep(15)
    os._exit(0)
time.sleep(0.5)
