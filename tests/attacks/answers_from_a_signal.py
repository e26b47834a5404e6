"""Answers from signal handlers, and ignores every signal that can be ignored.

want: fail, error crashed
"""

import contextlib
import os
import signal


def answer(number, frame):
    os.write(3, b"KATA" + bytes(12) + b"PASS")


for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
signal.signal(signal.SIGALRM, answer)


def attention(q, k, v, keep):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.raise_signal(signal.SIGALRM)
