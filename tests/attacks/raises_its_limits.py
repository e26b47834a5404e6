"""Raises its own resource limits, and looks at the grader's.

want: fail
"""

import resource

FREE = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
for limit in ("AS", "CPU", "FSIZE", "NPROC", "STACK"):
    number = getattr(resource, f"RLIMIT_{limit}")
    for name, ask in (
        ("setrlimit", lambda: resource.setrlimit(number, FREE)),
        ("prlimit", lambda: resource.prlimit(0, number, FREE)),
        ("prlimit of the grader", lambda: resource.prlimit(TARGET["grader"], number)),
    ):
        try:
            ask()
            print("GOT", name, limit, flush=True)
        except (OSError, ValueError):
            continue


def attention(q, k, v, keep):
    return None
