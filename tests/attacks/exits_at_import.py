"""Exits the interpreter with status 0, as if all had gone well.

want: error exited
"""

import sys

sys.exit(0)
