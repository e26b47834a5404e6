"""Kills itself, so that the judge may think it did so.

want: error import-error
"""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
