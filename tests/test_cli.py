"""The command line: in this process, or in one of its own where the process is the claim."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from checker.kata import catalog
from checker.kata.verdict import SCHEMA
from checker.learner import progress

from .conftest import ROOT, Run, run_process, solve
from .processes import descendants, leaders, wait_for

NAMES = list(catalog.katas())
FEW = ["kata01", "kata03", NAMES[-1]]  # verify grades them all
ESCAPE = "\x1b["

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize("name", FEW)
def test_a_shipped_kata_is_not_passed(name: str, run: Run, place: Path) -> None:
    done = run(name, cwd=place)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"{name}  {catalog.find(name).title}"
    assert re.fullmatch(r"\d+ of \d+ invariants broken, 0 of 100 points\.", lines[-2])
    assert lines[-1] == (
        f"next: edit katas/{name}.py, then python -m checker {name}"
        f"  (stuck: python -m checker hint {name})"
    )


@pytest.mark.parametrize("name", FEW)
def test_a_solved_kata_is_passed(name: str, run: Run, place: Path) -> None:
    solve(place, name)
    done = run(name, cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    assert "PASS: all" in done.stdout
    assert "100 of 100 points" in done.stdout


@pytest.mark.parametrize("word", ["kata03", "03", "3", "KATA03", "katas/kata03.py", "kata3"])
def test_a_kata_has_several_names(word: str, run: Run) -> None:
    assert run(word).stdout.startswith("kata03  ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["katta03"], "there is no kata 'katta03'. Did you mean kata03?"),
        (["kata77"], "there is no kata 'kata77'. They are kata01 to kata"),
        (["verfy"], "there is no command or kata 'verfy'. Did you mean verify?"),
        (["zzz"], "there is no kata 'zzz'. They are kata01 to kata"),
        (["hint", "kata88"], "there is no kata 'kata88'"),
        (["hint", "3", "4"], "hint 1 of kata03 comes first"),
        (["3", "--file", "nothing.py"], "there is no file nothing.py"),
        (["3", "--isolation", "total"], "'total' is not one of"),
        (["3", "--seed", "-1"], "-1 is not in the range"),
        (["3", "--nonsense"], "No such option"),
        (["verify", "--faults", "--json"], "--faults and --seeds go with no other option"),
        (["verify", "--seeds", "2", "--write"], "--faults and --seeds go with no other option"),
    ],
)
def test_wrong_usage_gives_one_error_line(arguments: list[str], message: str, run: Run) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("folder", ["katas", "solutions"])
@pytest.mark.parametrize("name", FEW)
def test_json_is_the_whole_verdict(name: str, folder: str, run: Run) -> None:
    done = run(name, "--json", "--file", f"{folder}/{name}.py")
    verdict = json.loads(done.stdout)
    assert verdict["schema"] == SCHEMA
    assert verdict["status"] == ("pass" if folder == "solutions" else "fail")
    assert verdict["score"] == (100 if folder == "solutions" else 0)
    assert verdict["max_score"] == sum(check["max_points"] for check in verdict["checks"]) == 100
    assert verdict["file"] == f"{folder}/{name}.py"
    roles = {check["name"]: check["role"] for check in verdict["checks"]}
    assert list(roles.items()) == list(catalog.find(name).roles.items())
    assert set(verdict["versions"]) == {"python", "numpy", "suite"}


def test_the_same_file_and_seed_give_the_same_verdict(run: Run) -> None:
    def verdict(run: Run, *arguments: str) -> str:
        return re.sub(r'"duration_ms": \d+', "", run("kata03", "--json", *arguments).stdout)

    assert verdict(run) == verdict(run_process) == verdict(run, "--seed", "0")
    assert verdict(run, "--seed", "1") != verdict(run)


def test_an_exam_shows_no_numbers(run: Run) -> None:
    text = run("kata03", "--exam").stdout
    assert "  FAIL  Each row of the weights sums to one." in text
    assert "got" not in text
    checks = json.loads(run("kata03", "--exam", "--json").stdout)["checks"]
    assert "broken" in {check["status"] for check in checks}
    assert {check[key] for check in checks for key in ("message", "got", "want", "where")} == {None}


@pytest.mark.parametrize(
    "ends",
    ["raise MemoryError('MARK', q)", "sys.exit(77)", "os.abort()", "raise KeyError(q)"],
)
@pytest.mark.parametrize("form", ["text", "json", "gradescope"])
def test_an_exam_shows_nothing_that_a_file_chooses(
    ends: str, form: str, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"import os, sys\ndef attention(q, k, v, keep):\n    print('MARK', q)\n    {ends}\n"
    )
    options = [] if form == "text" else ["--format", form]
    told = run("kata03", "--file", str(file), "--exam", *options).stdout
    assert not re.search(r"MARK|array\(|exit status|SIG|KeyError", told)


def test_a_syntax_error_shows_line_and_caret(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def attention(q, k, v, keep):\n    return q @@ k\n")
    done = run("kata03", "--file", str(file))
    assert done.returncode == 1
    assert "  line 2: invalid syntax\n  |     return q @@ k\n  |               ^\n" in done.stdout


def test_what_a_file_prints_cannot_command_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "print('\\x1b[2J\\u202eokay\\x07' + 'x' * 10**6)\nraise ValueError('\\x1b[31m')\n"
    )
    done = run("kata03", "--file", str(file))
    assert done.returncode == 1
    assert "  | \\x1b[2J\\u202eokay\\x07xxx" in done.stdout
    assert "ValueError: \\x1b[31m" in done.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", done.stdout)


def test_the_overview_shows_progress(run: Run, place: Path) -> None:
    done = run(cwd=place)
    assert done.returncode == 0
    assert f"0 of {len(NAMES)} passed in katas" in done.stdout
    assert done.stdout.endswith("next: python -m checker kata01\n")
    solve(place, "kata01")
    (place / "katas/kata02.py").write_text("def attention(")
    (place / "katas/kata03.py").unlink()
    (place / "katas/kata04.py").write_text("x = 1")
    for name in ("1", "2"):
        run(name, cwd=place)
    output = run(cwd=place).stdout
    assert "white   ##" in output
    assert re.search(r"kata01  .*: passed, 1 attempt\n", output)
    assert re.search(r"kata02  .*: 0 of 100 points, 1 attempt\n", output)
    assert re.search(r"kata03  .*: the file cannot be read: .* reset kata03\)\n", output)
    assert re.search(r"kata04  .*: edited, not graded yet\n", output)
    assert f"1 of {len(NAMES)} passed in katas" in output
    assert output.endswith("next: python -m checker kata02\n")


def test_the_overview_says_when_all_are_passed(run: Run, place: Path) -> None:
    known = progress.load(place)
    for name in NAMES:
        known.of(name).first_pass = progress.now()
    known.save()
    output = run(cwd=place).stdout
    assert f"{len(NAMES)} of {len(NAMES)} passed" in output
    assert f"That was the last one. Well done! All {len(NAMES)} katas:\n" in output
    assert "  hard twice  no kind of bug\n" in output
    listed = run("list", cwd=place).stdout
    assert listed.endswith("next: python -m checker  (all are done: your recap)\n")


def test_list_names_every_kata(run: Run) -> None:
    assert re.findall(r"^  (kata\d\d)", run("list").stdout, re.MULTILINE) == NAMES


def test_doctor_shows_that_the_layers_hold(run: Run) -> None:
    done = run("doctor")
    assert done.returncode == 0
    assert re.search("isolation: (strict|process)", done.stdout)
    if "isolation: strict" in done.stdout:
        assert done.stdout.count("is refused") == 10
        assert "CAN" not in done.stdout


def test_another_folder_finds_the_checkout(run: Run, tmp_path: Path) -> None:
    done = run("kata03", cwd=tmp_path)
    assert done.returncode == 1
    assert f"edit {ROOT / 'katas/kata03.py'}" in done.stdout


def test_a_folder_inside_the_project_finds_it(run: Run, place: Path) -> None:
    assert run("kata03", cwd=place / "katas").returncode == 1


def test_a_read_only_checkout_is_enough(run: Run, tmp_path: Path) -> None:
    for folder in ("checker", "katas", "solutions"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for path in [tmp_path, *tmp_path.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert run("kata03", cwd=tmp_path, PYTHONPATH=str(tmp_path)).returncode == 1
    finally:
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


def test_personal_pytest_settings_are_ignored(run: Run, place: Path) -> None:
    (place / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (place / "conftest.py").write_text("raise SystemExit(0)\n")
    (place / "numpy.pth").write_text("import os\n")
    done = run("kata03", cwd=place, PYTEST_ADDOPTS="--collect-only", PYTEST_PLUGINS="nothing_there")
    assert (done.returncode, done.stderr) == (1, "")
    assert "8 of 10 invariants broken" in done.stdout


def test_colour_is_used_on_a_terminal_that_has_it_without_no_color(run: Run) -> None:
    assert ESCAPE not in run("kata03").stdout
    if sys.platform == "linux" and shutil.which("script"):
        command = f"{sys.executable} -m checker kata03"
        for environment, coloured in (
            ({"TERM": "xterm"}, True),
            ({"TERM": "xterm", "NO_COLOR": "1"}, False),
            ({"TERM": "dumb"}, False),
        ):
            done = subprocess.run(
                ["script", "-qec", command, "/dev/null"],
                cwd=ROOT,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
            )
            assert (ESCAPE in done.stdout) == coloured


LOOPS = "import time\ndef attention(*inputs):\n    time.sleep(60)\n"


@on_linux
@pytest.mark.parametrize(
    ("name", "status"), [("INT", 130), ("TERM", 143), ("HUP", 129), ("KILL", -9)]
)
def test_a_checker_ended_by_a_signal_leaves_nothing_running(
    name: str, status: int, tmp_path: Path
) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = descendants()
    command = [sys.executable, "-m", "checker", "kata03", "--file", str(tmp_path / "loops.py")]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        wait_for(lambda: len(leaders(run.pid)) >= 2)  # the fork server and a worker
        run.send_signal(getattr(signal, f"SIG{name}"))
        out, err = run.communicate()
    assert (run.returncode, out, err.strip()) == (status, b"", b"")
    wait_for(lambda: descendants() <= before and not list(scratch.iterdir()))


def test_missing_packages_are_reported_with_the_fix(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "checker"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: No module named 'click': this Python lacks a package")
    assert done.stderr.count("\n") == 1


def test_the_next_command_repeats_the_options(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my file.py"
    shutil.copy(ROOT / "katas/kata03.py", file)
    last = run("kata03", "--file", str(file), "--seed", "7").stdout.splitlines()[-1]
    assert f"python -m checker kata03 --file '{file}' --seed 7  (stuck" in last


def test_a_repeated_message_is_shown_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def attention(*inputs): return None\n")
    output = run("kata03", "--file", str(tmp_path / "mine.py")).stdout
    assert output.count("returned None, want (out, weights)") == 1
    assert output.count("the same as above") == 8


@pytest.mark.parametrize("module", ["click.py", "numpy.py", "pytest_timeout.py", "json.py"])
def test_the_current_folder_is_not_imported_from(module: str, place: Path) -> None:
    (place / module).write_text("import os\nprint('PASS', flush=True)\nos._exit(0)\n")
    done = run_process("kata03", cwd=place)
    assert (done.returncode, done.stderr) == (1, "")
    assert "8 of 10 invariants broken" in done.stdout


def shell(command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = command.replace("CHECKER", f"{sys.executable} -m checker")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )


@on_linux
@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        (
            "mkdir gone; cd gone; rmdir ../gone; CHECKER kata03",
            2,
            "the current folder no longer exists",
        ),
        ("CHECKER kata03 > /dev/full", 3, "No space left on device"),
        ("set -o pipefail; CHECKER 3 --file katas/kata03.py | head -1", 1, ""),
        ("CHECKER kata03 <&- >&-", 1, ""),
        ("ulimit -n 20 -t 60; CHECKER kata03", 1, ""),
        ("TMPDIR=$'/tmp/\\xff' CHECKER kata03", 1, ""),
        ("rm katas/kata02.py; ln -s /proc/self/mem katas/kata02.py; CHECKER", 0, ""),
        ("CHECKER kata03 --file $'no\\e[31m\\nfile'", 2, "there is no file no\\x1b[31m\\nfile"),
    ],
)
def test_an_unusual_environment_gives_at_most_one_error_line(
    command: str, status: int, message: str, place: Path
) -> None:
    done = shell(command, place)
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stderr.count("\n")) == (status, 1 if message else 0), done.stderr
    assert message in done.stderr


@on_linux
@pytest.mark.parametrize("mebibytes", [50, 70, 90, 110, 127])
def test_too_little_memory_gives_one_error_line(mebibytes: int) -> None:
    done = shell(f"ulimit -v {mebibytes * 1024}; CHECKER kata03")
    assert done.stderr.startswith("error: this process may take less than 128 MiB: see ulimit -v")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


@pytest.mark.parametrize("command", ["kata03", "verify kata03"])
def test_python_without_docstrings_is_refused(command: str) -> None:
    done = shell(f"PYTHONOPTIMIZE=2 CHECKER {command}")
    assert done.stderr.startswith("error: python -OO removes docstrings")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


@pytest.mark.parametrize(("file", "status"), [("solutions", 0), ("katas", 1)])
def test_a_variable_that_asks_for_a_prompt_does_not_change_the_status(
    file: str, status: int
) -> None:
    done = shell(f"PYTHONINSPECT=1 CHECKER kata03 --file {file}/kata03.py < /dev/null")
    assert (done.returncode, done.stderr) == (status, "")
