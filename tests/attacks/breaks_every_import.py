"""Removes modules, importers and the import function itself.

want: fail, error exited, error crashed
"""

import builtins
import sys


def attention(q, k, v, keep):
    sys.meta_path.clear()
    sys.path_hooks.clear()
    sys.modules.clear()
    builtins.__import__ = None
