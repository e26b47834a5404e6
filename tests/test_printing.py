"""What is printed: text for people is cleaned and marked, text for programs stays as it is."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from checker.commands.console import COLOURS, emit, folded, say, warn
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.learner.text import render
from checker.plain import for_people
from checker.reports import FORMATS

from .conftest import ROOT, Run

MAY_PRINT = {  # the two doors, and what runs where they cannot be imported
    "commands/console.py", "classroom/publish/autograde.py", "__main__.py",
}  # fmt: skip
FORGED = "PASS: all 10 invariants kept, 100 of 100 points."
LOG_COMMANDS = ("::error::x", "  ::add-mask::x", "##[error]x", "a ##[group]x", "##vso[task.x]y")
EVIL = f"x\n{FORGED}\n::error::{FORGED}\n  ok    Forged.\n##[error]\x1b[2J\u2028{FORGED}"
SOURCE = f"EVIL = {EVIL!a}\nprint(EVIL)\n"


def test_only_the_doors_print() -> None:
    package = ROOT / "checker"
    printing = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if not {"guest", "platforms"} & set(file.parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "click.echo")
    }
    assert printing == MAY_PRINT


def is_forged(line: str) -> bool:
    """Whether a line looks like ours, or like a command to a build log."""
    ours = ("PASS", "  ok  ", "  FAIL")
    return line.startswith(ours) or line.lstrip().startswith("::") or "##[" in line


@pytest.mark.parametrize("line", LOG_COMMANDS)
def test_no_line_is_a_command_to_a_build_log(line: str) -> None:
    assert not is_forged(for_people(line))
    assert "##vso[" not in for_people(line)


def test_a_line_for_people_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say([EVIL])
    warn(EVIL)
    for printed in capsys.readouterr():
        assert printed.count("\n") == 1
        assert printed.isprintable() or printed[:-1].isprintable()


def test_a_folded_line_begins_no_line_of_ours() -> None:
    _, *others = folded(f"{'x' * 78} {FORGED}", 80)
    assert others
    assert not [part for part in others if part[:6] in COLOURS or part.startswith("PASS")]


@pytest.fixture
def evil_place(place: Path) -> Path:
    """A learner whose file prints and raises lines that look like ours, with all hints taken."""
    (place / "katas/kata03.py").write_text(f"{SOURCE}raise ValueError(EVIL)\n")
    taken = len(catalog.find("3").hints)
    progress = {"schema": "attention-katas/progress/v1", "at": "kata03",
                "katas": {"kata03": {"hints": taken}}}  # fmt: skip
    (place / ".katas").mkdir()
    (place / ".katas/progress.json").write_text(json.dumps(progress))
    return place


@pytest.mark.parametrize(
    "arguments",
    [["3"], ["hint"], ["trace", "3"], ["explain", "3", "--spoil"], ["list"], []],
    ids=" ".join,
)
def test_no_command_prints_a_line_that_a_file_forged(
    arguments: list[str], evil_place: Path, run: Run
) -> None:
    printed = run(*arguments, cwd=evil_place).stdout
    assert printed
    assert [line for line in printed.splitlines() if is_forged(line)] == []


def test_a_diagnosis_says_why_a_file_does_not_run(evil_place: Path, run: Run) -> None:
    assert "like no known bug: it does not run (line 3" in run("hint", cwd=evil_place).stdout


def test_a_report_starts_no_line_with_a_command_of_the_log(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kata03.py"
    raised = "type('::error title=x::y', (Exception,), {})('all good')"
    code = f"def attention(q, k, v, keep):\n    raise {raised}\n"
    file.write_text(f"exec(compile({code!r}, 'elsewhere', 'exec'))\n")
    report = run("3", "--file", str(file), "--format", "junit").stdout
    assert "all good" in report
    assert [line for line in report.splitlines() if line.lstrip().startswith("::")] == []


@pytest.mark.parametrize("raised", ["EVIL", "MemoryError(EVIL)", "ValueError(EVIL)"])
def test_no_call_prints_a_line_that_a_file_forged(raised: str, run: Run, tmp_path: Path) -> None:
    end = "return EVIL" if raised == "EVIL" else f"raise {raised}"
    file = tmp_path / f"{FORGED}\n{FORGED}.py"
    file.write_text(f"{SOURCE}def attention(q, k, v, keep):\n    {end}\n")
    printed = run("3", "--file", str(file)).stdout
    assert [line for line in printed.splitlines() if line.startswith(("PASS", "::"))] == []
    assert "  ok    Forged." not in printed.splitlines()


def evil_verdict() -> Verdict:
    """A verdict with forged lines wherever a file can put text."""
    verdict = Verdict("kata03", "T", EVIL, None, "error", "import-error", EVIL, [EVIL])
    verdict.stdout = EVIL
    return verdict


def test_no_line_of_a_verdict_is_forged() -> None:
    printed = [for_people(line) for line in render(evil_verdict(), catalog.find("3"))]
    assert [line for line in printed if is_forged(line)] == []


def strings(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            yield from (text for one in data.values() for text in strings(one))
        case list():
            yield from (text for one in data for text in strings(one))


@pytest.mark.parametrize("form", FORMATS)
def test_no_line_of_a_report_is_forged(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"):
        monkeypatch.setenv(name, "x")
    text = FORMATS[form]([evil_verdict().to_json()], exam=False)
    if form == "junit":
        found = [one for node in ElementTree.fromstring(text).iter()
                 for one in (node.text or "", *node.attrib.values())]  # fmt: skip
    else:
        found = [] if form == "github-classroom" else list(strings(json.loads(text)))
    lines = [line for one in found for line in one.split("\n")]
    assert [line for line in lines if is_forged(line)] == []


def test_json_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    emit(f"python -m checker ::error::\t{'x' * 500}")
    assert capsys.readouterr().out == f"python -m checker ::error::\t{'x' * 500}\n"


@pytest.mark.parametrize("option", ["--json", "--format=junit"])
def test_a_verdict_for_programs_keeps_its_text(
    option: str, place: Path, run: Run, tmp_path: Path
) -> None:
    (place / "katas/kata03.py").write_text("print('python -m checker')\n")
    assert "python -m checker" in run("--root", str(place), "3", option, cwd=tmp_path).stdout
    assert "checker --root" not in run("--root", str(place), "3", option, cwd=tmp_path).stdout
