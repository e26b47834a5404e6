"""The JSON of CS50's check50: `passed` is true, false, or null for what is unknown."""

from collections.abc import Sequence

from checker.kata.verdict import Json
from checker.reports.parts import WHOLE, ReportRow, dumps, printed, rows


def report(verdicts: Sequence[Json]) -> str:
    """Checks that were not run depend on the row that says why."""
    results = [
        result for verdict in verdicts for result in _results(rows(verdict), printed([verdict]))
    ]
    versions = {verdict.get("versions", {}).get("suite", "") for verdict in verdicts}
    slug = f"attention-katas/{'+'.join(verdict['kata'] for verdict in verdicts)}"
    return dumps({"slug": slug, "version": " ".join(sorted(versions)), "results": results})


def _results(found: Sequence[ReportRow], log: str) -> list[Json]:
    whole = WHOLE if found and found[0].name == WHOLE else None
    results = [_result(row, whole if row.status == "skipped" else None) for row in found]
    if results:
        results[0]["log"] = log.splitlines()
    return results


def _result(row: ReportRow, depends_on: str | None) -> Json:
    known = row.graded and row.status != "skipped"
    cause = {
        "rationale": row.message,
        "help": None,
        "expected": None if row.want is None else str(row.want),
        "actual": None if row.got is None else str(row.got),
    }
    return {
        "name": f"{row.kata}.{row.name}",
        "description": row.title,
        "passed": row.passed if known else None,
        "log": [],
        "cause": None if row.passed else cause,
        "data": {},
        "dependency": f"{row.kata}.{depends_on}" if depends_on else None,
    }
