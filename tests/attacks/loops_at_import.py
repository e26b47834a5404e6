"""Loops while the file is imported, before there is a function to call.

want: error time-limit
"""

import time

END = time.monotonic() + 30
while time.monotonic() < END:
    sum(range(10**7))
