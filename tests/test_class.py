"""Grading a class: every kind of file, interruptions, second runs."""

import csv
import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from checker.classroom import output
from checker.classroom.collect import entries, shares
from checker.classroom.collect.submission import Submission
from checker.classroom.output import OutputFolder
from checker.classroom.run import pool
from checker.classroom.run.journal import Busy, Terms, _fingerprint, open_journal
from checker.classroom.run.portion import Portion, from_json, to_json, work
from checker.errors import NotGraded
from checker.judge import start
from checker.judge.job import Job
from checker.kata.verdict import Verdict

from .benchmarks.classroom import HOSTILE, hand_in
from .conftest import ROOT, Run, run_here
from .processes import descendants, wait_for

KATAS = ["kata01", "kata03"]
STUDENTS = 10


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Right, wrong, broken and hostile files of ten students."""
    folder = tmp_path_factory.mktemp("class") / "in"
    hand_in(folder, STUDENTS, KATAS)
    return folder


def grade(source: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return run_here("grade", str(source), "--out", str(out), "--seed", "7", *more)


@pytest.fixture(scope="module")
def out(handed_in: Path) -> Path:
    """The class, graded without interruption."""
    folder = handed_in.parent / "out"
    done = grade(handed_in, folder)
    assert done.returncode == 0, done.stderr
    return folder


def verdicts(out: Path) -> dict[tuple[str, str], dict[str, Any]]:
    lines = [json.loads(line) for line in (out / "verdicts.jsonl").read_text().splitlines()]
    return {(line["student"], line["kata"]): line for line in lines}


def want(text: str, kata: str) -> set[str]:
    """The statuses that a file handed in may get, from where its text comes from."""
    text = text.rpartition("# ")[0]
    if any(text.startswith(hostile) for hostile in HOSTILE):
        return {"error", "fail"}
    if text.startswith("def attention(q, k, v:"):
        return {"error"}
    right = [ROOT / f"solutions/{kata}.py", *(ROOT / "tests/alternatives" / kata).iterdir()]
    return {"pass"} if text in {path.read_text() for path in right} else {"fail"}


def test_every_file_gets_the_verdict_it_deserves(handed_in: Path, out: Path) -> None:
    found = verdicts(out)
    assert len(found) == STUDENTS * len(KATAS)
    for (student, kata), line in found.items():
        text = (handed_in / student / f"{kata}.py").read_text()
        assert line["verdict"]["status"] in want(text, kata), (student, kata)


def test_every_kind_of_verdict_is_given(out: Path) -> None:
    statuses = {line["verdict"]["status"] for line in verdicts(out).values()}
    assert statuses == {"pass", "fail", "error"}


def test_a_verdict_has_the_isolation_and_the_seed_of_the_run(out: Path) -> None:
    for line in verdicts(out).values():
        verdict = line["verdict"]
        assert (verdict["isolation"]["level"], verdict["seed"]) == ("strict", 7)


def test_a_verdict_has_the_path_where_the_file_was_found(out: Path) -> None:
    for (student, kata), line in verdicts(out).items():
        assert line["verdict"]["file"] == line["name"] == f"{student}/{kata}.py"


def test_a_result_has_its_fields(out: Path) -> None:
    fields = ["student", "kata", "name", "when", "earlier", "verdict", "diagnosis"]
    assert all(list(line) == fields for line in verdicts(out).values())


def test_diagnoses_are_recorded(out: Path) -> None:
    diagnoses = {line["diagnosis"] for line in verdicts(out).values()}
    assert any(line and line.startswith("like this wrong fix: ") for line in diagnoses)


def test_the_gradebook_has_one_row_per_student(out: Path) -> None:
    rows = list(csv.reader((out / "gradebook.csv").read_text().splitlines()))
    assert len(rows) == STUDENTS + 1
    assert len({len(row) for row in rows}) == 1


def test_the_gradebook_has_the_headings_of_a_platform(one_file: Path, tmp_path: Path) -> None:
    assert grade(one_file, tmp_path / "out", "--gradebook", "canvas").returncode == 0
    with (tmp_path / "out/gradebook.csv").open(newline="", encoding="utf-8-sig") as file:
        headings = next(csv.reader(file))
    assert headings[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]


def test_every_student_has_pages(out: Path) -> None:
    assert len(list((out / "feedback").glob("*.html"))) == STUDENTS
    assert len(list((out / "feedback").glob("*.md"))) == STUDENTS
    assert "<html" in (out / "class.html").read_text()


def test_a_second_run_grades_nothing_and_changes_nothing(handed_in: Path, out: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.*") if path.suffix != ".jsonl"}
    done = grade(handed_in, out)
    assert "; 0 graded now (identical files only once)\n" in done.stdout
    after = {path: path.stat().st_mtime_ns for path in out.rglob("*.*") if path.suffix != ".jsonl"}
    assert before == after


def test_a_changed_file_is_graded_again(handed_in: Path, out: Path, tmp_path: Path) -> None:
    source, folder = tmp_path / "in", tmp_path / "out"
    shutil.copytree(handed_in, source)
    shutil.copytree(out, folder)
    file = source / "student00003/kata03.py"
    shutil.copy(ROOT / "solutions/kata03.py", file)
    done = grade(source, folder)
    assert "; 1 graded now (" in done.stdout
    assert verdicts(folder)["student00003", "kata03"]["verdict"]["status"] == "pass"


@pytest.fixture
def one_file(handed_in: Path, tmp_path: Path) -> Path:
    """A folder with one student's file in it."""
    folder = tmp_path / "in/alice"
    folder.mkdir(parents=True)
    shutil.copy(handed_in / "student00000/kata01.py", folder)
    return folder.parent


def test_another_seed_grades_again(one_file: Path, tmp_path: Path) -> None:
    grade(one_file, tmp_path / "out")
    assert "; 1 graded now (" in grade(one_file, tmp_path / "out", "--seed", "8").stdout


@pytest.mark.usefixtures("one_file")
def test_the_seed_is_kept_with_the_folder(tmp_path: Path, run: Run) -> None:
    arguments = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    assert "1 graded now" in run(*arguments).stdout
    seed = json.loads((tmp_path / "out/seed.json").read_text())["seed"]
    assert seed > 0
    assert "0 graded now" in run(*arguments).stdout
    assert {v["verdict"]["seed"] for v in verdicts(tmp_path / "out").values()} == {seed}


@pytest.mark.slow
def test_repeated_kills_do_not_change_the_gradebook(
    handed_in: Path, out: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "checker", "grade", str(handed_in), "--seed", "7"]
    journal = tmp_path / "journal.jsonl"
    for lines in (0, 1, 9):
        with subprocess.Popen([*command, "--out", str(tmp_path)], cwd=ROOT) as process:
            wait_for(lambda: journal.exists() and journal.read_text().count("\n") >= lines)  # noqa: B023 (asked within the loop)
            process.kill()
    assert grade(handed_in, tmp_path).returncode == 0
    assert (tmp_path / "gradebook.csv").read_bytes() == (out / "gradebook.csv").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_run_leaves_no_process(handed_in: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "checker", "grade", str(handed_in), "--out", str(tmp_path)]
    before = descendants()
    with subprocess.Popen(command, cwd=ROOT) as process:
        wait_for(lambda: len(descendants(process.pid)) >= 4)  # processes, each with a fork server
        process.kill()
    wait_for(lambda: descendants() <= before)


def test_a_killed_run_leaves_no_file_of_a_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is never written to a file cannot outlive the process."""
    there: list[Path] = []
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    grade_all = start.grade_all

    def spy(jobs: list[Job], **options: Any) -> list[Verdict]:
        verdicts = grade_all(jobs, **options)
        there.extend(path for path in tmp_path.rglob("*") if path.is_file())
        return verdicts

    monkeypatch.setattr(start, "grade_all", spy)
    (record,) = work(Portion(submissions("katas"), 0, "auto"))
    assert record["verdict"]["status"] == "fail"
    assert there == []


def test_feedback_on_an_exam_has_no_numbers(handed_in: Path, out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "out")
    grade(handed_in, tmp_path / "out", "--exam")
    pages = "".join(path.read_text() for path in (tmp_path / "out/feedback").glob("*.md"))
    assert " got " not in pages
    assert " got " in "".join(path.read_text() for path in (out / "feedback").glob("*.md"))


def test_feedback_on_an_exam_has_no_printed_output(tmp_path: Path) -> None:
    """A file may print the inputs that it is tested with."""
    file = tmp_path / "in/ada/kata03.py"
    file.parent.mkdir(parents=True)
    file.write_text((ROOT / "katas/kata03.py").read_text().replace(
        "    weights = softmax", "    print('SEEN', q)\n    weights = softmax"))  # fmt: skip
    for options, printed in ([], True), (["--exam"], False):
        assert grade(tmp_path / "in", tmp_path / "out", *options).returncode == 0
        for kind in ("html", "md"):
            page = (tmp_path / f"out/feedback/ada.{kind}").read_text()
            assert ("SEEN" in page) == printed
            assert ("Hint 1: " in page) == printed


def test_ctrl_c_stops_and_says_how_to_resume(tmp_path: Path) -> None:
    source = tmp_path / "in"
    hand_in(source, 4, KATAS)
    for number in range(8):  # these alone take longer than the test waits
        sleeper = source / f"sleeper{number}/kata01.py"
        sleeper.parent.mkdir()
        sleeper.write_text(f"import time; time.sleep(60)  # {number}\n")
    command = [sys.executable, "-m", "checker", "grade", str(source), "--seed", "7"]
    command += ["--out", str(tmp_path / "out"), "--processes", "1"]
    journal = tmp_path / "out/journal.jsonl"
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: journal.exists() and journal.read_text().count("\n") > 1)
        process.send_signal(signal.SIGINT)
        _, output = process.communicate()
    assert process.returncode == 130
    assert "interrupted: run the same command again to continue\n" in output
    rows = list(csv.DictReader((tmp_path / "out/gradebook.csv").read_text().splitlines()))
    statuses = {row["status"] for row in rows}
    assert "not-graded" in statuses
    assert "missing" not in statuses
    assert "not graded yet" in (tmp_path / "out/class.html").read_text()


def test_pages_of_removed_students_are_removed(tmp_path: Path) -> None:
    source = tmp_path / "in"
    for student in ("ada", "bob"):
        (source / student).mkdir(parents=True)
        shutil.copy(ROOT / "katas/kata03.py", source / student)
    grade(source, tmp_path / "out", "--format", "junit")
    assert {path.stem for path in (tmp_path / "out/reports").iterdir()} == {"ada", "bob"}
    shutil.rmtree(source / "bob")
    grade(source, tmp_path / "out", "--format", "junit")
    for kind in ("feedback", "reports"):
        assert {path.stem for path in (tmp_path / "out" / kind).iterdir()} == {"ada"}


def test_a_student_who_is_not_on_the_roster_is_named(
    handed_in: Path, out: Path, tmp_path: Path
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("login\n" + "".join(f"student{i:05}\n" for i in range(1, STUDENTS)))
    shutil.copytree(out, tmp_path / "out")
    done = grade(handed_in, tmp_path / "out", "--roster", str(roster))
    assert "not on the roster: student00000\n" in done.stdout
    output = grade(handed_in, tmp_path / "out", "--roster", str(roster), "--dry-run").stdout
    assert "not on the roster:\n  student00000\n" in output


def test_dry_run_shows_what_was_recognised(handed_in: Path, tmp_path: Path, run: Run) -> None:
    (handed_in.parent / "roster.csv").write_text("login,name\nstudent00001,Ada\nstudent77,Grace\n")
    (handed_in / "student00000/essay.docx").write_text("words")
    try:
        roster = str(handed_in.parent / "roster.csv")
        done = run("grade", str(handed_in), "--dry-run", "--roster", roster, cwd=tmp_path)
    finally:
        (handed_in / "student00000/essay.docx").unlink()
    assert done.returncode == 0
    assert "  kata01  student00001  " in done.stdout
    assert "essay.docx: not named like a kata (kata03.py)\n" in done.stdout
    assert "on the roster, but nothing handed in:\n  student77  Grace\n" in done.stdout
    assert not list(tmp_path.iterdir())


def test_wrong_usage_gives_one_error_line(tmp_path: Path, run: Run) -> None:
    (tmp_path / "empty").mkdir()
    assert run("grade", str(tmp_path / "nothing")).returncode == 2
    assert run("grade", str(tmp_path / "empty"), cwd=tmp_path).returncode == 2
    done = run("grade", str(tmp_path / "empty"), "--format", "latex")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def submissions(*folders: str) -> list[Submission]:
    """One kata from each of these folders, all with different content."""
    found = []
    for number, folder in enumerate(folders):
        data = (ROOT / folder / "kata03.py").read_bytes() + b"# %d\n" % number
        found.append(Submission("ada", "kata03", f"{folder}-{number}", data, len(data)))
    return found


def test_a_crash_of_a_grading_process_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    portions = Portion(submissions("katas", "solutions", "katas"), 0, "auto").split()
    mark = tmp_path / "crashed"
    monkeypatch.setenv("CRASHES_ONCE", str(mark))
    monkeypatch.setattr(pool, "work", crash_once)
    records = [record for some in pool.local(portions, 1) for record in some]
    assert mark.exists()
    statuses = {record["content"]: record["verdict"]["status"] for record in records}
    hashes = [one.sha256 for portion in portions for one in portion.submissions]
    assert statuses == dict(zip(hashes, ["fail", "pass", "fail"], strict=True))


def crash_once(portion: Portion) -> list[Any]:
    mark = Path(os.environ["CRASHES_ONCE"])
    if portion.submissions[0].name == "solutions-1" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return work(portion)


def test_a_submission_that_crashes_every_process_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "work", crash)
    portions = [Portion(submissions("katas"), 0, "auto")]
    with pytest.raises(NotGraded, match="kept crashing, most recently on katas-0"):
        list(pool.local(portions, 1))


def test_a_submission_that_alone_crashes_every_process_is_in_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "work", crash_on_solutions)
    portions = Portion(submissions("katas", "solutions", "katas"), 0, "auto").split()
    records = [record for some in pool.local(portions, 1) for record in some]
    statuses = sorted((one["verdict"]["status"], one["verdict"]["reason"]) for one in records)
    assert statuses == [("error", "crashed"), ("fail", None), ("fail", None)]


def crash_on_solutions(portion: Portion) -> list[Any]:
    return crash(portion) if portion.submissions[0].name == "solutions-1" else work(portion)


def crash(portion: Portion) -> list[Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def test_a_portion_as_text_keeps_what_was_handed_in() -> None:
    portion = Portion(submissions("katas", "solutions"), 3, "strict")
    copy = from_json(to_json(portion))
    assert [one.key for one in copy.submissions] == [one.key for one in portion.submissions]
    assert (copy.seed, copy.isolation) == (3, "strict")


def test_a_portion_as_text_does_not_say_who_handed_it_in() -> None:
    one = Submission("ada", "kata03", "ada/kata03.py", b"", 0)
    assert "ada" not in to_json(Portion([one], 0, ""))


def test_a_portion_is_graded_in_a_process_of_its_own() -> None:
    records = pool.in_subprocess(to_json(Portion(submissions("katas", "solutions"), 3, "strict")))
    assert [record["verdict"]["status"] for record in records] == ["fail", "pass"]


def test_a_worker_that_cannot_grade_is_reported() -> None:
    with pytest.raises(NotGraded, match="a worker cannot grade"):
        pool.in_subprocess("not a portion")


VERDICT = {"status": "pass", "score": 100, "checks": [], "message": None, "reason": None}
WHOLE = {**VERDICT, "excerpt": []}
RECORD = {"kata": "kata01", "content": "c", "diagnosis": None, "verdict": WHOLE}


def test_a_journal_ignores_lines_that_are_damaged_or_of_an_older_version(tmp_path: Path) -> None:
    with open_journal(tmp_path, "strict", 1) as journal:
        journal.add(RECORD)
        journal.add({**RECORD, "content": "d", "verdict": {"status": "not-graded"}})
        terms = journal.terms.of("kata01")
    damaged = [b'{"kata": "ka', b"\xff\xfe", b"[]", b"{}", b"[" * 10**5, b'{"terms": 3}']
    damaged += [json.dumps({"terms": terms, **RECORD, "content": "e", key: value}).encode()
                for key, value in (("kata", "kata99"), ("kata", 3), ("verdict", {}),
                                   ("verdict", None), ("content", None))]  # fmt: skip
    older = {"terms": terms, **RECORD, "content": "e", "behaves_like": None}
    del older["diagnosis"]
    damaged.append(json.dumps(older).encode())
    for cut in damaged:
        with (tmp_path / "journal.jsonl").open("ab") as torn:
            torn.write(b"\n" + cut)
        with open_journal(tmp_path, "strict", 1) as journal:
            assert list(journal.records) == [("kata01", "c")]
            journal.add(RECORD)


@pytest.mark.parametrize(("isolation", "seed"), [("strict", 2), ("process", 1)])
def test_records_of_another_seed_or_isolation_are_ignored(
    isolation: str, seed: int, tmp_path: Path
) -> None:
    with open_journal(tmp_path, "strict", 1) as journal:
        journal.add(RECORD)
    with open_journal(tmp_path, isolation, seed) as journal:
        assert journal.records == {}


@pytest.mark.parametrize(
    "text", ["", "null", "{}", '{"seed": -5}', '{"seed": 1e999}', '{"seed": true}']
)
def test_an_invalid_seed_file_is_replaced(text: str, tmp_path: Path) -> None:
    with open_journal(tmp_path, "strict"):
        pass
    (tmp_path / "seed.json").write_text(text)
    with open_journal(tmp_path, "strict") as journal:
        drawn = journal.terms.seed
    with open_journal(tmp_path, "strict") as journal:
        assert journal.terms.seed == drawn >= 0


def test_two_processes_cannot_grade_into_one_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="there are no such locks here")
    with (
        open_journal(tmp_path, "strict", 1),
        pytest.raises(Busy, match="another process is grading into"),
        open_journal(tmp_path, "strict", 2),
    ):
        pass
    assert json.loads((tmp_path / "seed.json").read_text()) == {"seed": 1}


def test_the_output_of_an_earlier_run_is_not_a_submission(tmp_path: Path) -> None:
    for student in ("ada", "bob"):
        (tmp_path / "wrap/week1" / student).mkdir(parents=True)
        shutil.copy(ROOT / "katas/kata03.py", tmp_path / "wrap/week1" / student)
    for _ in range(2):
        grade(tmp_path / "wrap", tmp_path / "wrap/graded")
        assert {student for student, _ in verdicts(tmp_path / "wrap/graded")} == {"ada", "bob"}


def test_a_student_with_too_much_is_not_graded_and_costs_no_other(
    ada: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MAX_STUDENT", 100_000)
    monkeypatch.setattr(entries, "COST", 10_000)
    (ada / "aaron").mkdir()
    for number in range(20):
        (ada / f"aaron/{number}.txt").touch()
    done = grade(ada, tmp_path / "out", "--roster", str(roster(tmp_path, "aaron", "ada", "bob")))
    assert done.returncode == 3
    assert "not graded: aaron: aaron/: more than 0 MiB in total: the rest is skipped" in done.stdout
    rows = csv.DictReader((tmp_path / "out/gradebook.csv").read_text().splitlines())
    assert {row["student"]: row["status"] for row in rows} == {
        "aaron": "not-graded", "ada": "fail", "bob": "missing"
    }  # fmt: skip
    page = (tmp_path / "out/feedback/aaron.md").read_text()
    assert "A part of what you handed in could not be read" in page


def roster(folder: Path, *logins: str) -> Path:
    file = folder / "roster.csv"
    file.write_text("\n".join(["login", *logins]))
    return file


def test_if_nothing_could_be_read_nothing_is_graded(tmp_path: Path) -> None:
    for student in ("ada", "bob"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "hw.zip").write_text("no zip")
    done = grade(tmp_path / "in", tmp_path / "out")
    assert done.returncode == 3
    assert "no submission in " in done.stderr
    assert "  ada  any kata  ada/hw.zip: not a zip, or damaged" in done.stdout


def test_a_file_that_is_too_large_is_named_with_its_true_size(ada: Path, tmp_path: Path) -> None:
    (ada / "ada/kata03.py").write_bytes(bytes(1_234_567))
    grade(ada, tmp_path / "out")
    (line,) = verdicts(tmp_path / "out").values()
    assert line["verdict"]["message"] == "the file has 1,234,567 bytes, more than 262,144"


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    """A class of one, with a kata as shipped."""
    (tmp_path / "in/ada").mkdir(parents=True)
    shutil.copy(ROOT / "katas/kata03.py", tmp_path / "in/ada")
    return tmp_path / "in"


def test_a_students_own_journal_hides_nothing(ada: Path, tmp_path: Path) -> None:
    for name in ("journal.jsonl", "seed.json", "written.json", "gradebook.csv"):
        (ada / "ada" / name).write_text("{}")
    grade(ada, tmp_path / "out")
    assert verdicts(tmp_path / "out").keys() == {("ada", "kata03")}


@pytest.mark.parametrize("name", ["gradebook.csv", "journal.jsonl", "notes.txt", "feedback"])
def test_a_folder_of_somebody_else_is_refused(name: str, ada: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    done = grade(ada, out)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"out already has other files ({name}): choose another --out" in done.stderr
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [(name, "mine")]


def test_other_files_in_an_output_folder_are_kept(ada: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    grade(ada, out, "--format", "junit")
    others = [out / "notes.md", out / "feedback/notes.md", out / "reports/budget.xlsx"]
    for file in others:
        file.write_text("mine")
    (ada / "ada").rename(ada / "bob")
    assert grade(ada, out, "--format", "junit").returncode == 0
    assert [file.read_text() for file in others] == ["mine"] * 3
    assert not (out / "feedback/ada.html").exists()


def test_a_file_of_somebody_else_is_not_replaced(ada: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    grade(ada, out)
    before = (out / "gradebook.csv").read_text()
    (out / "feedback/bob.html").write_text("mine")
    (ada / "ada").rename(ada / "bob")
    done = grade(ada, out)
    assert done.returncode == 2
    assert "bob.html was not written by grade: move it, or choose another --out" in done.stderr
    assert (out / "feedback/bob.html").read_text() == "mine"
    assert (out / "gradebook.csv").read_text() == before


def test_a_journal_that_is_a_link_is_not_written_through(ada: Path, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "graded", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.write_text("mine\n")
    (out / "journal.jsonl").symlink_to(elsewhere)
    listed = {"schema": output.SCHEMA, "files": ["journal.jsonl"]}
    (out / "written.json").write_text(json.dumps(listed))
    done = grade(ada, out)
    assert done.returncode == 2
    assert "journal.jsonl is a link: remove it, or choose another --out" in done.stderr
    assert elsewhere.read_text() == "mine\n"


def test_a_link_in_an_output_folder_is_not_written_through(ada: Path, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    grade(ada, out)
    shutil.rmtree(out / "feedback")
    elsewhere.mkdir()
    (out / "feedback").symlink_to(elsewhere)
    done = grade(ada, out)
    assert (done.returncode, list(elsewhere.iterdir())) == (2, [])
    assert "feedback is a link: remove it, or choose another --out" in done.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}', '{"files": ["x"]}'])
def test_a_damaged_manifest_is_not_guessed(text: str, ada: Path, tmp_path: Path) -> None:
    grade(ada, tmp_path / "out")
    (tmp_path / "out/written.json").write_text(text)
    done = grade(ada, tmp_path / "out")
    assert done.returncode == 2
    assert "written.json is damaged: choose another --out" in done.stderr


def test_a_manifest_removes_nothing_outside_its_folder(tmp_path: Path) -> None:
    names = ["../mine.txt", "feedback/../../mine.txt", str(tmp_path / "mine.txt"), ".."]
    manifest = {"schema": "attention-katas/output/v1", "files": names}
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/written.json").write_text(json.dumps(manifest))
    OutputFolder(tmp_path / "out").remove(names)
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["gradebook.csv", "class.html", "ada.html"])
def test_a_full_disk_names_the_file(
    name: str, ada: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def full(old: str, new: Path) -> None:
        if Path(new).name == name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(old, new)

    monkeypatch.setattr(os, "replace", full)
    done = grade(ada, tmp_path / "out")
    assert done.returncode == 3
    assert f"{name}: No space left on device" in done.stderr


def test_a_full_disk_names_the_journal(tmp_path: Path) -> None:
    with open_journal(tmp_path, "strict", 1) as journal:
        journal.file = FullDisk(str(tmp_path / "journal.jsonl"))
        with pytest.raises(OSError, match=r"journal\.jsonl"):
            journal.add(RECORD)


class FullDisk(io.StringIO):
    """A file on a disk without space."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def write(self, text: str) -> int:
        """Fail as a full disk does."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "changed",
    ["judging/comparisons.py", "invariants/kata03.py", "domains/kata03.py", "judge/grading.py",
     "solutions/kata03.py", "kata/verdict.py", "faults/planting.py"],
)  # fmt: skip
def test_a_journal_is_not_used_after_a_change_in_what_grades(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_bytes(path: Path) -> bytes:
        return read(path) + b"#" * str(path).endswith(changed)

    read, terms = Path.read_bytes, Terms(0, "auto")
    before = terms.of("kata03")
    _fingerprint.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    after = terms.of("kata03")
    _fingerprint.cache_clear()
    assert after != before
