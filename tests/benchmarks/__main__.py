"""Time and memory of the main job, as ratios and differences within one run.

Whole processes are run in turn, A B A B, so that a machine that grows slower meets them all alike.
"""

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from checker import catalog, grading
from checker.sandbox import processes
from checker.sandbox.subject import Session

ROOT = Path(__file__).parents[2]
RUNS = 15

Timed = Callable[[], object]


def medians(*timed: Timed) -> list[float]:
    """The median of `RUNS` runs of each, in milliseconds, run in turn after one to warm up."""
    taken: list[list[float]] = [[] for _ in timed]
    for i in range(RUNS + 1):
        for one, times in zip(timed, taken, strict=True):
            started = time.perf_counter()
            one()
            times.extend([1000 * (time.perf_counter() - started)] if i else [])
    return [statistics.median(times) for times in taken]


def command(*arguments: str) -> Timed:
    return lambda: subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False
    )


def job(name: str) -> grading.Job:
    kata = catalog.find(name)
    return grading.Job(kata, kata.reference)


def peak() -> float:
    """The highest sum, in MB, of what grader, nursery and worker have for themselves at a time."""
    with subprocess.Popen([sys.executable, "-m", "checker", "kata03"], cwd=ROOT, stdout=-3) as run:
        highest = 0.0
        while run.poll() is None:
            highest = max(highest, sum(_own_memory(pid) for pid in [run.pid, *_below(run.pid)]))
    return highest


def _below(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid for child in map(int, children) for pid in (child, *_below(child))]


def _own_memory(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def main() -> None:
    os.environ.update(processes.ONE_THREAD)
    imports, graded = medians(command("-c", "import numpy, pytest"), command("-m", "checker", "3"))
    one, two = medians(
        lambda: grading.grade_all([job("kata03")]),
        lambda: grading.grade_all([job("kata03"), job("kata04")]),
    )
    bare, confined = medians(lambda: Session("process").close(), lambda: Session("auto").close())
    figures = [
        ("python -m checker kata03, times the imports", graded / imports, 1.6),
        ("a second kata in the same process, ms", two - one, 60.0),
        ("the confinement of a worker, ms", confined - bare, 25.0),
        ("peak memory of all processes together, MB", max(peak() for _ in range(3)), 220.0),
    ]
    print(f"import numpy, pytest: {imports:.0f} ms; a verdict: {graded:.0f} ms; {RUNS} runs each")
    for what, value, limit in figures:
        print(
            f"{what:<46} {value:7.2f}   at most {limit:g}   {'ok' if value <= limit else 'MISSED'}"
        )
    processes.close()


if __name__ == "__main__":
    assert threading.active_count() == 1
    main()
