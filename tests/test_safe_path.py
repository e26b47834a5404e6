"""Nothing in the current folder runs as the grader, whatever it is called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from .benchmarks.classroom import hand_in
from .conftest import ROOT
from .processes import HANG_SECONDS

SCRIPT: Final = """
import sys
from checker.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""
MARK: Final = """
import os
with open({marks!r}, "a") as marks:
    marks.write(__name__ + os.linesep)
"""
GRADE: Final = "grade handed-in"
COMMANDS: Final = {  # those that start processes, with their exit statuses
    "kata03": 1,
    "kata03 --isolation process": 1,
    "hint kata03": 0,
    "trace kata03": 0,
    "doctor": 0,
    GRADE: 0,
    "verify kata01 kata02": 0,
}


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """Where every module of the standard library leaves a mark if the one here is imported."""
    marks = tmp_path / "marks.txt"
    here = tmp_path / "here"
    here.mkdir()
    for name in sys.stdlib_module_names | {"numpy", "click", "pytest", "_pytest", "jinja2"}:
        (here / f"{name}.py").write_text(MARK.format(marks=str(marks)))
    return marks


def command_line(form: str, command: str, here: Path) -> list[str]:
    """A command in one of the safe forms, with the katas beside the folder it is typed in."""
    script, katas = here.parent / "bin" / "attention-katas", here.parent / "katas"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT)
    if not katas.exists():
        shutil.copytree(ROOT / "katas", katas)
    safe = {"script": [str(script)], "module": ["-P", "-m", "checker"]}[form]
    return [sys.executable, *safe, "--root", str(here.parent), *command.split()]


def started(form: str, command: str, here: Path, path: str = str(ROOT)) -> int:
    """The exit status of a command."""
    done = subprocess.run(
        command_line(form, command, here),
        cwd=here,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert "error:" not in done.stderr
    return done.returncode


@pytest.mark.parametrize(
    ("form", "command"),
    [*(("script", command) for command in COMMANDS), ("module", "kata03"), ("module", GRADE)],
)
def test_no_command_imports_from_the_current_folder(form: str, command: str, marks: Path) -> None:
    here = marks.parent / "here"
    hand_in(here / "handed-in", 1)
    assert started(form, command, here) == COMMANDS[command]
    assert not marks.exists(), marks.read_text()


def test_a_platform_imports_nothing_from_the_current_folder(marks: Path) -> None:
    here = marks.parent / "here"
    hand_in(here / "handed-in", 1)
    assert started("script", "export prairielearn exported kata03", here) == 0
    (export,) = here.rglob("export.json")
    command = f"autograde prairielearn {export} handed-in/student00000 result.json"
    assert started("script", command, here) == 0
    assert not marks.exists(), marks.read_text()


def test_watching_imports_nothing_from_the_current_folder(marks: Path) -> None:
    here = marks.parent / "here"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = command_line("script", "watch kata03", here)
    with subprocess.Popen(
        command, cwd=here, env=environment, stdout=subprocess.PIPE, text=True
    ) as watch:
        assert watch.stdout
        assert any("invariants broken" in line for line in watch.stdout)
        watch.terminate()
    assert not marks.exists(), marks.read_text()


@pytest.mark.parametrize("path", ["", ".", "{here}"])
def test_a_python_path_does_not_name_the_current_folder(path: str, marks: Path) -> None:
    """`export PYTHONPATH=$PYTHONPATH:/somewhere` begins with an empty name, which means here."""
    here = marks.parent / "other"
    hand_in(here / "handed-in", 1)
    for name in ("numpy", "click", "multiprocessing", "pickle"):
        shutil.copy(marks.parent / "here" / f"{name}.py", here)
    path = os.pathsep.join([path.format(here=here), str(ROOT)])
    assert started("script", GRADE, here, path) == 0
    assert not marks.exists(), marks.read_text()


def test_python_that_ignores_the_environment_has_to_be_told_itself(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-E",
        "-c",
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{SCRIPT}",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: python -E lets submissions replace modules: add -P")
