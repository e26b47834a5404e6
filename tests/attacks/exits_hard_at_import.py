"""Ends the process with status 0 before the first request.

want: error exited
"""

import os

os._exit(0)
