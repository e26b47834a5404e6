"""`python -m tests.attacks LEVEL`: try every attack at a level, and print what was blocked."""

import json
import os
import sys

from checker.sandbox.host import processes
from tests.attacks.bench import ATTACKS, Bench


def main(level: str) -> int:
    os.environ.update(processes.ONE_THREAD)
    with Bench(level) as bench:
        outcomes = [bench.run(attack) for attack in ATTACKS]
        outcomes[-1].faults += bench.right_file_faults()
    for outcome in outcomes:
        verdict = outcome.verdict
        result = "; ".join(outcome.faults) or "blocked"
        print(
            f"{outcome.name:<36} {verdict.status} {verdict.reason or '':<13} {result}", flush=True
        )
    blocked = sum(not outcome.faults for outcome in outcomes)
    who = "root" if os.geteuid() == 0 else "a user"
    print(json.dumps({"level": level, "who": who, "tried": len(outcomes), "blocked": blocked}))
    return 0 if blocked == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or ["strict"]))
