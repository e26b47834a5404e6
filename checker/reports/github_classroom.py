"""The result of a runner of GitHub Classroom, which was retired in 2026 and lives on in copies."""

import base64
from collections.abc import Sequence

from checker.reports.parts import Json, Row, dumps, file_name, rows, total

STATUS = {"kept": "pass", "broken": "fail"}


def write(verdicts: Sequence[Json]) -> str:
    """For the step output `result`: JSON as base64. What the tests score sums to the score."""
    _, most = total(verdicts)
    graded = [verdict["status"] for verdict in verdicts]
    status = "pass" if set(graded) <= {"pass"} else "fail" if "fail" in graded else "error"
    tests = [_test(row, file_name(verdict)) for verdict in verdicts for row in rows(verdict)]
    data = {"version": 1, "status": status, "max_score": most, "tests": tests}
    return base64.b64encode(dumps(data).encode()).decode()


def _test(row: Row, file: str) -> Json:
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
