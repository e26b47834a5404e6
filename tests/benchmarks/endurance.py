"""A thousand hostile files in a row: `python -m tests.benchmarks.endurance [FILES]`.

Prints, for every hundred of them, the grader's memory, its open descriptors, and what is left of
processes and files; a right file follows every tenth hostile one and has to pass.
"""

import itertools
import os
import sys
import time
from pathlib import Path

from checker.sandbox.host import processes
from tests.attacks.bench import ATTACKS, Bench, left_running
from tests.processes import descendants

QUICK_SECONDS = 1.0  # attacks that wait for a deadline are met once, the others again and again


def memory() -> float:
    """What this process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(files: int = 1000) -> None:
    os.environ.update(processes.ONE_THREAD)
    faults: list[str] = []
    quick = []
    with Bench("strict") as bench:
        for attack in ATTACKS:
            started = time.monotonic()
            faults += bench.run(attack).faults
            if time.monotonic() - started < QUICK_SECONDS:
                quick.append(attack)
        before = descendants()
        print(f"{'files':>6} {'faults':>7} {'MB':>7} {'descriptors':>12} {'scratch files':>14}")
        for number, attack in enumerate(itertools.islice(itertools.cycle(quick), files)):
            faults += bench.run(attack).faults
            if number % 100 == 99:
                left = len(list(bench.scratch.iterdir()))
                count = len(os.listdir("/proc/self/fd"))
                print(
                    f"{number + 1:>6} {len(faults):>7} {memory():>7.1f} {count:>12} {left:>14}",
                    flush=True,
                )
        print("\n".join(faults[:20]))
        print("; ".join(left_running(before)) or "no process is left running")


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:2]))
