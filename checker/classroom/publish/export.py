"""What a platform takes to grade katas by itself: the suite, and the scripts of its contract."""

import io
import json
import stat
import tomllib
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from checker.classroom.publish.autograde import Plan
from checker.kata.catalog import PACKAGE, Kata
from checker.reports import FORMATS

FOLDER: Final = Path(__file__).with_name("platforms")
SCRIPTS: Final = {"setup.sh", "run_autograder", "run.sh", "autograder.py"}
OF_KATAS: Final = {"invariants", "domains", "solutions"}
NEVER: Final = "the checker could not be started"
SECONDS: Final = 20  # a kata, on a slow machine; PrairieLearn's limit is 600 in all

Files = dict[str, bytes]


def files(platform: str, katas: Sequence[Kata], plan: Plan) -> Files:
    """All files for the platform by name. They carry the solutions and invariants of the katas."""
    own = {file.name: file.read_bytes() for file in (FOLDER / platform).iterdir() if file.is_file()}
    grader = {
        "export.json": plan.text.encode(),
        "requirements.txt": "".join(f"{line}\n" for line in _requirements()).encode(),
        **_suite(katas),
    }
    if platform == "classroom50":
        grader["autograder.py"] = own.pop("autograder.py")
        return {**own, **{f"bundle/{name}": data for name, data in grader.items()}}
    grader["not-graded.json"] = FORMATS[platform](plan.not_graded(NEVER)).encode()
    if platform == "prairielearn":
        grader["info.json"] = _info(len(katas)).encode()
    return {**own, **grader}


def write_folder(folder: Path, made: Files) -> None:
    """Write the files into a folder. Raises `FileExistsError` where one is there already."""
    for name, data in made.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "xb") as new:
            new.write(data)
        file.chmod(_mode(name))


def write_zip(file: Path, made: Files) -> None:
    """Write a zip with the files at its root. Raises `FileExistsError`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(made.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, or the modes are not read
            entry.external_attr = (stat.S_IFREG | _mode(name)) << 16
            archive.writestr(entry, data)
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "xb") as new:
        new.write(packed.getvalue())


def _suite(katas: Sequence[Kata]) -> Files:
    """The checker's source, but of the other katas neither invariants nor solutions."""
    names = {f"{kata.name}.py" for kata in katas}
    found = {f"suite/checker/solutions/{kata.name}.py": kata.reference for kata in katas}
    for file in sorted(PACKAGE.rglob("*")):
        inside = file.relative_to(PACKAGE)
        of_another = (
            inside.parts[0] in OF_KATAS and file.stem.startswith("kata") and file.name not in names
        )
        if file.is_file() and "__pycache__" not in inside.parts and not of_another:
            found[f"suite/checker/{inside.as_posix()}"] = file
    return {name: file.read_bytes() for name, file in found.items()}


def _requirements() -> list[str]:
    """What the suite depends on, from the checkout or from what was installed."""
    project = PACKAGE.parent / "pyproject.toml"
    if project.is_file():
        read = tomllib.loads(project.read_text(encoding="utf-8"))
        dependencies: list[str] = read["project"]["dependencies"]
        return dependencies
    return [line for line in metadata.requires("attention-katas") or [] if "extra ==" not in line]


def _info(katas: int) -> str:
    """The part of a question's `info.json` that names the image."""
    options = {
        "enabled": True,
        "image": "YOURS/attention-katas",
        "entrypoint": "/katas/run.sh",
        "timeout": min(600, 30 + SECONDS * katas),
        "enableNetworking": False,
    }
    info = {"gradingMethod": "External", "externalGradingOptions": options}
    return json.dumps(info, indent=2) + "\n"


def _mode(name: str) -> int:
    return 0o755 if name.rpartition("/")[2] in SCRIPTS else 0o644
