"""What is printed: text for people is cleaned and marked, text for programs stays as it is."""

import ast
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from checker.commands.console import COLOURS, emit, folded, say, warn
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.learner.text import render
from checker.plain import LINE, for_people, lines
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


@pytest.mark.parametrize(
    ("line", "hang"),
    [
        ("  FAIL  One statement that is long enough to be wrapped in here.", 8),
        ("  ok    One statement that is long enough to be wrapped in here.", 8),
        ("        | got one line that is long enough to be wrapped in here.", 10),
        ("next: one line that is long enough to be wrapped in this place.", 2),
    ],
)
def test_a_folded_line_hangs_under_its_text(line: str, hang: int) -> None:
    first, *others = folded(line, 40)
    assert others
    assert {len(part) - len(part.lstrip()) for part in others} == {hang}
    assert " ".join([first, *(part.strip() for part in others)]) == line


@pytest.mark.parametrize("shape", ["(2, 5, 4)", "[0, 0, 0]", "[-1.5, 0.25]", "(3,)"])
def test_a_shape_is_not_wrapped(shape: str) -> None:
    line = f"weights for keep {shape}, k {shape} at {shape} got {shape}"
    for columns in range(30, len(line) + 1):
        assert "\n".join(folded(line, columns)).count(shape) == 4


@pytest.mark.parametrize("before", range(LINE - 12, LINE + 2))
def test_a_shape_is_not_cut(before: int) -> None:
    (line,) = lines("x" * before + " (2, 5, 4) and more")
    assert line.count("(") == line.count(")")
    assert ("(2, 5, 4)" in line) == (before + len(" (2, 5, 4)") <= LINE)


def in_a_terminal(*arguments: str, cwd: Path, size: tuple[int, int]) -> list[str]:
    """The lines that the checker prints in a terminal with so many rows and columns."""
    termios = pytest.importorskip("termios", reason="no pseudo-terminals here")
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, size)
    command = [sys.executable, "-m", "checker", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(command, cwd=cwd, env=environment, stdout=slave, stderr=slave) as process:
        os.close(slave)
        text = b""
        with contextlib.suppress(OSError):  # the end
            while data := os.read(master, 4096):
                text += data
    os.close(master)
    assert process.returncode == 1
    return text.decode().split("\r\n")


@pytest.mark.parametrize("name", ["kata01", "kata03", "kata11"])
@pytest.mark.parametrize("talks", [False, True], ids=["silent", "prints"])
def test_a_verdict_fits_a_small_terminal(name: str, talks: bool, place: Path) -> None:
    if talks:
        with (place / f"katas/{name}.py").open("a") as file:
            file.write("\n\nprint(50 * ('a number of words ' * 100 + chr(10)))\n")
    printed = in_a_terminal(name, cwd=place, size=(30, 60))
    assert len(printed) <= 30  # with the line that the cursor is on
    assert max(map(len, printed)) <= 60
    assert printed[0].startswith(name)
    assert printed[2] == "  FAIL  The example in the docstring gives the values shown"
    assert any("| got " in line for line in printed)
    assert f"{name} | more)" in " ".join(" ".join(printed).split())


def test_a_verdict_is_whole_in_a_large_terminal(place: Path, run: Run) -> None:
    printed = in_a_terminal("kata01", cwd=place, size=(60, 300))
    assert printed[:-1] == run("kata01", cwd=place).stdout.splitlines()


def test_what_is_broken_comes_first(run: Run, place: Path) -> None:
    marks = [line[2:6] for line in run("kata03", cwd=place).stdout.splitlines()[1:] if line[2:3]]
    shown = [mark for mark in marks if mark in ("FAIL", "ok  ")]
    assert shown == ["FAIL"] * 8 + ["ok  "] * 2
    checks = json.loads(run("kata03", "--json", cwd=place).stdout)["checks"]
    assert [check["name"] for check in checks][:3] == [
        "example", "shapes_and_dtype", "every_row_sums_to_one",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("breakpoint()", "remove breakpoint(): "),
        ("import pdb; pdb.set_trace()", "remove breakpoint(): "),
        ("input()", "remove input(): "),
    ],
)
@pytest.mark.parametrize("inside", [True, False], ids=["in a function", "in the file"])
def test_code_that_asks_a_person_gets_advice(
    code: str, advice: str, inside: bool, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"def attention(*inputs):\n    {code}\n" if inside else f"{code}\nX = 1\n")
    assert advice in run("kata03", "--file", str(file)).stdout


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
