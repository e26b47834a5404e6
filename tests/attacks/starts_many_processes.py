"""Forks again and again: a fork bomb, limited to sixteen.

want: error import-error
"""

import os
import time

for count in range(1, 17):
    if not os.fork():
        time.sleep(10)
        os._exit(0)
    os.write(1, b"GOT %d processes\n" % count)
