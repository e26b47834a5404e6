"""What a learner does: progress, hints, reset, explain, init."""

import ast
import dataclasses
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from checker.judge.diagnosis import diagnose
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.verdict import Verdict
from checker.learner import progress
from checker.learner.progress import SCHEMA, Progress, Record
from checker.proof.style import STORY_SECTIONS

from .conftest import ROOT, Run, run_process, solve

NAMES = list(catalog.katas())


def kept(place: Path) -> dict[str, dict[str, object]]:
    """The records in a folder's progress."""
    data = json.loads((place / ".katas/progress.json").read_text())
    assert data["schema"] == SCHEMA
    records: dict[str, dict[str, object]] = data["katas"]
    return records


def test_attempts_and_the_best_score_are_kept(place: Path, run: Run) -> None:
    file = place / "katas/kata03.py"
    run("kata03", cwd=place)
    assert kept(place) == {}  # as shipped it is no attempt
    miss = ROOT / "tests/near_misses/kata03"
    shutil.copy(sorted(miss.glob("*.py"))[0], file)
    score = json.loads(run("kata03", "--json", cwd=place).stdout)["score"]
    run("kata03", cwd=place)  # the same text is no other attempt
    assert (kept(place)["kata03"]["attempts"], kept(place)["kata03"]["best"]) == (1, score)
    solve(place, "kata03")
    run("kata03", cwd=place)
    passed = kept(place)["kata03"]
    assert (passed["attempts"], passed["best"], passed["score"]) == (2, 100, 100)
    file.write_text("x = 1")
    run("kata03", cwd=place)
    after = kept(place)["kata03"]
    changes = {"attempts": 3, "score": 0, "text": after["text"], "seconds": after["seconds"]}
    assert after == {**passed, **changes, "broken": ["example"]}
    assert "kata03  Next to a longer sentence: passed, now 0 of 100" in run(cwd=place).stdout


def test_grading_another_file_is_not_an_attempt(place: Path, run: Run) -> None:
    run("kata03", "--file", str(ROOT / "solutions/kata03.py"), cwd=place)
    assert not (place / ".katas").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "nan",
        "[" * 100_000,
        '{"schema": "attention-katas/progress/v2", "katas": {}}',
        json.dumps({"schema": SCHEMA}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": {"attempts": -1}}}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": {"attempts": True}}}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": {"first_pass": 3}}}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": {"tries": 3}}}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": {"broken": [3]}}}),
        json.dumps({"schema": SCHEMA, "katas": {"kata01": []}}),
        json.dumps({"schema": SCHEMA, "last": "yesterday", "katas": {}}),
    ],
)
def test_a_damaged_file_is_set_aside(text: str, place: Path, run: Run) -> None:
    folder = place / ".katas"
    folder.mkdir()
    (folder / "progress.damaged-1.json").write_text("an earlier one")
    (folder / "progress.json").write_text(text)
    done = run("hint", "1", cwd=place)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert re.match(r"note: .*progress\.json is damaged \(.*\): renamed to .*-2\.json", done.stderr)
    assert (folder / "progress.damaged-2.json").read_text() == text
    assert (folder / "progress.damaged-1.json").read_text() == "an earlier one"
    assert kept(place)["kata01"]["hints"] == 1


def test_the_record_of_an_unknown_kata_is_kept(place: Path, run: Run) -> None:
    known = Progress(place / ".katas/progress.json", {"kata99": Record(attempts=7)})
    known.save()
    run("hint", "1", cwd=place)
    assert kept(place)["kata99"]["attempts"] == 7


def test_progress_is_not_written_through_a_link(place: Path, run: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (place / ".katas").symlink_to(elsewhere)
    solve(place, "kata03")
    done = run("kata03", cwd=place)
    assert done.returncode == 0
    assert "note: your progress could not be saved" in done.stderr
    assert ".katas" in done.stderr
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "fifo"])
def test_a_progress_file_that_is_not_regular_is_set_aside(
    kind: str, place: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "target").write_text("mine")
    file = place / ".katas/progress.json"
    file.parent.mkdir()
    os.mkfifo(file) if kind == "fifo" else file.symlink_to(tmp_path / "target")
    assert "it is not a regular file" in run(cwd=place).stderr
    assert (tmp_path / "target").read_text() == "mine"
    assert not os.path.lexists(file)


def test_a_link_given_with_file_is_read_and_stays(place: Path, run: Run, tmp_path: Path) -> None:
    """The person named it: it is followed, and nothing is ever written to it."""
    link = tmp_path / "mine.py"
    link.symlink_to(ROOT / "solutions/kata03.py")
    assert run("kata03", "--file", str(link), cwd=place).returncode == 0
    assert link.is_symlink()


def test_reset_replaces_a_link_and_not_what_it_leads_to(place: Path, run: Run) -> None:
    file, target = place / "katas/kata03.py", place / "target.py"
    target.write_text("mine = 1\n")
    file.unlink()
    file.symlink_to(target)
    run("reset", "3", cwd=place)
    assert (target.read_text(), file.is_symlink()) == ("mine = 1\n", False)


def test_an_unwritable_folder_is_reported(place: Path, run: Run) -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # root can write anywhere but there
        (place / ".katas").symlink_to("/proc/self")
    place.chmod(0o555)
    try:
        done = run("hint", "1", cwd=place)
    finally:
        place.chmod(0o755)
    assert done.returncode == 0
    assert "note: your progress could not be saved: " in done.stderr


def test_existing_files_are_not_overwritten(place: Path, run: Run) -> None:
    (place / "mine").write_text("words")
    (place / ".katas").mkdir()
    (place / ".katas/.gitignore").symlink_to(place / "mine")
    assert run("hint", "1", cwd=place).stderr == ""
    assert (place / "mine").read_text() == "words"
    assert kept(place)["kata01"]["hints"] == 1


def test_a_file_in_place_of_the_folder_is_reported(place: Path, run: Run) -> None:
    (place / ".katas").write_text("mine")
    done = run("hint", "1", cwd=place)
    assert done.returncode == 0
    assert "note: your progress could not be read: " in done.stderr
    assert "note: your progress could not be saved: " in done.stderr


def test_the_best_score_survives_a_lower_one(tmp_path: Path) -> None:
    known = progress.load(tmp_path)
    known.note(Verdict("kata01", "", "", None, "fail", score=30, fingerprint="one text"))
    known.note(Verdict("kata01", "", "", None, "fail", score=20, fingerprint="another"))
    assert known.of("kata01") == Record(attempts=2, best=30, score=20, text="another")


@pytest.mark.parametrize("name", ["kata01", NAMES[-1]])
def test_hints_come_one_by_one(name: str, place: Path, run: Run) -> None:
    for number, hint in enumerate(catalog.find(name).hints, 1):
        output = run("hint", name, cwd=place).stdout
        assert output.startswith(f"{name}, hint {number} of 5: {hint}\n")
        assert output.endswith(f"(or: python -m checker hint {name})\n")
    last = run("hint", name, cwd=place).stdout
    bug = catalog.find(name).bug
    assert last.startswith(f"{name}, hint 5 of 5: your code behaves as shipped: {bug}\n")
    assert last == run("hint", name, cwd=place).stdout
    assert kept(place)[name]["hints"] == 5
    assert run("hint", name, "2", cwd=place).stdout.startswith(f"{name}, hint 2 of 5: ")


def test_hints_are_not_skipped(place: Path, run: Run) -> None:
    done = run("hint", "kata03", "2", cwd=place)
    assert (done.returncode, done.stderr) == (2, "error: hint 1 of kata03 comes first\n")
    assert run("hint", "kata03", "9", cwd=place).stderr == "error: kata03 has only 5 hints\n"
    assert run("hint", cwd=place).stdout.startswith("kata01, hint 1 of 5")


def test_hints_that_serve_nothing_broken_are_left_out(place: Path, run: Run) -> None:
    """To renormalise keeps what kata 03's first two hints serve: rows sum to one again."""
    shutil.copy(ROOT / "tests/near_misses/kata03/renormalised.py", place / "katas/kata03.py")
    run("kata03", cwd=place)
    assert kept(place)["kata03"]["broken"] == [
        "the_highest_allowed_score_wins",
        "matches_plain_loops",
    ]
    done = run("hint", "kata03", "1", cwd=place)
    assert done.stderr == ""  # what is left out can still be asked for
    assert run("hint", "kata03", cwd=place).stdout.startswith("kata03, hint 3 of 5: ")
    assert run("hint", "kata03", "2", cwd=place).stdout.startswith("kata03, hint 2 of 5: ")


def test_the_next_hint_serves_what_broke() -> None:
    kata = catalog.find("8")
    assert kata.next_hint(0, []) == 1
    assert kata.next_hint(0, ["attention_follows_keep"]) == 2
    assert kata.next_hint(0, ["the_highest_allowed_score_wins"]) == 3
    assert kata.next_hint(3, ["the_highest_allowed_score_wins"]) == 4
    assert kata.next_hint(2, ["attention_follows_keep"]) == 5  # the diagnosis
    assert dataclasses.replace(kata, serves=()).next_hint(2, ["attention_follows_keep"]) == 3


def test_the_last_hint_names_the_known_bug(place: Path, run: Run) -> None:
    known = progress.load(place)
    known.of("kata03").hints = 4
    known.save()

    def likeness(text: str) -> str:
        (place / "katas/kata03.py").write_text(text)
        return run("hint", "kata03", cwd=place).stdout.splitlines()[0]

    shipped, right = ((ROOT / name / "kata03.py").read_text() for name in ("katas", "solutions"))
    as_shipped = f"your code behaves as shipped: {catalog.find('3').bug}"
    assert likeness(shipped + "# a comment\n").endswith(as_shipped)
    assert likeness(right).endswith("your code behaves like the reference")
    inverted = right.replace("np.where(keep, scores, -np.inf)", "np.where(keep, -np.inf, scores)")
    assert "like this wrong fix: The mask is inverted" in likeness(inverted)
    unscaled = right.replace(" / np.sqrt(q.shape[-1])", "")
    assert "as if scores are not scaled" in likeness(unscaled)
    unlike = "def attention(q, k, v, keep):\n    return q @ 0, q\n"
    assert re.search(
        r"like no known bug: its results differ from those of all \d+", likeness(unlike)
    )
    for source, why in (
        ("x = (\n", "line 1: "),
        ("import os; os._exit(0)", "it ended the process"),
    ):
        assert f"your code behaves like no known bug: it does not run ({why}" in likeness(source)


@pytest.mark.parametrize("kata", catalog.katas().values(), ids=lambda kata: kata.name)
def test_the_commonest_wrong_fix_is_named(kata: Kata) -> None:
    """Kata 11's differs from the reference only where the domain ends: at nan."""
    file = ROOT / "tests/near_misses" / kata.name / f"{kata.common_fix}.py"
    line = ast.get_docstring(ast.parse(file.read_text()))
    assert diagnose(Job(kata, file)) == f"like this wrong fix: {line}".removesuffix(".")


def test_reset_keeps_your_version(place: Path, run: Run) -> None:
    file = place / "katas/kata01.py"
    shipped = file.read_bytes()
    assert "as it was shipped\nnext" in run("reset", "1", cwd=place).stdout  # nothing to keep
    for number in (1, 2):
        file.write_text(f"version = {number}\n")
        done = run("reset", "1", cwd=place)
        assert f"your version is kept as katas/kata01.mine-{number}.py" in done.stdout
        assert file.read_bytes() == shipped
        assert file.with_name(f"kata01.mine-{number}.py").read_text() == f"version = {number}\n"
    file.unlink()
    assert run("reset", "1", cwd=place).returncode == 0
    assert file.read_bytes() == shipped


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x85", "\u2028"], ids=ascii)
def test_reset_sees_separators_that_end_no_line_of_python(
    separator: str, place: Path, run: Run
) -> None:
    file = place / "katas/kata01.py"
    shipped = file.read_bytes()
    file.write_bytes(shipped.replace(b"\n", separator.encode(), 1))
    assert "your version is kept as katas/kata01.mine-1.py" in run("reset", "1", cwd=place).stdout
    assert file.read_bytes() == shipped


def test_reset_ignores_how_lines_end(place: Path, run: Run) -> None:
    file = place / "katas/kata01.py"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert "your version is kept" not in run("reset", "1", cwd=place).stdout


def test_reset_text_matches_the_checkout() -> None:
    for kata in catalog.katas().values():
        assert kata.text == (ROOT / "katas" / f"{kata.name}.py").read_text()


def test_explain_requires_a_pass(place: Path, run: Run) -> None:
    done = run("explain", "3", cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: kata03 is not passed yet: ")
    solve(place, "kata03")
    run("3", cwd=place)
    output = run("explain", "3", cwd=place).stdout
    kata = catalog.find("kata03")
    for part in (*STORY_SECTIONS, *kata.sources):
        assert part in output
    assert output.count("    +    weights = softmax(np.where(keep, scores, -np.inf))") == 1
    assert "Your fix\n    (the same)\n" in output
    assert kept(place)["kata03"]["spoiled"] is None


def test_spoiling_is_recorded(place: Path, run: Run) -> None:
    output = run("explain", "3", "--spoil", cwd=place).stdout
    assert "Your fix\n    (nothing)" in output
    assert kept(place)["kata03"]["spoiled"]
    assert "story read" in run(cwd=place).stdout


def test_list_can_be_filtered(place: Path, run: Run) -> None:
    solve(place, "kata02")
    run("2", cwd=place)

    def named(*words: str) -> list[str]:
        return re.findall(r"^  (kata\d\d)", run("list", *words, cwd=place).stdout, re.MULTILINE)

    assert named() == NAMES
    assert named("passed") == ["kata02"]
    assert named("open") == [name for name in NAMES if name != "kata02"]
    assert set(named("white", "open")) == {
        kata.name for kata in catalog.katas().values() if kata.belt == "white"
    } - {"kata02"}
    assert named("was trained") == ["kata05"]
    assert set(named("white", "yellow")) == set(named("white")) | set(named("yellow"))
    assert run("list", "xyz", cwd=place).stdout.startswith("no kata matches xyz\n")
    assert "kata02 [x]" in run("list", cwd=place).stdout
    assert "kata03 [>]" in run("list", cwd=place).stdout


def test_list_searches_what_to_know_first_whatever_the_case(place: Path, run: Run) -> None:
    for words in (("SOFTMAX", "white"), ("softmax", "White")):
        assert "kata02" in run("list", *words, cwd=place).stdout
    assert "kata02" not in run("list", "Softmax", "yellow", cwd=place).stdout
    assert "kata02" not in run("list", "softmax", "PASSED", cwd=place).stdout


def test_a_list_without_a_match_only_says_so(place: Path, run: Run) -> None:
    known = progress.load(place)
    for name in NAMES:
        known.of(name).first_pass = progress.now()
    known.save()
    assert run("list", "open", cwd=place).stdout == (
        "no kata matches open\nnext: python -m checker list\n"
    )


def test_hints_read_after_a_pass_do_not_count(place: Path, run: Run) -> None:
    run("hint", "3", cwd=place)
    solve(place, "kata03")
    run("3", cwd=place)
    for number in (2, 3):
        assert f"hint {number} of" in run("hint", "3", cwd=place).stdout
    assert kept(place)["kata03"]["hints"] == 1
    assert "passed, 1 attempt, 1 hint" in run(cwd=place).stdout


def test_time_between_gradings_is_work_up_to_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = progress.load(tmp_path)
    moments = ("2026-01-01T10:00:00Z", "2026-01-01T10:07:00Z", "2026-01-02T09:00:00Z",
               "2026-01-02T08:00:00Z")  # fmt: skip
    for number, moment in enumerate(moments, 1):
        monkeypatch.setattr(progress, "now", lambda moment=moment: moment)
        known.take_hint("kata01" if number < 3 else "kata02", number)
        known.save()
        known = progress.load(tmp_path)
    assert known.of("kata01").seconds == 7 * 60
    assert known.of("kata02").seconds == progress.PAUSE  # a night; and a clock that was set back


def test_after_the_last_kata_there_is_a_recap(place: Path, run: Run) -> None:
    known = progress.load(place)
    for name in NAMES[:-1]:
        known.of(name).first_pass, known.of(name).attempts = progress.now(), 1
    for name in ("kata03", "kata05"):
        known.of(name).attempts, known.of(name).seconds = 4, 600
    known.of("kata05").hints = 2
    known.save()
    assert "hard twice" not in run(cwd=place).stdout
    solve(place, NAMES[-1])
    assert run(NAMES[-1], cwd=place).stdout.endswith("then python -m checker\n")
    shown = run(cwd=place).stdout.partition("That was the last one")[2]
    assert re.findall(r"  (minutes|attempts|hints) +(.*)", shown) == [
        ("minutes", "about 20 (a pause counts as 15 at most)"),
        ("attempts", str(len(NAMES) + 6)),
        ("hints", "2"),
    ]
    assert "  hard twice  masking (kata03, kata05)\n" in shown
    assert shown.endswith(
        "next: python -m checker reset kata05  (your hardest: again, without a hint)\n"
    )


def test_commands_take_the_current_kata_if_none_is_named(place: Path, run: Run) -> None:
    (place / "katas/kata05.py").write_text("x = 1\n")
    run("5", cwd=place)
    assert run("explain", cwd=place).stderr.startswith("error: kata05 is not passed yet")
    assert run("reset", cwd=place).stdout.startswith("katas/kata05.py is restored")
    solve(place, "kata05")
    run("5", cwd=place)
    assert "next: python -m checker kata06\n" in run(cwd=place).stdout
    assert run("trace", cwd=place).stdout.startswith("kata05  ")
    assert run("reset", cwd=place).stdout.startswith("katas/kata06.py is restored")
    shown = run("explain", cwd=place)  # the story of the kata that was just passed
    assert catalog.find("kata05").sources[0] in shown.stdout


def test_a_kata_graded_as_shipped_is_the_current_one(place: Path, run: Run) -> None:
    run("4", cwd=place)
    assert run("hint", cwd=place).stdout.startswith("kata04, hint 1")


@pytest.mark.parametrize("name", ["link.html", "kata05.PY"])
def test_a_page_does_not_replace_a_python_file(name: str, place: Path, run: Run) -> None:
    text = (place / "katas/kata05.py").read_text()
    (place / "link.html").symlink_to("katas/kata05.py")
    done = run("trace", "5", "--html", name, cwd=place)
    assert (done.returncode, "is a Python file" in done.stderr) == (2, True)
    assert (place / "katas/kata05.py").read_text() == text


def test_the_next_kata_follows_the_current_one(place: Path, run: Run) -> None:
    solve(place, "kata05")
    assert run("5", cwd=place).stdout.endswith("explain kata05, then python -m checker kata06\n")
    assert run(cwd=place).stdout.endswith("next: python -m checker kata06\n")
    assert run("hint", cwd=place).stdout.startswith("kata06, hint 1")
    (place / "katas/kata02.py").write_text("x = 1")
    run("2", cwd=place)
    assert run("hint", cwd=place).stdout.startswith("kata02, hint 1")


def test_the_next_command_keeps_the_root(place: Path, run: Run) -> None:
    output = run("--root", str(place), "hint", "1").stdout.splitlines()[-1]
    assert output.startswith(f"next: python -m checker --root '{place}' kata01")


@pytest.mark.parametrize(
    "arguments",
    [["init", "katas/kata01.py"], ["trace", "1", "--html", "nowhere/page.html"],
     ["trace", "1", "--html", "katas"]],
)  # fmt: skip
def test_an_impossible_path_gives_one_error_line(
    arguments: list[str], place: Path, run: Run
) -> None:
    done = run(*arguments, cwd=place)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: ")


def test_init_overwrites_nothing(tmp_path: Path, run: Run) -> None:
    mine = tmp_path / "new/katas/kata02.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    done = run("init", "new", cwd=tmp_path)
    assert done.returncode == 0
    assert "not overwritten: new/katas/kata02.py\n" in done.stdout
    assert mine.read_text() == "mine"
    assert {path.name for path in mine.parent.iterdir()} == {f"{name}.py" for name in NAMES}
    assert run("1", cwd=tmp_path / "new").returncode == 1
    assert "0 files written" in run("init", "new", cwd=tmp_path).stdout
    inside = run("--root", "new", "hint", "1", cwd=tmp_path)
    assert inside.returncode == 0
    assert kept(tmp_path / "new")["kata01"]["hints"] == 1


def test_a_root_without_katas_is_named(tmp_path: Path, run: Run) -> None:
    done = run("--root", str(tmp_path), "1")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: there is no folder katas/ in {tmp_path}\n",
    )


def test_concurrent_runs_leave_a_valid_file(place: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def hint(name: str) -> subprocess.CompletedProcess[str]:
        return run_process("hint", name, cwd=place)

    with ThreadPoolExecutor() as pool:
        done = list(pool.map(hint, NAMES[:6]))
    assert {one.returncode for one in done} == {0}
    assert kept(place)
    assert [path.name for path in (place / ".katas").glob("progress*")] == ["progress.json"]
