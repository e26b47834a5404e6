"""The `results.json` of an Exercism test runner, version 3."""

from collections.abc import Sequence
from typing import Final

from checker.kata.verdict import Json
from checker.reports.parts import ReportRow, clean, dumps, printed, rows, why

OUTPUT: Final = 500  # characters
CUT: Final = "Output was truncated. Please limit to 500 chars. "
STATUS: Final = {"kept": "pass", "broken": "fail"}


def report(verdicts: Sequence[Json]) -> str:
    """Students are shown the first failure, so what the code printed goes there."""
    graded = [verdict for verdict in verdicts if verdict["status"] != "not-graded"]
    ran = any(check["status"] != "skipped" for verdict in graded for check in verdict["checks"])
    if not ran:
        message = "\n".join(f"{verdict['kata']}: {why(verdict)}" for verdict in verdicts)
        return dumps({"version": 3, "status": "error", "message": message, "tests": []})
    tests = [_test(row, task) for task, verdict in enumerate(verdicts, 1) for row in rows(verdict)]
    failed = [test for test in tests if test["status"] != "pass"]
    first = (failed or tests)[0]
    first["output"] = _output(printed(verdicts))
    status = "fail" if failed else "pass"
    return dumps({"version": 3, "status": status, "message": None, "tests": tests})


def _test(row: ReportRow, task: int) -> Json:
    return {
        "name": f"{row.kata}: {row.name.replace('_', ' ')}",
        "status": STATUS.get(row.status, "error"),
        "message": row.message or None,
        "output": None,
        "test_code": row.statement,
        "task_id": task,
    }


def _output(text: str) -> str | None:
    """At most 500 characters, after a note if there were more."""
    return (text if len(text) <= OUTPUT else CUT + clean(text, OUTPUT - len(CUT))) or None
