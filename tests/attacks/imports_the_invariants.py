"""Imports the invariants, which hold plain loops, and answers with these.

want: error import-error
"""

import importlib
import sys

sys.path.insert(0, TARGET["root"])
attention = importlib.import_module("checker.invariants.kata03").loops
print("GOT the plain loops")
