"""Time and memory of the main job, as ratios and differences within one run.

Whole processes are run in turn, A B A B, so that a machine that grows slower meets them all alike.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from checker.judge import grading
from checker.judge.job import Job
from checker.kata import catalog
from checker.sandbox.host import processes
from checker.sandbox.host.session import Session

ROOT = Path(__file__).parents[2]
RUNS = 15

Timed = Callable[[], object]


def paired(one: Timed, other: Timed) -> list[tuple[float, float]]:
    """`RUNS` pairs of times in milliseconds, run in turn after one pair to warm up."""

    def timed(what: Timed) -> float:
        started = time.perf_counter()
        what()
        return 1000 * (time.perf_counter() - started)

    return [(timed(one), timed(other)) for _ in range(RUNS + 1)][1:]


def command(*arguments: str) -> Timed:
    return lambda: subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False
    )


def start(level: str) -> Timed:
    return lambda: Session(level).settle().close()


def job(name: str) -> Job:
    kata = catalog.find(name)
    return Job(kata, kata.reference)


def peak() -> float:
    """The highest total, in MB, of the private memory of grader, fork server and worker."""
    with subprocess.Popen([sys.executable, "-m", "checker", "kata03"], cwd=ROOT, stdout=-3) as run:
        highest = 0.0
        while run.poll() is None:
            highest = max(highest, sum(_own_memory(pid) for pid in [run.pid, *_below(run.pid)]))
    return highest


def saves() -> list[float]:
    """How many milliseconds a watch takes from each save to the last line of its verdict."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(shutil.copytree(ROOT / "katas", Path(folder) / "katas")).parent
        command = [sys.executable, "-m", "checker", "--root", folder, "watch", "3"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as watch:
            assert watch.stdout
            _until_graded(watch.stdout)
            for _ in range(RUNS):
                time.sleep(0.5)  # as a person does
                started = time.perf_counter()
                with (place / "katas/kata03.py").open("a") as file:
                    file.write("# saved\n")
                _until_graded(watch.stdout)
                times.append(1000 * (time.perf_counter() - started))
            watch.terminate()
    return times


def _until_graded(told: IO[str]) -> None:
    while not re.match(r"\d\d:\d\d:\d\d", told.readline()):
        pass


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
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # people have bytecode
    right = str(job("kata03").path)
    verdicts = paired(
        command("-c", "import numpy, pytest"), command("-m", "checker", "3", "--file", right)
    )
    imports = paired(command("-c", "import numpy, pytest"), command("-m", "checker", "3"))
    katas = paired(
        lambda: grading.grade_all([job("kata03")]),
        lambda: grading.grade_all([job("kata03"), job("kata04")]),
    )
    workers = paired(start("process"), start("auto"))
    overviews = paired(command("-c", "import click"), command("-m", "checker"))
    middle = statistics.median
    figures = [
        ("python -m checker kata03, times the imports", middle(b / a for a, b in imports), 1.6),
        ("the same for a right file", middle(b / a for a, b in verdicts), 1.6),
        ("a second kata in the same process, ms", middle(b - a for a, b in katas), 90.0),
        ("the confinement of a worker, ms", middle(b - a for a, b in workers), 25.0),
        (
            "the overview, over 1.3 times import click, ms",
            middle(b - 1.3 * a for a, b in overviews),
            30.0,
        ),
        ("from a save to its verdict in the watch, ms", middle(saves()), 700.0),
        ("peak memory of all processes together, MB", max(peak() for _ in range(3)), 220.0),
    ]
    first, second = (middle(times) for times in zip(*imports, strict=True))
    print(f"import numpy, pytest: {first:.0f} ms; a verdict: {second:.0f} ms; {RUNS} pairs each")
    for what, value, limit in figures:
        print(
            f"{what:<46} {value:7.2f}   at most {limit:g}   {'ok' if value <= limit else 'MISSED'}"
        )
    processes.close()


if __name__ == "__main__":
    assert threading.active_count() == 1
    main()
