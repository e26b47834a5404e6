"""Traces the worker's own functions, to change what they return.

want: fail, error exited, error crashed, error import-error
"""

import sys


def spy(frame, event, value):
    name = frame.f_code.co_name
    if name in ("encode", "answer", "frame") and event == "return":
        frame.f_locals["value"] = True
        raise StopIteration("kept")
    return spy


sys.settrace(spy)
sys.setprofile(spy)
frame = sys._getframe()
while frame:
    frame.f_trace = spy
    frame = frame.f_back


def attention(q, k, v, keep):
    return q, k
