"""Has faulthandler write its report to the pipe, and crashes.

want: error crashed
"""

import ctypes
import faulthandler

faulthandler.enable(3)


def attention(q, k, v, keep):
    ctypes.string_at(0)
