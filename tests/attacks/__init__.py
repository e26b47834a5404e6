"""Submissions that try what they must not, and the bench that checks what they achieve.

Each file in this folder except `bench` and `__main__` is a submission to kata 03. Its docstring
says in one line what it tries, then after `want:` which verdicts are acceptable, each a status and
a reason. An attempt that succeeds prints a line that begins with `GOT`. The bench prepends a line
that defines `TARGET`: what there is to steal or break here (see `bench.Bench.targets`).
"""
