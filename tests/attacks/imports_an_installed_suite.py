"""Looks for the suite's solutions in all installed packages.

want: fail
"""

import glob
import importlib
import sys


def attention(q, k, v, keep):
    places = [TARGET["root"], *glob.glob(f"{sys.prefix}/lib/python3*/site-packages")]
    for place in [*places, f"{sys.base_prefix}/lib/python3/dist-packages"]:
        sys.path.insert(0, place)
        for name in ("solutions.kata03", "checker.kata.catalog", "pytest"):
            try:
                print("GOT", importlib.import_module(name).__file__)
            except ImportError:
                pass
