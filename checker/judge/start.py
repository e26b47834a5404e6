"""The entry to the judge: what has to happen before numpy and pytest are imported."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import Final

from checker.errors import NotGraded
from checker.judge.job import Job
from checker.kata.catalog import Kata
from checker.kata.verdict import Verdict

LEAST_MEMORY: Final = 128 << 20  # bytes; numpy ends the process if it has less than 100 MiB


def grade_all(jobs: Sequence[Job], *, seed: int = 0, isolation: str = "auto") -> list[Verdict]:
    """A verdict for each job; see `checker.judge.grading.grade_all`."""
    _import_grading()
    from checker.judge import grading

    return grading.grade_all(jobs, seed=seed, isolation=isolation)


def rehearse(kata: Kata, isolation: str = "auto") -> None:
    """Check that grading works; see `checker.judge.grading.rehearse`."""
    _import_grading()
    from checker.judge import grading

    grading.rehearse(kata, isolation)


def warm_up() -> None:
    """Start the fork server, which warms up while the caller imports; limit what we take.

    Raises `NotGraded` if this process cannot grade.
    """
    from checker.sandbox import linux
    from checker.sandbox.host import processes

    if sys.flags.optimize > 1:
        raise NotGraded("python -OO removes docstrings, and with them what invariants say")
    if linux.limit_memory() < LEAST_MEMORY:
        raise NotGraded(f"this process may take less than {LEAST_MEMORY >> 20} MiB: see ulimit -v")
    os.environ.update(processes.ONE_THREAD)
    if processes.FORKS:
        processes.fork_server()
    linux.keep_private()


def _import_grading() -> None:
    warm_up()
    gc.disable()  # the collector would take a tenth of the import time and find nothing
    import checker.judge.grading

    gc.freeze()
    gc.enable()
    del checker
