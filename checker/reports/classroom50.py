"""Classroom 50's `result.json`."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime

from checker.kata.verdict import Json
from checker.reports import Unset
from checker.reports.parts import ReportRow, dumps, rows, total

SCHEMA = "classroom50/result/v1"
NEEDED = ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")


def report(verdicts: Sequence[Json]) -> str:
    """Student, assignment and commit come from the runner's environment variables.

    No test may have negative points there: a broken guard has none, and the score, from which its
    points are subtracted, can be less than the sum. Raises `Unset`.
    """
    if missing := [name for name in NEEDED if not os.environ.get(name)]:
        raise Unset(f"classroom50 needs {', '.join(missing)} in the environment")
    get = os.environ.get
    score, most = total(verdicts)
    return dumps(
        {
            "schema": SCHEMA,
            "classroom": get("CLASSROOM"),
            "assignment": get("ASSIGNMENT"),
            "assignment_type": get("ASSIGNMENT_TYPE") or "individual",
            "owner": get("OWNER") or get("USERNAME") or "unknown",
            "submission": get("SUBMISSION_TAG"),
            "commit": get("COMMIT_URL"),
            "release": get("RELEASE_URL"),
            "review": get("REVIEW_URL") or get("COMMIT_URL"),
            "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "score": score,
            "max-score": most,
            "tests": [_test(row) for verdict in verdicts for row in rows(verdict)],
        }
    )


def _test(row: ReportRow) -> Json:
    return {
        "test-name": row.title,
        "passed": row.passed,
        "score": max(0, row.points),
        "max-score": row.max_points,
        "message": row.message,
        "taken-off": max(0, -row.points),
    }
