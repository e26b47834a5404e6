"""Gradescope's `results.json`."""

from collections.abc import Sequence

from checker.kata.verdict import Json
from checker.reports.parts import ReportRow, dumps, printed, rows, summary, total

TEXT = "text"


def report(verdicts: Sequence[Json]) -> str:
    """Every test is visible: if one were hidden, students would see no total."""
    output = "\n\n".join(filter(None, [summary(verdicts), printed(verdicts)]))
    score, _ = total(verdicts)
    return dumps(
        {
            "score": score,
            "execution_time": sum(verdict["duration_ms"] for verdict in verdicts) / 1000,
            "output": output,
            "output_format": TEXT,
            "test_output_format": TEXT,
            "test_name_format": TEXT,
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": [
                _test(row, f"{i}.{j}")
                for i, verdict in enumerate(verdicts, 1)
                for j, row in enumerate(rows(verdict), 1)
            ],
        }
    )


def _test(row: ReportRow, number: str) -> Json:
    return {
        "score": row.points,
        "max_score": row.max_points,
        "status": "passed" if row.passed else "failed",
        "name": row.title,
        "name_format": TEXT,
        "number": number,
        "output": row.message,
        "output_format": TEXT,
        "tags": [row.kata] if row.graded else [row.kata, "not-graded"],
        "visibility": "visible",
    }
