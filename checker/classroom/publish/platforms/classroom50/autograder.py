"""What Classroom 50 runs for every submission, in the student's checkout.

Exit status 0: there is a verdict. Any other means an error that is not the student's, and Classroom
50 reports it as such. Nothing is imported from the checkout, as `python -m` would do.
"""

import os
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = str(HERE / "suite")
REQUIREMENTS = HERE / "requirements.txt"


def main() -> int:
    """Write `result.json`: first that nothing was graded, then the result."""
    checkout = Path.cwd()
    os.chdir(HERE)
    sys.path.insert(0, SUITE)
    from checker.classroom.publish.autograde import Assignment

    exported, result = HERE / "export.json", checkout / "result.json"
    assignment = Assignment.load(exported)
    assignment.write_not_graded("classroom50", result, "the environment could not be created")
    path = os.pathsep.join(filter(None, [SUITE, os.environ.get("PYTHONPATH")]))
    os.environ.update(PYTHONPATH=path, PYTHONSAFEPATH="1")
    autograde = ["-m", "checker", "autograde", "classroom50"]
    autograde += [str(exported), str(checkout), str(result)]
    with tempfile.TemporaryDirectory(dir=os.environ.get("RUNNER_TEMP")) as folder:
        python = sys.executable if has_requirements() else environment(folder)
        return subprocess.run([python, *autograde], check=False).returncode


def has_requirements() -> bool:
    """Whether this Python has everything that the suite needs, as an image made for it does."""
    names = re.findall(r"^[\w.-]+", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    try:
        return all(metadata.version(name) for name in names)
    except metadata.PackageNotFoundError:
        return False


def environment(folder: str) -> str:
    """Create an environment with everything that the suite needs; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(REQUIREMENTS)], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
