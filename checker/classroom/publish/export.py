"""Export an autograder for a platform: the suite, and the scripts that the platform runs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from checker.classroom.publish.autograde import Assignment
from checker.classroom.publish.dependencies import dependencies
from checker.errors import CheckerError
from checker.files import PLAIN_FILE, SCRIPT, create, zipped
from checker.kata.catalog import PACKAGE, Kata
from checker.reports import FORMATS

FOLDER: Final = Path(__file__).with_name("platforms")
SCRIPTS: Final = {"setup.sh", "run_autograder", "run.sh", "autograder.py"}
PER_KATA: Final = {"invariants", "domains", "solutions"}
NOT_STARTED: Final = "the checker could not be started"
SECONDS: Final = 20  # per kata on a slow machine
MAX_SECONDS: Final = 600  # PrairieLearn's limit

Files = dict[str, bytes]  # by path


class CannotExport(CheckerError):
    """The export is not written; the message says why."""


def autograder(platform: str, katas: Sequence[Kata], assignment: Assignment) -> Files:
    """All files for the platform; they include the katas' solutions and invariants."""
    contract = {
        file.name: file.read_bytes() for file in (FOLDER / platform).iterdir() if file.is_file()
    }
    grader = {
        "export.json": assignment.text.encode(),
        "requirements.txt": "".join(f"{line}\n" for line in dependencies()).encode(),
        **_suite(katas),
    }
    if platform == "classroom50":
        grader["autograder.py"] = contract.pop("autograder.py")
        return {**contract, **{f"bundle/{name}": data for name, data in grader.items()}}
    not_started = FORMATS[platform](assignment.not_graded(NOT_STARTED), exam=False)
    grader["not-graded.json"] = not_started.encode()
    if platform == "prairielearn":
        grader["info.json"] = _info(len(katas)).encode()
    return {**contract, **grader}


def write_export(to: Path, files: Files) -> None:
    """Write the files into a folder, or a zip if the name says so. Raises `CannotExport`."""
    try:
        if to.suffix == ".zip":
            create(to, zipped(files, _mode))
        else:
            for name, data in files.items():
                create(to / name, data)
                (to / name).chmod(_mode(name))
    except FileExistsError as error:
        raise CannotExport(f"{error.filename} already exists: choose another name") from None
    except OSError as error:
        raise CannotExport(f"{error.filename} cannot be written: {error.strerror}") from None


def _suite(katas: Sequence[Kata]) -> Files:
    """The checker's source, without invariants, domains and solutions of other katas."""
    names = {f"{kata.name}.py" for kata in katas}
    found = {f"suite/checker/solutions/{kata.name}.py": kata.reference for kata in katas}
    for file in sorted(PACKAGE.rglob("*")):
        inside = file.relative_to(PACKAGE)
        of_another = (
            inside.parts[0] in PER_KATA and file.stem.startswith("kata") and file.name not in names
        )
        if file.is_file() and "__pycache__" not in inside.parts and not of_another:
            found[f"suite/checker/{inside.as_posix()}"] = file
    return {name: file.read_bytes() for name, file in found.items()}


def _info(katas: int) -> str:
    """The part of a question's `info.json` that names the grader's image."""
    options = {
        "enabled": True,
        "image": "YOURS/attention-katas",
        "entrypoint": "/katas/run.sh",
        "timeout": min(MAX_SECONDS, 30 + SECONDS * katas),
        "enableNetworking": False,
    }
    info = {"gradingMethod": "External", "externalGradingOptions": options}
    return json.dumps(info, indent=2) + "\n"


def _mode(name: str) -> int:
    return SCRIPT if name.rpartition("/")[2] in SCRIPTS else PLAIN_FILE
