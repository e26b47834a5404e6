"""Kills itself, so that the judge may take it for its own doing.

want: error import-error
"""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
