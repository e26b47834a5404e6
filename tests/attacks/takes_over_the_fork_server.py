"""Finds the fork server in its own call stack, and sends commands as if it were that server.

want: fail
"""

import os
import sys


def attention(q, k, v, keep):
    frame = sys._getframe(1)
    while frame:
        nursery = frame.f_locals.get("self")
        if hasattr(nursery, "control"):
            nursery.workers[os.getppid()] = "/nowhere"
            for kill in (os.kill, os.killpg):
                try:
                    kill(os.getppid(), 0)
                    print("GOT a signal to the nursery")
                except OSError:
                    pass
            nursery.control.send(b"0")
            print("GOT the nursery's control")
        frame = frame.f_back
