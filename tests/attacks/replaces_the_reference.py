"""Puts itself in the place of the reference, the invariants and the judge.

want: fail
"""

import importlib.abc
import importlib.machinery
import sys


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("solutions", "checker", "katas"):
            return importlib.machinery.ModuleSpec(name, self)

    def exec_module(self, module):
        module.attention = module.loops = attention


def attention(q, k, v, keep):
    return None


sys.meta_path.insert(0, Finder())
