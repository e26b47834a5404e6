"""Starting the judge: what has to come before numpy and pytest are imported."""

import gc
import os
from typing import Any


def warm_up() -> None:
    """Have the workers' parent warm up, while what asks it is being imported."""
    from checker.sandbox import linux
    from checker.sandbox.host import processes

    os.environ.update(processes.ONE_THREAD)
    if processes.FORKS:
        processes.nursery()
    linux.keep_private()


def judge() -> Any:
    """The module `grading`."""
    warm_up()
    gc.disable()  # or the collector takes a tenth of the time of the imports, and finds nothing
    from checker.judge import grading

    gc.freeze()
    gc.enable()
    return grading
