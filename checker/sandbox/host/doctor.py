"""`doctor`: the isolation layers of this machine, and probes that test them."""

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import Session

PROBES: Final = Path(__file__).parents[1] / "guest" / "probes.py"
TRIES: Final = {
    "read_a_file": "read another file",
    "write_a_file": "write a file",
    "open_a_socket": "open a socket",
    "start_a_process": "start a process",
    "run_a_program": "run a program",
    "start_a_thread": "start a thread",
    "signal_the_parent": "signal the parent process",
    "trace_the_parent": "read the parent's memory",
    "hand_on_signals": "send signals through the pipe",
    "keep_the_environment": "see the environment",
}
SECONDS: Final = 10.0


def examine() -> tuple[list[str], bool]:
    """Lines for a person, and whether this machine's best level keeps its promises."""
    with Session("auto") as session:
        level, layers, missing = session.level, session.layers, session.missing
    refused = {name: refuses(name) for name in TRIES}
    sound = level == "process" or all(refused.values())
    return list(_report(level, layers, missing, refused)), sound


def refuses(probe: str) -> bool:
    """Whether a worker is refused what the probe tries."""
    with Session("auto") as session:
        try:
            session.load(PROBES.name, PROBES.read_text(encoding="utf-8"), SECONDS)
            inputs = [str(PROBES.resolve())] if probe == "read_a_file" else []
            getattr(session.subject, probe)(*inputs)
        except (Raised, Lost):
            return True
    return False


def _report(
    level: str, layers: list[str], missing: list[str], refused: dict[str, bool]
) -> Iterator[str]:
    yield f"Python {platform.python_version()} on {platform.system()} {platform.release()}"
    yield f"isolation: {level}"
    yield from (f"  has    {layer}" for layer in layers)
    yield from (f"  lacks  {layer}" for layer in missing)
    yield "Inside a worker, a submission that tries to"
    for name, what in TRIES.items():
        yield f"  {what:<32} {'is refused' if refused[name] else 'CAN'}"
    if level == "process":
        yield "Submissions run with your permissions: grade only code that you would run yourself."
        if not {"process-ids", "namespaces"} <= set(layers):
            yield "Processes and shared memory that a submission leaves behind may stay."
    elif not all(refused.values()):
        yield "A layer does not do what it promises: please report this, with the lines above."
