"""Raises each exception that a test runner takes for a skip or an expected failure.

want: fail
"""

import unittest

kinds = [unittest.SkipTest, unittest.case._ShouldStop, type("Skipped", (BaseException,), {})]


def attention(q, k, v, keep):
    kinds.append(kinds.pop(0))
    raise kinds[0]("passed")
