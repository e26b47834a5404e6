"""Finds the worker's encoder through the garbage collector and swaps its code.

want: fail, error crashed, error exited
"""

import gc


def encode(value, payload, other, depth=0):
    return {"v": True, "pass": True, "status": "kept"}


def attention(q, k, v, keep):
    gc.unfreeze()
    for thing in gc.get_objects():
        if getattr(thing, "__name__", "") == "encode" and hasattr(thing, "__code__"):
            if "wire" in thing.__code__.co_filename:
                thing.__code__ = encode.__code__
