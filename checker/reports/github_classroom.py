"""The result of a GitHub Classroom runner; GitHub retired it in 2026, copies are still in use."""

import base64
from collections.abc import Sequence

from checker.kata.verdict import Json
from checker.reports.parts import ReportRow, dumps, file_name, rows, total

STATUS = {"kept": "pass", "broken": "fail"}


def report(verdicts: Sequence[Json]) -> str:
    """For the step output `result`: JSON as base64. The points of the tests add up to the score."""
    _, most = total(verdicts)
    graded = [verdict["status"] for verdict in verdicts]
    status = "pass" if set(graded) <= {"pass"} else "fail" if "fail" in graded else "error"
    tests = [_test(row, file_name(verdict)) for verdict in verdicts for row in rows(verdict)]
    data = {"version": 1, "status": status, "max_score": most, "tests": tests}
    return base64.b64encode(dumps(data).encode()).decode()


def _test(row: ReportRow, file: str) -> Json:
    return {
        "name": row.title,
        "status": STATUS.get(row.status, "error"),
        "score": row.points,
        "message": row.message,
        "test_code": row.statement,
        "filename": file,
        "line_no": 0,
        "duration": f"{row.milliseconds}ms",
    }
