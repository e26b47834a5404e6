"""Every format, checked against the platform's own rules for every kind of verdict."""

import base64
import json
import re
import socket
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any
from xml.etree import ElementTree

import pytest

from checker.kata import catalog
from checker.kata.verdict import EXAM_SENTENCES, LEFT_OUT, Check, Status, Verdict
from checker.reports import FORMATS, Unset
from checker.reports import classroom50 as classroom50_report
from checker.reports.parts import clean

from .conftest import Run

Json = dict[str, Any]
ENVIRONMENT = {
    "CLASSROOM": "attention",
    "ASSIGNMENT": "ps1",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "OWNER": "alice",
    "USERNAME": "alice",
    "COMMIT_URL": "https://github.com/o/r/commit/1",
    "RELEASE_URL": "https://github.com/o/r/releases/tag/1",
    "REVIEW_URL": "https://github.com/o/r/compare/0...1",
}
HOSTILE = (
    "\x00\x07\x1b[31mred\x1b]0;title\x07 ]]> & <b>\"'</b> \ud800 \udfff \ufffe \uffff \u202e é "
    "\U0001f600 /home/place/of/kata.py C:\\Users\\alice\\kata.py error:/home/alice/kata.py\n\tend\n"
)


def checks(*statuses: str, message: str | None = None) -> list[Check]:
    """A guard and targets of 25, 25 and 50 points, with these statuses."""
    made = []
    for i, status in enumerate(statuses):
        most = (0, 25, 25, 50)[i]
        check = Check(f"law_{i}", f"Law {i} holds.", "target" if i else "guard")
        check.status = status  # type: ignore[assignment]  # a word of its type
        check.max_points, check.duration_ms = most, 3
        check.points = most if status == "kept" else 0 if i or status == "skipped" else -10
        if status not in ("kept", "skipped"):
            check.message = message or f"out at [0, {i}] got 0.8125, want 1"
            check.where, check.got, check.want = (0, i), 0.8125, float("nan")
        made.append(check)
    return made


def verdict(
    status: Status, *statuses: str, reason: str | None = None, score: int = 0, **more: Any
) -> Json:
    message = more.pop("message", None)
    made = Verdict("kata03", "The mask", "/home/place/kata03.py", None, status, reason)
    made.checks = checks(*statuses, message=message)
    made.message = (message or "what went wrong") if reason else None
    made.score, made.duration_ms = score, 210
    for name, value in more.items():
        setattr(made, name, value)
    return made.to_json()


class Noon(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Noon":
        """Always the same."""
        return cls(2026, 6, 1, 12, tzinfo=tz)


ALL = ("skipped",) * 4
CASES: dict[str, list[Json]] = {
    "pass": [verdict("pass", *["kept"] * 4, score=100)],
    "fail": [verdict("fail", "kept", "kept", "broken", "error", score=25, stdout="here\n")],
    "guard": [verdict("fail", "broken", "kept", "kept", "kept", score=90)],
    "guard-only": [verdict("fail", "broken", "broken", "broken", "broken")],
    "syntax": [verdict("error", *ALL, reason="syntax-error", excerpt=["def f(:", "      ^"])],
    "unreadable": [verdict("error", *ALL, reason="unreadable")],
    "missing": [verdict("error", reason="unreadable")],
    "time": [verdict("error", "kept", "timeout", "skipped", "skipped", reason="time-limit")],
    "crashed": [verdict("error", "kept", "kept", "error", "skipped", reason="crashed", score=25)],
    "exited": [verdict("error", *ALL, reason="exited")],
    "not-graded": [verdict("not-graded", "kept", "broken", *ALL[2:], reason="sandbox")],
    "hostile": [verdict("fail", *["error"] * 4, message=HOSTILE, stdout=HOSTILE * 30)],
    "hostile-file": [verdict("error", *ALL, reason="syntax-error", message=HOSTILE * 99,
                             excerpt=[HOSTILE], file="/a/b/" + HOSTILE)],
}  # fmt: skip
CASES["several"] = CASES["pass"] + CASES["time"] + CASES["syntax"] + CASES["not-graded"]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def loads(text: str) -> Json:
    """The object in a text that every JSON parser accepts: no NaN, no lone surrogates."""
    data: Json = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    json.dumps(data, ensure_ascii=False).encode("utf-8")
    return data


def whole(value: object, least: int | None = None) -> bool:
    return type(value) is int and (least is None or value >= least)


def gradescope(text: str) -> Json:
    """docs/specs.md of gradescope/autograder_samples."""
    data = loads(text)
    visibility = {"hidden", "after_due_date", "after_published", "visible"}
    formats = {"text", "html", "simple_format", "md", "ansi"}
    assert whole(data["score"], 0)
    assert isinstance(data["execution_time"], int | float)
    assert isinstance(data["output"], str)
    assert {data["visibility"], data["stdout_visibility"]} <= visibility
    assert {data[f"{k}_format"] for k in ("output", "test_output", "test_name")} <= formats
    for test in data["tests"]:
        assert whole(test["score"])
        assert whole(test["max_score"], 0)
        assert test["status"] in ("passed", "failed")
        assert all(isinstance(test[key], str) for key in ("name", "number", "output"))
        assert {test["name_format"], test["output_format"]} <= formats
        assert all(isinstance(tag, str) for tag in test["tags"])
        assert test["visibility"] == "visible"  # or students see no total
    assert sum(test["score"] for test in data["tests"]) == data["score"]
    return data


def classroom50(text: str) -> Json:
    """`validate_result` in runner.py of foundation50/classroom50."""
    data = loads(text)
    assert data["schema"] == "classroom50/result/v1"
    assert data["classroom"] == ENVIRONMENT["CLASSROOM"]
    assert data["assignment"] == ENVIRONMENT["ASSIGNMENT"]
    assert data["assignment_type"] in ("individual", "group", "team")
    assert data["owner"].lower() == ENVIRONMENT["OWNER"]
    assert data["submission"].startswith("submit/")
    for key in ("commit", "release", "review"):
        assert isinstance(data[key], str)
        assert data[key] == ENVIRONMENT[f"{key.upper()}_URL"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", data["datetime"])
    assert whole(data["score"], 0)
    assert whole(data["max-score"], data["score"])
    for test in data["tests"]:
        assert isinstance(test["test-name"], str)
        assert test["test-name"]
        assert type(test["passed"]) is bool
        assert whole(test["score"], 0)
        assert whole(test["max-score"], test["score"])
    return data


def github_classroom(text: str) -> Json:
    """What the reporter of classroom-resources reads: it sends the sum of the tests' scores."""
    data = loads(base64.b64decode(text, validate=True).decode("utf-8"))
    assert data["version"] == 1
    assert data["status"] in ("pass", "fail", "error")
    assert whole(data["max_score"], 0)
    for test in data["tests"]:
        assert test["status"] in ("pass", "fail", "error")
        assert whole(test["score"])
        assert whole(test["line_no"], 0)
        for key in ("name", "message", "test_code", "filename", "duration"):
            assert isinstance(test[key], str)
    assert 0 <= sum(test["score"] for test in data["tests"]) <= data["max_score"]
    return data


def prairielearn(text: str) -> Json:
    """docs/externalGrading.md of PrairieLearn, and how its results element reads a test."""
    assert len(text.encode()) <= 1_000_000
    data = loads(text)
    assert type(data["gradable"]) is bool
    assert isinstance(data["score"], float)
    assert 0 <= data["score"] <= 1
    assert all(isinstance(error, str) for error in data["format_errors"])
    assert data["gradable"] == (not data["format_errors"])
    assert all(isinstance(data[key], str) for key in ("message", "output"))
    for test in data["tests"]:
        assert whole(test["points"])
        assert whole(test["max_points"], 0)
        for key in ("name", "description", "message", "output"):
            assert isinstance(test[key], str)
    return data


def exercism(text: str) -> Json:
    """building/tooling/test-runners/interface.md of exercism/docs, version 3."""
    data = loads(text)
    assert data["version"] == 3
    assert data["status"] in ("pass", "fail", "error")
    assert bool(data["message"]) == (data["status"] == "error")
    assert isinstance(data["tests"], list)
    assert bool(data["tests"]) == (data["status"] != "error")
    for test in data["tests"]:
        assert isinstance(test["name"], str)
        assert test["status"] in ("pass", "fail", "error")
        assert test["message"] is None or isinstance(test["message"], str)
        assert len(test["output"] or "") <= 500
        assert isinstance(test["test_code"], str)
        assert whole(test["task_id"], 1)
    assert (data["status"] == "pass") == (
        bool(data["tests"]) and all(test["status"] == "pass" for test in data["tests"])
    )
    return data


def check50(text: str) -> Json:
    """What check50 writes with `-o json`."""
    data = loads(text)
    assert isinstance(data["slug"], str)
    assert isinstance(data["version"], str)
    names = [result["name"] for result in data["results"]]
    for result in data["results"]:
        assert isinstance(result["name"], str)
        assert isinstance(result["description"], str)
        assert result["passed"] in (True, False, None)
        assert all(isinstance(line, str) for line in result["log"])
        assert (result["cause"] is None) == (result["passed"] is True)
        if result["cause"]:
            assert isinstance(result["cause"]["rationale"], str)
            assert {"help", "expected", "actual"} <= result["cause"].keys()
        assert result["data"] == {}
        assert result["dependency"] is None or result["dependency"] in names
    return data


def junit(text: str) -> ElementTree.Element:
    """The schema junit-10.xsd that pytest is tested against, with `error` for `errors`."""
    suites = ElementTree.fromstring(text)
    assert suites.tag == "testsuites"
    allowed = {"name", "time", "tests", "failures", "errors"}
    assert suites.attrib.keys() <= allowed
    for suite in suites:
        assert suite.tag == "testsuite"
        assert {"name", "tests", "failures", "errors"} <= suite.attrib.keys()
        assert suite.attrib.keys() <= allowed | {"skipped"}
        assert {child.tag for child in suite} <= {"testcase", "system-out"}
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        outcomes = [child.tag for case in cases for child in case]
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == outcomes.count(tag)
        for timed in [suite, *cases]:
            assert re.fullmatch(r"[0-9]{1,3}(\.[0-9]{0,3})?", timed.attrib["time"])
        for case in cases:
            assert case.attrib.keys() == {"name", "classname", "time"}
            assert len(case) <= 1
            assert {child.tag for child in case} <= {"failure", "error", "skipped"}
            assert all(child.attrib.keys() <= {"type", "message"} for child in case)
    return suites


RULES: dict[str, Callable[[str], Any]] = {
    "gradescope": gradescope,
    "classroom50": classroom50,
    "github-classroom": github_classroom,
    "prairielearn": prairielearn,
    "exercism": exercism,
    "check50": check50,
    "junit": junit,
}
every_format = pytest.mark.parametrize("form", RULES)
every_case = pytest.mark.parametrize("case", CASES)


def readable(form: str, text: str) -> str:
    return base64.b64decode(text).decode() if form == "github-classroom" else text


def passes(form: str, text: str) -> list[bool]:
    """Whether each row passed, in file order."""
    data = RULES[form](text)
    match form:
        case "gradescope":
            return [test["status"] == "passed" for test in data["tests"]]
        case "classroom50":
            return [test["passed"] for test in data["tests"]]
        case "github-classroom" | "exercism":
            return [test["status"] == "pass" for test in data["tests"]]
        case "prairielearn":
            return [not test["message"] for test in data["tests"]]
        case "check50":
            return [result["passed"] is True for result in data["results"]]
    return [len(case) == 0 for case in data.iter("testcase")]


def test_every_format_has_a_suffix() -> None:
    suffixes = {name: form.suffix for name, form in FORMATS.items() if form.suffix != "json"}
    assert suffixes == {"junit": "xml", "github-classroom": "txt"}


def test_every_format_has_its_rules() -> None:
    assert RULES.keys() == FORMATS.keys()


@every_format
@every_case
@pytest.mark.parametrize("exam", [True, False])
def test_every_verdict_fits_the_format(form: str, case: str, exam: bool) -> None:
    text = FORMATS[form](CASES[case], exam=exam)
    assert RULES[form](text) is not None  # the rules assert


@every_format
@every_case
def test_no_path_or_control_character_leaks(form: str, case: str) -> None:
    text = FORMATS[form](CASES[case], exam=False)
    assert text.isascii()
    told = readable(form, text)
    assert "/root" not in told
    assert "Users" not in told
    assert "/home" not in told
    assert socket.gethostname() not in told
    assert not re.search(r"\\u001b|\x1b|\\u0000|\x00", told)


@every_format
@every_case
def test_an_exam_has_no_numbers_and_no_output(form: str, case: str) -> None:
    told = readable(form, FORMATS[form](CASES[case]))
    assert "0.8125" not in told
    assert "here" not in told


@every_format
def test_without_exam_there_are_numbers(form: str) -> None:
    assert "got 0.8125, want 1" in readable(form, FORMATS[form](CASES["fail"], exam=False))


@every_format
def test_rows_are_in_file_order_and_only_kept_ones_pass(form: str) -> None:
    assert passes(form, FORMATS[form](CASES["fail"])) == [True, True, False, False]


@every_format
def test_a_skipped_check_does_not_pass(form: str) -> None:
    assert passes(form, FORMATS[form](CASES["time"])) == [False, True, False, False, False]


@every_format
def test_a_kata_that_was_not_graded_does_not_pass(form: str) -> None:
    assert not any(passes(form, FORMATS[form](CASES["not-graded"])))


@every_format
def test_a_kata_that_was_not_graded_says_so(form: str) -> None:
    told = readable(form, FORMATS[form](CASES["not-graded"], exam=False))
    assert "could not be graded (a checker problem, not yours): what went wrong" in told


@every_format
@pytest.mark.parametrize("case", ["syntax", "time", "exited", "missing"])
def test_an_error_says_what_went_wrong(form: str, case: str) -> None:
    assert "what went wrong" in readable(form, FORMATS[form](CASES[case], exam=False))


@every_format
@pytest.mark.parametrize("exam", [True, False])
def test_what_was_left_out_is_not_called_a_problem_of_the_checker(form: str, exam: bool) -> None:
    left_out = verdict("not-graded", reason=LEFT_OUT, message="alice/hw.zip: not a zip")
    told = readable(form, FORMATS[form]([left_out], exam=exam))
    assert "not a zip" in told
    assert "a checker problem" not in told


def secretive(secret: str, reason: str, milliseconds: int) -> Json:
    """A verdict with a secret wherever the subject can put one."""
    made = verdict("error", "broken", "error", "timeout", "skipped", reason=reason, message=secret)
    made.update(excerpt=[secret], stdout=secret, duration_ms=milliseconds)
    for check in made["checks"]:
        check.update(where=[milliseconds], got=secret, duration_ms=milliseconds)
    return made


@every_format
@pytest.mark.parametrize("reason", EXAM_SENTENCES)
def test_an_exam_says_the_same_whatever_the_subject_does(
    form: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom50_report, "datetime", Noon)
    told = [
        FORMATS[form]([secretive(secret, reason, number)], exam=True)
        for secret, number in (("0.8125 SIGSEGV", 1), ("exit status 7\nPASS", 1999))
    ]
    assert told[0] == told[1]
    assert EXAM_SENTENCES[reason] in readable(form, told[0])


@pytest.mark.parametrize("form", ["gradescope", "github-classroom", "prairielearn"])
@every_case
def test_points_add_up_to_the_score_and_the_maximum(form: str, case: str) -> None:
    words = {"prairielearn": ("points", "max_points"), "gradescope": ("score", "max_score")}
    tests = RULES[form](FORMATS[form](CASES[case]))["tests"]
    earned, _ = words.get(form, ("score", ""))
    score = sum(one["score"] for one in CASES[case])
    assert sum(test[earned] for test in tests) == score
    if form in words:
        assert sum(test[words[form][1]] for test in tests) == 100 * len(CASES[case])


def test_gradescope_subtracts_points_for_a_broken_guard() -> None:
    data = gradescope(FORMATS["gradescope"](CASES["guard"]))
    assert [test["score"] for test in data["tests"]] == [-10, 25, 25, 50]


def test_gradescope_numbers_its_tests_by_kata() -> None:
    data = gradescope(FORMATS["gradescope"](CASES["pass"] * 2))
    assert [test["number"] for test in data["tests"]][3:5] == ["1.4", "2.1"]


def test_classroom50_has_no_negative_points() -> None:
    data = classroom50(FORMATS["classroom50"](CASES["guard"]))
    assert (data["score"], data["tests"][0]["score"], data["tests"][0]["taken-off"]) == (90, 0, 10)


@pytest.mark.parametrize("name", ["CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL"])
def test_classroom50_names_what_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name)
    with pytest.raises(Unset, match=name):
        FORMATS["classroom50"](CASES["pass"])


def test_classroom50_links_the_commit_if_there_is_no_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REVIEW_URL", "")
    data = loads(FORMATS["classroom50"](CASES["pass"]))
    assert data["review"] == ENVIRONMENT["COMMIT_URL"]


@pytest.mark.parametrize(
    ("case", "gradable"),
    [("pass", True), ("fail", True), ("time", True), ("crashed", True), ("exited", True),
     ("syntax", False), ("unreadable", False), ("missing", False), ("not-graded", False),
     ("several", False)],
)  # fmt: skip
def test_prairielearn_does_not_count_an_attempt_for_a_format_error(
    case: str, gradable: bool
) -> None:
    assert prairielearn(FORMATS["prairielearn"](CASES[case]))["gradable"] is gradable


def test_prairielearn_counts_an_attempt_if_any_invariant_ran() -> None:
    late = verdict("error", "kept", "error", "skipped", "skipped", reason="missing-name")
    assert prairielearn(FORMATS["prairielearn"]([late]))["gradable"] is True


def test_prairielearn_gets_at_most_a_megabyte() -> None:
    wordy = verdict("fail", *["error"] * 4, message="é" * 5000, stdout="é" * 5000)
    text = FORMATS["prairielearn"]([wordy] * len(catalog.katas()), exam=False)
    assert prairielearn(text)["tests"]
    assert len(text) <= 1_000_000


def test_prairielearn_gets_the_score_as_a_fraction() -> None:
    data = prairielearn(FORMATS["prairielearn"](CASES["fail"] + CASES["pass"]))
    assert data["score"] == 0.625


@pytest.mark.parametrize(
    ("case", "status"),
    [("pass", "pass"), ("fail", "fail"), ("time", "fail"), ("syntax", "error"),
     ("exited", "error"), ("missing", "error"), ("not-graded", "error"), ("several", "fail")],
)  # fmt: skip
def test_exercism_has_an_error_only_if_no_test_ran(case: str, status: str) -> None:
    assert exercism(FORMATS["exercism"](CASES[case]))["status"] == status


def test_exercism_shows_printed_output_at_the_first_failure() -> None:
    tests = exercism(FORMATS["exercism"](CASES["fail"], exam=False))["tests"]
    assert [test["output"] for test in tests] == [None, None, "| here", None]


def test_exercism_says_that_output_was_cut() -> None:
    tests = exercism(FORMATS["exercism"](CASES["hostile"], exam=False))["tests"]
    assert tests[0]["output"].startswith("Output was truncated. Please limit to 500 chars")


@pytest.mark.parametrize(
    ("case", "passed"),
    [("fail", [True, True, False, False]), ("time", [False, True, False, None, None]),
     ("not-graded", [None] * 5)],
)  # fmt: skip
def test_check50_has_three_answers(case: str, passed: list[bool | None]) -> None:
    results = check50(FORMATS["check50"](CASES[case]))["results"]
    assert [result["passed"] for result in results] == passed


def test_check50_names_the_dependency_of_a_skipped_check() -> None:
    results = check50(FORMATS["check50"](CASES["time"]))["results"]
    assert results[-1]["dependency"] == results[0]["name"]


def test_junit_has_an_error_for_what_was_not_graded() -> None:
    suites = junit(FORMATS["junit"](CASES["not-graded"]))
    assert [suite.attrib["errors"] for suite in suites] == ["1"]


@pytest.mark.parametrize(
    ("text", "left"),
    [("/home/alice/a.py: no", "a.py: no"), ("in C:\\Users\\a\\b.py", "in b.py"),
     ("see https://host/a/b", "see https://host/a/b"), ("katas/kata03.py", "katas/kata03.py"),
     ("'/x/y/z'", "'z'"), ("7 / 2", "7 / 2")],
)  # fmt: skip
def test_a_path_loses_its_folders(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.parametrize("size", [2000, 2001, 10**6])
def test_a_long_text_is_cut(size: int) -> None:
    assert len(clean("\x00" * size)) <= 2000


@pytest.mark.parametrize("text", ["/" * 10**6, "/a" * 10**6, " /aa" * 10**6, "C:/" * 10**6])
def test_cleaning_is_fast_on_any_text(text: str) -> None:
    assert len(clean(text)) <= 2000


@pytest.mark.parametrize(("folder", "status"), [("katas", 1), ("solutions", 0)])
def test_the_command_prints_a_format(folder: str, status: int, run: Run) -> None:
    done = run("kata03", "--file", f"{folder}/kata03.py", "--format", "gradescope")
    assert (done.returncode, done.stderr) == (status, "")
    assert gradescope(done.stdout)["score"] == 100 * (1 - status)


def test_the_command_names_what_a_format_needs(run: Run) -> None:
    done = run("kata03", "--format", "classroom50", ASSIGNMENT="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: classroom50 needs ASSIGNMENT in the environment\n"
