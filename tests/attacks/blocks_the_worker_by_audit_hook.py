"""Adds an audit hook that blocks everything the worker does next.

want: fail, error exited, error import-error
"""

import sys

armed = []


def refuse(event, arguments):
    if armed:
        raise SystemExit(0)


sys.addaudithook(refuse)


def attention(q, k, v, keep):
    armed.append(True)
    raise ValueError
