"""JUnit XML as pytest writes it, without the name of the machine."""

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree

from checker.kata.verdict import Json
from checker.reports.parts import ReportRow, printed, rows

HEADER: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
OUTCOMES: Final = {
    "broken": "failure",
    "error": "error",
    "timeout": "error",
    "skipped": "skipped",
}


def report(verdicts: Sequence[Json]) -> str:
    """One suite per kata, one case per invariant. What was not graded is an error, not a skip."""
    suites = ElementTree.Element("testsuites", name="attention-katas")
    for verdict in verdicts:
        _suite(suites, verdict)
    ElementTree.indent(suites)
    return f"{HEADER}{ElementTree.tostring(suites, encoding='us-ascii').decode()}\n"


def _suite(suites: ElementTree.Element, verdict: Json) -> None:
    found = rows(verdict)
    outcomes = [OUTCOMES.get(row.status) for row in found]
    suite = ElementTree.SubElement(
        suites,
        "testsuite",
        name=verdict["kata"],
        tests=str(len(found)),
        failures=str(outcomes.count("failure")),
        errors=str(outcomes.count("error")),
        skipped=str(outcomes.count("skipped")),
        time=f"{verdict['duration_ms'] / 1000:.3f}",
    )
    for row in found:
        _case(suite, row)
    if out := printed([verdict]):
        ElementTree.SubElement(suite, "system-out").text = out


def _case(suite: ElementTree.Element, row: ReportRow) -> None:
    time = f"{row.milliseconds / 1000:.3f}"
    case = ElementTree.SubElement(suite, "testcase", classname=row.kata, name=row.name, time=time)
    if outcome := OUTCOMES.get(row.status):
        problem = ElementTree.SubElement(case, outcome, message=row.message.partition("\n")[0])
        problem.text = f"{row.statement}\n{row.message}"
