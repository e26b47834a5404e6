"""Ignores and blocks every signal it can, then loops.

want: error time-limit
"""

import signal
import time

END = time.monotonic() + 30


def attention(q, k, v, keep):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while time.monotonic() < END:
        sum(range(10**6))
