"""Closes its end of the pipe and keeps running.

want: error crashed, error exited
"""

import os
import time


def attention(q, k, v, keep):
    os.close(3)
    time.sleep(20)
