"""Replaces its module with one that answers every name.

want: fail
"""

import sys
from types import ModuleType


class Anything(ModuleType):
    def __getattribute__(self, name):
        return lambda *a, **k: Anything("passed")


sys.modules[__name__].__class__ = Anything
