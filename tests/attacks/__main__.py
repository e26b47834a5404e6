"""`python -m tests.attacks LEVEL`: try every attack at a level, and print what was held off."""

import json
import os
import sys

from checker.sandbox.host import processes
from tests.attacks.bench import ATTACKS, Bench


def main(level: str) -> int:
    os.environ.update(processes.ONE_THREAD)
    with Bench(level) as bench:
        outcomes = [bench.run(attack) for attack in ATTACKS]
    for outcome in outcomes:
        verdict = outcome.verdict
        told = "; ".join(outcome.faults) or "held off"
        print(f"{outcome.name:<36} {verdict.status} {verdict.reason or '':<13} {told}", flush=True)
    held = sum(not outcome.faults for outcome in outcomes)
    who = "root" if os.geteuid() == 0 else "a user"
    print(json.dumps({"level": level, "who": who, "tried": len(outcomes), "held off": held}))
    return 0 if held == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or ["strict"]))
