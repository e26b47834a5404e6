"""Ends while a child process holds its output and its pipe open.

want: error import-error
"""

import os
import signal
import time

if not os.fork():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.write(1, b"GOT an orphan\n")
    time.sleep(20)
    os._exit(0)
time.sleep(0.3)
os._exit(0)
