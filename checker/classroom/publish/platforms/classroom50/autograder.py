"""What Classroom 50 runs for every submission, in the student's checkout.

Status 0: there is a verdict. Any other is an error that is not the student's, and Classroom 50
reports it as such. Nothing is imported from the checkout: Python would, where it runs `-m`.
"""

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = str(HERE / "suite")
NEEDED = ("click", "numpy", "pytest", "pytest_timeout", "watchfiles")


def main() -> int:
    """Write `result.json`: that nothing was graded, and then what came of it."""
    checkout = Path.cwd()
    os.chdir(HERE)
    sys.path.insert(0, SUITE)
    from checker.classroom.publish.autograde import Plan

    plan, result = HERE / "export.json", checkout / "result.json"
    Plan.load(plan).say_not_graded("classroom50", result, "the environment could not be made")
    path = os.pathsep.join(filter(None, [SUITE, os.environ.get("PYTHONPATH")]))
    os.environ.update(PYTHONPATH=path, PYTHONSAFEPATH="1")
    autograde = ["-m", "checker", "autograde", "classroom50", str(plan), str(checkout), str(result)]
    with tempfile.TemporaryDirectory(dir=os.environ.get("RUNNER_TEMP")) as folder:
        ready = all(find_spec(name) for name in NEEDED)  # in an image made for the purpose
        python = sys.executable if ready else environment(folder)
        return subprocess.run([python, *autograde], check=False).returncode


def environment(folder: str) -> str:
    """The Python of a new environment that has what the suite needs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", "requirements.txt"], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
