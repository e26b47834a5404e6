"""What invariants are built from: small inputs, and comparisons that report a difference."""

from checker.judging.comparisons import Broken, assert_array, assert_identical, assert_same, unpack
from checker.judging.inputs import frozen, listed, normal, qkv

__all__ = [
    "Broken",
    "assert_array",
    "assert_identical",
    "assert_same",
    "frozen",
    "listed",
    "normal",
    "qkv",
    "unpack",
]
