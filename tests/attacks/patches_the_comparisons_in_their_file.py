"""Loads the comparisons from their file, bypassing every importer, to patch them.

want: fail
"""

import importlib.machinery

path = TARGET["root"] + "/checker/judging/comparisons.py"


def attention(q, k, v, keep):
    judge = importlib.machinery.SourceFileLoader("judge", path).load_module()
    judge.TOLERANCE["float64"] = 1e9
    print("GOT", judge.Broken)
