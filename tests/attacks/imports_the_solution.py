"""Imports the reference from the checkout and answers with it.

want: error import-error
"""

import importlib
import sys

sys.path.insert(0, TARGET["root"])
attention = importlib.import_module("solutions.kata03").attention
print("GOT the reference")
