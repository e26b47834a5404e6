"""Reads the solution with the modules that quote source in tracebacks.

want: fail
"""

import linecache
import runpy
import tokenize

path = TARGET["root"] + "/solutions/kata03.py"


def attention(q, k, v, keep):
    for read in (linecache.getlines, runpy.run_path, tokenize.open):
        try:
            if read(path):
                print("GOT the solution by", read.__name__)
        except OSError:
            pass
