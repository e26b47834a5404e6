"""Submissions that try something they must not, and the bench that watches what comes of it.

Each file of this folder but `bench` and `__main__` is a submission to kata 03. Its docstring says
in one line what it tries, and then `want:` with the verdicts that may follow, each a status and a
reason. Where the try succeeds it prints a line that begins with `GOT`. The bench puts a line before
its source that defines `TARGET`: what there is to be had here (see `bench.Bench.targets`).
"""
