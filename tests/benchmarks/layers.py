"""What each layer of confinement costs: `python -m tests.benchmarks.layers`."""

import json
import os
import statistics
import time

from checker.sandbox.guest import confine

RUNS = 15


def taken(plan: confine.Plan) -> dict[str, float]:
    """Milliseconds that a new process needs for each layer, one after the other."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        times: dict[str, float] = {}
        for name, take in plan.layers.items():
            started = time.perf_counter()
            take()
            times[name] = 1000 * (time.perf_counter() - started)
        os.write(writer, json.dumps(times).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told: dict[str, float] = json.loads(pipe.read())
    os.waitpid(pid, 0)
    return told


def main() -> None:
    plan = confine.plan("strict")
    runs = [taken(plan) for _ in range(RUNS + 1)][1:]
    for name in plan.layers:
        print(f"{name:<20} {statistics.median(run[name] for run in runs):6.2f} ms")
    print("\n".join(plan.missing) or f"nothing is missing; medians of {RUNS} processes")


if __name__ == "__main__":
    main()
