"""Bundles: they have everything a student needs, and nothing that gives a bug away."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checker.classroom.publish.pack import CannotPack, bundle, write_bundle
from checker.judge import grading
from checker.judge.example import grade_example
from checker.kata import catalog
from checker.kata.catalog import Kata

from .conftest import ROOT, Judge, Run

KATAS = list(catalog.katas().values())
CHOSEN = [catalog.find("kata03"), catalog.find("kata05")]
TRIVIAL = 11  # characters: shorter lines, such as `return out`, reveal nothing

Ask = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of all katas, with `handout.zip` next to it."""
    folder = tmp_path_factory.mktemp("packed") / "handout"
    write_bundle(bundle(KATAS), folder)
    return folder


def unpacked(place: Path, *, with_invariants: bool = False) -> Path:
    """A bundle of two katas as a student has it, from the zip."""
    archive = write_bundle(
        bundle(CHOSEN, with_invariants=with_invariants), place / "packed/handout"
    )
    shutil.unpack_archive(archive, place)
    return place / "handout"


@pytest.fixture
def student(tmp_path: Path) -> Path:
    """A student's folder without the invariants."""
    return unpacked(tmp_path)


@pytest.fixture
def ask(student: Path, run: Run) -> Ask:
    """Run a command in the student's folder, with only the bundle on the path."""

    def asked(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run(*arguments, cwd=student, PYTHONPATH=str(student))

    return asked


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, by path."""
    found = (path for path in sorted(folder.rglob("*")) if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def lines_of(*paths: Path) -> set[str]:
    """The lines of files, without their indents."""
    return {line.strip() for path in paths for line in path.read_text("utf-8").splitlines()}


def leaked(bundled: dict[str, bytes], lines: set[str]) -> list[str]:
    """Those of the lines, short ones aside, that are anywhere in a bundle."""
    text = "\n".join(data.decode() for data in bundled.values())
    return sorted(line for line in lines if len(line) > TRIVIAL and line in text)


def hidden_files(kata: Kata, kind: str) -> list[Path]:
    """The files about a kata that are not handed out."""
    single = {"solutions": kata.reference, "invariants": kata.invariants, "domains": kata.domain}
    return (
        [single[kind]] if kind in single else sorted((ROOT / "tests" / kind / kata.name).iterdir())
    )


@pytest.mark.parametrize(
    "kind", ["solutions", "invariants", "domains", "near_misses", "alternatives"]
)
def test_a_bundle_has_no_line_of_hidden_files(kind: str, packed: Path) -> None:
    public = "\n".join(kata.text for kata in KATAS)
    hidden = lines_of(*(file for kata in KATAS for file in hidden_files(kata, kind)))
    hidden = {line for line in hidden if line not in public}
    assert len(hidden) > 100
    assert leaked(files(packed), hidden) == []


@pytest.mark.parametrize("kata", KATAS, ids=lambda kata: kata.name)
def test_a_bundle_of_one_kata_has_no_line_of_its_solution(kata: Kata) -> None:
    hidden = {line for line in lines_of(kata.reference) if line not in kata.text}
    assert hidden
    assert leaked(bundle([kata]), hidden) == []


def test_a_bundle_names_no_public_report(packed: Path) -> None:
    addresses = {source for kata in KATAS for source in kata.sources}
    repositories = {source.split("/", 3)[3].rsplit("/", 2)[0] for source in addresses}
    assert leaked(files(packed), addresses | repositories) == []


def test_a_bundle_names_no_invariant(packed: Path) -> None:
    names = {name for kata in KATAS for name in kata.roles} - {"example"}
    text = b"\n".join(files(packed).values()).decode()
    assert [name for name in names if name in text] == []


def test_a_bundle_names_no_near_miss(packed: Path) -> None:
    names = {file.stem for kata in KATAS for file in hidden_files(kata, "near_misses")}
    assert leaked(files(packed), names) == []


def test_the_catalogue_has_only_what_students_may_see(packed: Path) -> None:
    tables = tomllib.loads((packed / "checker/kata/catalog.toml").read_text("utf-8"))
    assert list(tables) == [kata.name for kata in KATAS]
    for kata in KATAS:
        assert list(tables[kata.name]) == ["title", "belt", "minutes", "know", "hints"]
        assert tables[kata.name]["hints"] == list(kata.hints)
    stored = json.loads((packed / "checker/kata/shipped.json").read_text("utf-8"))
    assert {key for one in stored.values() for key in one} == {"text"}


def test_a_bundle_has_only_source_files_and_no_hidden_ones(packed: Path) -> None:
    names = set(files(packed))
    assert {Path(name).suffix for name in names} == {"", ".py", ".toml", ".json", ".html", ".md"}
    words = ("solution", "invariant", "domain", "fault", "miss", "alternative", "story", "test")
    assert [name for name in names if any(word in name for word in words)] == []
    assert {name for name in names if "kata0" in name} == {
        f"katas/{kata.name}.py" for kata in KATAS if kata.name < "kata10"
    }


def test_a_bundle_does_not_say_where_it_was_written(packed: Path) -> None:
    text = b"\n".join(files(packed).values()).decode()
    assert str(ROOT) not in text
    assert str(packed.parent) not in text


def test_the_zip_contains_exactly_the_folder(packed: Path) -> None:
    with zipfile.ZipFile(packed.with_suffix(".zip")) as archive:
        entries = archive.infolist()
        assert {e.filename: archive.read(e) for e in entries} == {
            f"handout/{name}": data for name, data in files(packed).items()
        }
        assert archive.comment == b""
    assert {
        (e.comment, e.extra, e.date_time, e.external_attr, e.create_system) for e in entries
    } == {(b"", b"", (1980, 1, 1, 0, 0, 0), 0o100644 << 16, 3)}


def test_packing_twice_gives_the_same_bytes(packed: Path, tmp_path: Path, run: Run) -> None:
    assert run("pack", "handout", cwd=tmp_path).returncode == 0
    assert (tmp_path / "handout.zip").read_bytes() == packed.with_suffix(".zip").read_bytes()
    assert files(tmp_path / "handout") == files(packed)


def test_an_edited_kata_is_packed_as_it_was_shipped(place: Path, run: Run) -> None:
    edited = place / "katas/kata03.py"
    edited.write_text("# half a solution")
    done = run("pack", "out", "5", "3", cwd=place)
    assert done.stdout == "2 katas in out and out.zip\nnext: hand out out.zip\n"
    assert sorted(os.listdir(place / "out/katas")) == ["kata03.py", "kata05.py"]
    assert (place / "out/katas/kata03.py").read_text() == catalog.find("kata03").text
    assert edited.read_text() == "# half a solution"


@pytest.mark.parametrize("there", ["out/", "out.zip"])
def test_nothing_is_overwritten_without_the_option(there: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "out").mkdir() if there == "out/" else (tmp_path / there).touch()
    done = run("pack", "out", "3", cwd=tmp_path)
    there = there.rstrip("/")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"error: {there} already exists: choose another name, or add --overwrite\n"
    )
    assert os.listdir(tmp_path) == [there]
    done = run("pack", "out", "3", "--overwrite", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)  # it is not a bundle
    assert os.listdir(tmp_path) == [there]


def test_an_unchanged_bundle_can_be_replaced(tmp_path: Path, run: Run) -> None:
    assert run("pack", "out", "3", cwd=tmp_path).returncode == 0
    assert run("pack", "out", "5", "--overwrite", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path / "out/katas") == ["kata05.py"]


@pytest.mark.parametrize("name", ["thesis.tex", "checker/thesis.tex", "katas/kata03.py"])
def test_a_changed_bundle_is_never_replaced(name: str, tmp_path: Path) -> None:
    write_bundle(bundle(CHOSEN), tmp_path / "out")
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(CannotPack, match=rf"out is not an unchanged bundle \({name}\)"):
        write_bundle(bundle(CHOSEN), tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / name).read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_a_one_line_error(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    done = run("pack", "file/out", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: file/out cannot be written: ")


@pytest.mark.parametrize("kata", KATAS, ids=lambda kata: kata.name)
def test_the_example_fails_for_the_kata_and_passes_for_the_reference(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("builtins._", raising=False)  # as in a process that has shown nothing yet
    wrong = grade_example(kata, ROOT / f"katas/{kata.name}.py", "wrong.py")
    right = grade_example(kata, kata.reference, "right.py")
    assert (wrong.kept, right.kept) == (False, True)
    assert {(v.status, v.reason) for v in (wrong, right)} == {("not-graded", "no-invariants")}


def test_python_imports_the_checker_of_the_bundle(student: Path) -> None:
    command = [sys.executable, "-c", "import checker; print(checker.__file__)"]
    done = subprocess.run(
        command, cwd=student, env={**os.environ, "PYTHONPATH": str(student)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"{student}/checker/__init__.py\n"


def test_in_a_bundle_only_the_example_is_run(student: Path, ask: Ask) -> None:
    done = ask("kata03")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith(
        "        | got [0.081093, 0.081093, 0.0]\n"
        "        | want [1.0, 1.0, 1.0]\n\n"
        "The example fails.\n"
        "Nothing is graded here: only your instructor has the hidden tests.\n"
        "next: edit katas/kata03.py, then python -m checker kata03"
        "  (stuck: python -m checker hint kata03)\n"
    )
    shutil.copy(ROOT / "solutions/kata03.py", student / "katas")
    done = ask("kata03")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "The example passes.\n"
        "Nothing is graded here: only your instructor has the hidden tests.\n"
        "next: python -m checker kata05\n"
    )
    assert ask().stdout == (
        "white   ##########----------  1 of 2\n\n"
        "kata03  Next to a longer sentence: its example passes\n"
        "1 of 2 pass their example in katas\n"
        "next: python -m checker kata05\n"
    )


@pytest.mark.parametrize(
    ("source", "reason", "message"),
    [
        ("x = (", "syntax-error", "line 1: '(' was never closed"),
        ("import torch", "import-error", "line 1, import torch: ModuleNotFoundError: "),
        ("raise SystemExit(0)", "exited", "it ended the process (exit status 0)"),
        ("x = 1", "missing-name", "it defines no attention"),
    ],
)
def test_a_file_that_does_not_run_says_why(
    source: str, reason: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "subject.py"
    file.write_text(source)
    verdict = grade_example(CHOSEN[0], file, "subject.py")
    assert (verdict.status, verdict.reason, verdict.checks) == ("error", reason, [])
    assert (verdict.message or "").startswith(message)


@pytest.mark.parametrize("returned", ["None", "1, 2", "[k, k]", "k[9]", "q.fill(0)"])
def test_an_answer_of_the_wrong_type_fails_the_example(returned: str, tmp_path: Path) -> None:
    file = tmp_path / "subject.py"
    file.write_text(f"def attention(q, k, v, keep):\n    return {returned}\n")
    verdict = grade_example(CHOSEN[0], file, "subject.py")
    assert [check.status for check in verdict.checks] == ["broken"]
    assert verdict.checks[0].message


def test_the_result_of_the_example_as_json(ask: Ask) -> None:
    done = ask("3", "--json")
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["status"], verdict["max_score"]) == (1, "not-graded", 0)
    assert [check["name"] for check in verdict["checks"]] == ["example"]


def test_a_bundle_has_four_hints(ask: Ask) -> None:
    """The fifth, which bug the code behaves like, needs the reference."""
    told = [ask("hint", "3").stdout for _ in range(5)]
    for number, hint in enumerate(told[:4], 1):
        assert hint.startswith(f"kata03, hint {number} of 4: ")
    assert told[4] == told[3]
    assert ask("hint", "3", "5").returncode == 2


def test_trace_shows_the_example(ask: Ask) -> None:
    done = ask("trace", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert [step["name"] for step in json.loads(done.stdout)["steps"]][-1] == "returned[1]"


def test_katas_keep_their_numbers(ask: Ask) -> None:
    done = ask("list")
    assert [line.split()[0] for line in done.stdout.splitlines() if "[" in line] == [
        "kata03",
        "kata05",
    ]


def test_reset_restores_a_kata(student: Path, ask: Ask) -> None:
    (student / "katas/kata03.py").write_text("x = 1")
    assert ask("reset", "3").returncode == 0
    assert (student / "katas/kata03.py").read_text() == CHOSEN[0].text
    assert (student / "katas/kata03.mine-1.py").read_text() == "x = 1"


def test_watch_runs_the_example_on_every_save(student: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "checker", "watch"], cwd=student, text=True,
        env={**os.environ, "PYTHONPATH": str(student), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    ) as watching:  # fmt: skip
        assert watching.stdout
        assert "The example fails.\n" in up_to_time(watching.stdout)
        shutil.copy(ROOT / "solutions/kata03.py", student / "katas")
        assert "The example passes.\n" in up_to_time(watching.stdout)
        watching.send_signal(signal.SIGINT)


def up_to_time(lines: Iterator[str]) -> list[str]:
    """What a watch shows, up to the line with the time."""
    return list(itertools.takewhile(lambda line: not re.match(r"\d\d:\d\d:\d\d", line), lines))


def test_doctor_works_in_a_bundle(ask: Ask) -> None:
    done = ask("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "isolation: " in done.stdout


@pytest.mark.parametrize(
    ("command", "lacks"),
    [
        ("explain 3 --spoil", "the reference of kata03"),
        ("trace 3 --case extreme", "the domain of kata03"),
        ("kata03 --seed 1", "the invariants of kata03"),
        ("verify", "checker.proof"),
        ("show scale", "checker.demos"),
        ("pack out", "checker.classroom"),
        ("grade folder", "checker.classroom"),
        ("export gradescope out", "checker.classroom"),
    ],
)
def test_a_command_that_needs_more_says_what(
    command: str, lacks: str, student: Path, ask: Ask
) -> None:
    done = ask(*command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: this bundle does not include {lacks}: your instructor has it\n"
    assert not (student / ".katas").exists()


@pytest.fixture
def grader(tmp_path: Path) -> Path:
    """A student's folder with the invariants."""
    return unpacked(tmp_path, with_invariants=True)


def test_with_invariants_a_kata_is_graded(grader: Path, run: Run) -> None:
    done = run("kata03", cwd=grader, PYTHONPATH=str(grader))
    assert done.returncode == 1
    assert done.stdout == run("kata03").stdout
    shutil.copy(ROOT / "solutions/kata03.py", grader / "katas")
    done = run("kata03", cwd=grader, PYTHONPATH=str(grader))
    assert (done.returncode, done.stderr) == (0, "")
    assert "PASS: all 10 invariants kept, 100 of 100 points.\nnext: python -m checker kata05\n" in (
        done.stdout
    )


def test_without_a_reference_the_default_time_limit_applies(
    judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kata, "reference", tmp_path / "none.py")
    monkeypatch.setattr(grading, "SECONDS", 0.25)
    verdict = judge("def attention(*_):\n    while True: pass\n")
    assert (verdict.status, verdict.reason) == ("error", "time-limit")
    assert verdict.message == "an invariant took more than 0.25 s"


def test_with_invariants_a_bundle_has_no_others_and_no_answers() -> None:
    bundled = bundle(CHOSEN, with_invariants=True)
    assert [name for name in bundled if name.startswith("checker/invariants/")] == [
        "checker/invariants/__init__.py",
        *(f"checker/invariants/{kata.name}.py" for kata in CHOSEN),
    ]
    public = "\n".join(data.decode() for name, data in bundled.items() if "/kata0" in name)
    for kata in CHOSEN:
        assert (
            leaked(bundled, {line for line in lines_of(kata.reference) if line not in public}) == []
        )
    assert set(json.loads(bundled["checker/kata/shipped.json"])["kata03"]) == {"text", "roles"}


def test_help_in_a_bundle_lists_only_commands_that_work_there(ask: Ask) -> None:
    done = ask("--help")
    listed = re.findall(r"^  (\w+)  +\S", done.stdout.partition("Learn:")[2], re.MULTILINE)
    assert listed == ["watch", "hint", "trace", "reset", "list", "init", "doctor"]
    assert done.stdout.rstrip().endswith("in a real worker.")


def test_the_katas_of_a_bundle_can_be_written_elsewhere(student: Path, ask: Ask) -> None:
    assert ask("init", "mine").returncode == 0
    assert (student / "mine/katas/kata03.py").read_text() == CHOSEN[0].text


def test_the_bundle_needs_what_the_suite_needs(packed: Path) -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    theirs = tomllib.loads((packed / "pyproject.toml").read_text("utf-8"))["project"]
    assert theirs["dependencies"] == sorted(ours["dependencies"])
