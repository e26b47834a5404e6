"""Exported autograders, run in folders like those of each platform."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.classroom.publish.autograde import Assignment, autograde, find_file
from checker.classroom.publish.export import autograder as exported
from checker.classroom.publish.export import write_export
from checker.errors import NotGraded
from checker.judge import start
from checker.kata import catalog
from checker.kata.source import BadSource
from checker.sandbox.host.processes import FORKS

from .conftest import ROOT, Run
from .test_reports import ENVIRONMENT, classroom50, gradescope, prairielearn

Json = dict[str, Any]
RIGHT, WRONG, HOSTILE, LINK, MISSING = NAMES = ["kata03", "kata05", "kata06", "kata07", "kata08"]
HOSTILE_CODE = "import os, sys\nprint('100 of 100 points')\nsys.stdout.flush()\nos._exit(0)\n"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the scripts are for a POSIX shell")


def katas(*names: str) -> list[catalog.Kata]:
    return [catalog.find(name) for name in names]


def made(platform: str, *names: str, **options: Any) -> dict[str, bytes]:
    return exported(platform, katas(*names), Assignment(list(names), **options))


def hand_in(folder: Path, suite: Path) -> None:
    """A right file, a wrong one, a hostile one and a link to a solution; one kata is missing."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / f"{RIGHT}.py", folder)
    shutil.copy(ROOT / "katas" / f"{WRONG}.py", folder)
    (folder / f"{HOSTILE}.py").write_text(HOSTILE_CODE)
    (folder / f"{LINK}.py").symlink_to(suite / "checker" / "solutions" / f"{LINK}.py")
    for module in ("json", "click", "venv", "checker"):  # to be imported instead of ours
        (folder / f"{module}.py").write_text("raise SystemExit('imported from the submission')\n")


def snapshot(folder: Path) -> set[Path]:
    """Every file, except Python's caches."""
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


def shell(command: list[str | Path], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **OFFLINE, **more}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=110
    )


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gradescope's /autograder after the image was built.

    pip finds all that it is to install on the path of this test's own environment; that
    environment is then put where pip would have put the packages.
    """
    root = tmp_path_factory.mktemp("autograder")
    write_export(root / "upload.zip", made("gradescope", *NAMES))
    with zipfile.ZipFile(root / "upload.zip") as archive:
        archive.extractall(root / "source")
        assert archive.getinfo("setup.sh").external_attr >> 16 & 0o111
    shutil.copy(root / "source" / "run_autograder", root)
    packages = sysconfig.get_path("purelib")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = shell(
        ["bash", root / "source" / "setup.sh"], root / "source",
        AUTOGRADER_ROOT=str(root), PYTHONPATH=packages, PATH=path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    (site,) = (root / "venv").glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n")
    return root


@pytest.fixture(scope="module")
def gradescope_run(autograder: Path) -> tuple[subprocess.CompletedProcess[str], Json]:
    """The result of one submission, from `run_autograder`."""
    hand_in(autograder / "submission", autograder / "source" / "suite")
    assert (autograder / "submission" / f"{LINK}.py").is_file()
    (autograder / "results").mkdir()
    before = snapshot(autograder)
    done = shell(
        ["bash", autograder / "run_autograder"], autograder, AUTOGRADER_ROOT=str(autograder)
    )
    assert snapshot(autograder) - before == {autograder / "results" / "results.json"}
    return done, gradescope((autograder / "results" / "results.json").read_text())


def points(tests: list[Json], kata: str) -> int:
    return sum(test["score"] for test in tests if test["name"].startswith(kata))


def of(output: str, kata: str) -> str:
    """What the output says about a kata, without its title."""
    (line,) = re.findall(rf"^{kata} [^:]*: (.*)$", output, re.MULTILINE)
    return str(line)


def test_gradescope_ends_with_status_zero(
    gradescope_run: tuple[subprocess.CompletedProcess[str], Json],
) -> None:
    assert (gradescope_run[0].returncode, gradescope_run[0].stderr) == (0, "")


@pytest.mark.parametrize(
    ("kata", "score", "told"),
    [(RIGHT, 100, "all 10 invariants kept"), (WRONG, 0, "of 12 invariants broken"),
     (HOSTILE, 0, r"could not be run \(exited\)"), (LINK, 0, "kata07.py is a link"),
     (MISSING, 0, "there is no kata08.py")],
)  # fmt: skip
def test_gradescope_reports_each_kata(
    kata: str, score: int, told: str,
    gradescope_run: tuple[subprocess.CompletedProcess[str], Json],
) -> None:  # fmt: skip
    result = gradescope_run[1]
    assert re.search(told, of(result["output"], kata))
    assert points(result["tests"], kata) == score


def test_gradescope_shows_students_no_numbers(
    gradescope_run: tuple[subprocess.CompletedProcess[str], Json],
) -> None:
    assert not re.search(r"got .*, want|100 of 100 points\"", json.dumps(gradescope_run[1]))


@pytest.mark.skipif(not FORKS, reason="strict is for Linux")
def test_gradescope_logs_the_isolation(
    gradescope_run: tuple[subprocess.CompletedProcess[str], Json],
) -> None:
    assert re.fullmatch(r"isolation: \w+ \(has: .*; lacks: .*\)\n", gradescope_run[0].stdout)


def test_gradescope_without_its_environment_has_a_result(autograder: Path, tmp_path: Path) -> None:
    shutil.copytree(autograder / "source", tmp_path / "source")
    done = shell(["bash", tmp_path / "source" / "run_autograder"], tmp_path,
                 AUTOGRADER_ROOT=str(tmp_path))  # fmt: skip
    assert done.returncode == 0
    result = gradescope((tmp_path / "results" / "results.json").read_text())
    assert "could not be graded (a checker problem, not yours)" in of(result["output"], RIGHT)
    assert all("not-graded" in test["tags"] for test in result["tests"])


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A student's repository, with the bundle beside it."""
    write_export(tmp_path / "export", made("classroom50", *NAMES))
    hand_in(tmp_path / "checkout", tmp_path / "export" / "bundle" / "suite")
    (tmp_path / "outside").write_text("as it was\n")
    (tmp_path / "checkout" / "result.json").symlink_to(tmp_path / "outside")
    return tmp_path / "checkout"


def classroom(
    checkout: Path, *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the entry point as runner.py does: in the checkout, with the submission's environment."""
    script = checkout.parent / "export" / "bundle" / "autograder.py"
    return shell([sys.executable, *options, script], checkout, **ENVIRONMENT, **environment)


def test_classroom50_grades_a_checkout(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(checkout.parent)
    done = classroom(checkout)
    assert (done.returncode, done.stderr) == (0, "")
    assert snapshot(checkout.parent) == before
    assert not (checkout / "result.json").is_symlink()
    assert (checkout.parent / "outside").read_text() == "as it was\n"
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    result = classroom50((checkout / "result.json").read_text())
    assert (result["score"], result["max-score"]) == (100, 500)
    passed = {test["test-name"][:6] for test in result["tests"] if test["score"]}
    assert passed == {RIGHT}


def test_classroom50_without_an_environment_ends_with_status_1(checkout: Path) -> None:
    done = classroom(checkout, "-S", RUNNER_TEMP=str(checkout / "is not there"))
    assert done.returncode == 1
    result = classroom50((checkout / "result.json").read_text())
    assert result["score"] == 0
    assert "could not be graded" in result["tests"][0]["message"]


@pytest.fixture
def grade(tmp_path: Path) -> Path:
    """PrairieLearn's /grade, with the image's files beside it."""
    write_export(tmp_path / "katas", made("prairielearn", RIGHT, WRONG, HOSTILE))
    hand_in(tmp_path / "grade" / "student", tmp_path / "katas" / "suite")
    return tmp_path / "grade"


def prairie(grade: Path, python: Path) -> Json:
    """What the entry point of the image writes, with the `python3` of this folder."""
    home = grade.parent / "katas"
    done = shell([home / "run.sh"], grade, KATAS_HOME=str(home), GRADE_ROOT=str(grade),
                 PATH=f"{python}{os.pathsep}/usr/bin{os.pathsep}/bin")  # fmt: skip
    assert done.returncode == 0
    return prairielearn((grade / "results" / "results.json").read_text())


def test_prairielearn_grades_what_was_handed_in(grade: Path) -> None:
    result = prairie(grade, Path(sys.executable).parent)
    assert (result["gradable"], result["score"]) == (True, pytest.approx(1 / 3))
    assert {test["name"][:6] for test in result["tests"] if test["points"] > 0} == {RIGHT}


def test_prairielearn_does_not_count_an_attempt_for_a_missing_file(grade: Path) -> None:
    (grade / "student" / f"{WRONG}.py").unlink()
    result = prairie(grade, Path(sys.executable).parent)
    assert (result["gradable"], result["score"]) == (False, 0)
    assert result["format_errors"] == [f"{WRONG}: there is no {WRONG}.py"]


def test_prairielearn_without_python_has_a_result(grade: Path, tmp_path: Path) -> None:
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / "python3").chmod(0o755)
    result = prairie(grade, tmp_path)
    assert result["gradable"] is False
    assert all("could not be graded" in error for error in result["format_errors"])


def test_the_image_copies_only_files_that_exist() -> None:
    there = made("prairielearn", RIGHT)
    lines = there["Dockerfile"].decode().splitlines()
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert len(copied) >= 4
    assert [
        n for n in copied if n not in there and not any(f.startswith(f"{n}/") for f in there)
    ] == []


def test_the_image_is_named_in_info() -> None:
    options = json.loads(made("prairielearn", *NAMES)["info.json"])["externalGradingOptions"]
    assert options["enabled"] is True
    assert options["entrypoint"] == "/katas/run.sh"
    assert options["timeout"] <= 600


@pytest.mark.parametrize("platform", ["gradescope", "classroom50", "prairielearn"])
def test_nothing_hidden_about_other_katas_is_exported(platform: str) -> None:
    names = {Path(name) for name in made(platform, RIGHT)}
    hidden = [n for n in names if n.parent.name in ("invariants", "solutions", "domains")]
    assert {n.name for n in hidden if n.stem.startswith("kata")} == {f"{RIGHT}.py"}
    assert len(hidden) >= 3


def fail_with(error: BaseException) -> Callable[..., None]:
    def rehearse(*_: object) -> None:
        raise error

    return rehearse


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder with a right file in it."""
    shutil.copy(ROOT / "solutions" / f"{RIGHT}.py", tmp_path)
    return tmp_path


def test_a_failure_of_the_checker_is_reported(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "rehearse", fail_with(MemoryError()))
    assert autograde("gradescope", Assignment([RIGHT]), handed_in, handed_in / "r.json") is False
    result = gradescope((handed_in / "r.json").read_text())
    assert "the checker failed (MemoryError)" in of(result["output"], RIGHT)


def test_an_interruption_is_reported(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "rehearse", fail_with(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        autograde("prairielearn", Assignment([RIGHT]), handed_in, handed_in / "r.json")
    result = prairielearn((handed_in / "r.json").read_text())
    assert "the checker was stopped before it finished" in result["format_errors"][0]


def test_a_judge_that_does_not_work_grades_nothing(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = NotGraded("fail for a right file, error for a wrong one")
    monkeypatch.setattr(start, "rehearse", fail_with(wrong))
    assert autograde("gradescope", Assignment([RIGHT]), handed_in, handed_in / "r.json") is False
    assert "fail for a right file" in (handed_in / "r.json").read_text()


@pytest.mark.parametrize(
    ("there", "found"),
    [(["kata03.py", "old/kata03.py"], "kata03.py"),
     (["katas/kata03.py", "old/kata03.py"], "katas/kata03.py"),
     (["ps1/Kata03.py"], "ps1/Kata03.py"),
     (["ps1/kata03.py", "__MACOSX/kata03.py", ".git/kata03.py"], "ps1/kata03.py")],
)  # fmt: skip
def test_a_file_is_found(there: list[str], found: str, tmp_path: Path) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert find_file(tmp_path, "kata03.py") == tmp_path / found


@pytest.mark.parametrize(
    ("there", "told"),
    [([], "there is no kata03.py"), (["a/kata03.py", "b/kata03.py"], "2 files called kata03")],
)  # fmt: skip
def test_an_ambiguous_or_missing_file_is_an_error(
    there: list[str], told: str, tmp_path: Path
) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(BadSource, match=told):
        find_file(tmp_path, "kata03.py")


@pytest.mark.parametrize("link", ["kata03.py", "katas"])
def test_links_are_not_followed(link: str, tmp_path: Path) -> None:
    target = ROOT / "solutions"
    (tmp_path / link).symlink_to(target / link if link.endswith(".py") else target)
    with pytest.raises(BadSource):
        find_file(tmp_path, "kata03.py")


def test_a_submission_with_too_many_files_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.classroom.publish.autograde.ENTRIES", 3)
    for i in range(4):
        (tmp_path / f"{i}").touch()
    with pytest.raises(BadSource, match="more than 3 files"):
        find_file(tmp_path, "kata03.py")


@pytest.mark.parametrize("platform", ["gradescope", "classroom50", "prairielearn"])
def test_the_command_writes_an_export(platform: str, run: Run, tmp_path: Path) -> None:
    to = tmp_path / "for them"
    done = run("export", platform, str(to), "3", "--seed", "7", "--isolation", "strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 kata, 100 points, seed 7: written to ")
    assert any(to.iterdir())


def test_the_options_of_the_command_are_in_the_export(run: Run, tmp_path: Path) -> None:
    options = ["--seed", "7", "--isolation", "strict", "--numbers"]
    assert run("export", "prairielearn", str(tmp_path / "out"), "3", "5", *options).returncode == 0
    exported = json.loads((tmp_path / "out/export.json").read_text())
    assert exported == {
        "katas": ["kata03", "kata05"],
        "seed": 7,
        "exam": False,
        "isolation": "strict",
    }


def test_the_command_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.zip").touch()
    done = run("export", "gradescope", str(tmp_path / "a.zip"), "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {tmp_path}/a.zip already exists: choose another name\n"
    assert (tmp_path / "a.zip").read_bytes() == b""
