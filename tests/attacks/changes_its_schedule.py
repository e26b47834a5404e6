"""Changes its CPU affinity, niceness, real-time priority and timers.

want: fail
"""

import os
import signal


def alarm():
    signal.alarm(100)
    if not 0 < signal.alarm(0) <= 100:  # 2**32 - 1 if it was refused
        raise PermissionError


grader = TARGET["grader"]
for name, ask in (
    ("affinity", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))),
    ("grader's affinity", lambda: os.sched_setaffinity(grader, os.sched_getaffinity(grader))),
    ("nice", lambda: os.nice(1)),
    ("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)),
    ("grader's priority", lambda: os.getpriority(os.PRIO_PROCESS, grader)),
    ("batch", lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))),
    ("itimer", lambda: signal.setitimer(signal.ITIMER_REAL, 100)),
    ("profile timer", lambda: signal.setitimer(signal.ITIMER_PROF, 100)),
    ("alarm", alarm),
):
    try:
        ask()
        print("GOT", name, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
