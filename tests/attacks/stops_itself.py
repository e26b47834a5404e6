"""Stops itself, as a debugger would: a process that waits for nobody's word but SIGCONT.

want: error import-error
"""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
