"""Imports the references and the checker itself by every kind of finder and loader.

want: fail
"""

import importlib
import importlib.machinery
import importlib.util
import os
import runpy
import sys

import numpy as np

root = TARGET["root"]
sys.path[:0] = [root, root + "/solutions", os.path.dirname(os.path.dirname(np.__file__))]
importlib.invalidate_caches()


def by_specification():
    spec = importlib.util.spec_from_file_location("other", root + "/solutions/kata03.py")
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def by_loader():
    importlib.machinery.SourceFileLoader("x", root + "/solutions/kata03.py").get_code("x")


for name, way in (
    ("solutions", lambda: importlib.import_module("solutions.kata03")),
    ("kata03", lambda: importlib.import_module("kata03").attention),
    ("checker", lambda: importlib.import_module("checker.kata.catalog")),
    ("checker's sandbox", lambda: importlib.import_module("checker.sandbox.wire")),
    ("invariants", lambda: importlib.import_module("checker.invariants.kata03")),
    ("pytest", lambda: importlib.import_module("pytest").main),
    ("a specification", by_specification),
    ("a loader", by_loader),
    ("runpy", lambda: runpy.run_path(root + "/solutions/kata03.py")),
):
    try:
        way()
        print("GOT", name, flush=True)
    except (ImportError, OSError, AttributeError):
        continue


def attention(q, k, v, keep):
    return None
