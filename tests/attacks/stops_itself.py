"""Stops itself with SIGSTOP; only SIGCONT could wake it.

want: error import-error
"""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
