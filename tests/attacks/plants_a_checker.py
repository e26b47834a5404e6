"""Puts modules in the checker's place in which every comparison passes.

want: fail
"""

import sys
from types import ModuleType

for name in ("checker", "checker.judging", "checker.judging.comparisons", "checker.judge.grading"):
    module = sys.modules[name] = ModuleType(name)
    module.Broken = module.Lost = type("Broken", (Exception,), {})
    module.score = lambda *a: 100
    module.__getattr__ = lambda name: lambda *a, **k: None


def attention(q, k, v, keep):
    return None
