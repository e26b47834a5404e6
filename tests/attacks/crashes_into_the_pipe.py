"""Has the fault handler write its report into the pipe, and faults.

want: error crashed
"""

import ctypes
import faulthandler

faulthandler.enable(3)


def attention(q, k, v, keep):
    ctypes.string_at(0)
