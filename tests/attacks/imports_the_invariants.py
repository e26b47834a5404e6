"""Imports the invariants, which contain plain loops, and answers with those.

want: error import-error
"""

import importlib
import sys

sys.path.insert(0, TARGET["root"])
attention = importlib.import_module("checker.invariants.kata03").loops
print("GOT the plain loops")
