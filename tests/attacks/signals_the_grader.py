"""Tries every way to signal the grader, its parent and their groups.

want: fail
"""

import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
RT_SIGQUEUEINFO, TKILL, TGKILL, PIDFD_OPEN, PIDFD_SEND = 129, 200, 234, 434, 424
for victim in (TARGET["grader"], os.getppid()):
    for number in (0, int(signal.SIGCONT)):
        descriptor = libc.syscall(PIDFD_OPEN, victim, 0)
        for name, refused in (
            ("kill", libc.kill(victim, number)),
            ("tkill", libc.syscall(TKILL, victim, number)),
            ("tgkill", libc.syscall(TGKILL, victim, victim, number)),
            ("sigqueue", libc.sigqueue(victim, number, 0)),
            ("pidfd_open", min(descriptor, 0)),
            ("pidfd_send_signal", libc.syscall(PIDFD_SEND, descriptor, number, None, 0)),
        ):
            if not refused:
                print("GOT", name, "to", victim, flush=True)


def attention(q, k, v, keep):
    return None
