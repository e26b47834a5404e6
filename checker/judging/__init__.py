"""What invariants are written with: small inputs, and comparisons that name a difference."""

from checker.judging.comparisons import Broken, assert_array, assert_identical, assert_same, unpack
from checker.judging.inputs import frozen, normal

__all__ = [
    "Broken",
    "assert_array",
    "assert_identical",
    "assert_same",
    "frozen",
    "normal",
    "unpack",
]
