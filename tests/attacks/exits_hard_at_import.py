"""Ends the process with status 0 before anything can be asked.

want: error exited
"""

import os

os._exit(0)
