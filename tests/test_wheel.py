"""The wheel: one package, with the katas inside it, that works away from a checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from checker.kata import catalog

from .conftest import ROOT, Run


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--disable-pip-version-check", "-w", str(folder), str(ROOT)], check=True
    )
    (wheel,) = folder.glob("attention_katas-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_the_wheel_holds_one_package_and_the_katas(installed: Path) -> None:
    names = {path.name for path in installed.iterdir() if path.suffix != ".dist-info"}
    assert names == {"checker"}
    assert (installed / "checker/py.typed").is_file()
    for folder in ("solutions", "invariants", "domains"):
        assert (installed / "checker" / folder / "kata03.py").is_file()


def test_missing_katas_are_reported(installed: Path, run: Run, tmp_path: Path) -> None:
    for arguments in (["kata03"], []):
        done = run(*arguments, cwd=tmp_path, PYTHONPATH=str(installed))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: there is no folder katas/ in {tmp_path}")


def test_init_creates_a_working_folder(installed: Path, run: Run, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(installed)}
    assert run("init", "mine", cwd=tmp_path, **environment).returncode == 0
    passed = f"0 of {len(catalog.katas())} passed"
    assert passed in run(cwd=tmp_path / "mine", **environment).stdout
    (tmp_path / "mine/katas/kata03.py").write_text((ROOT / "solutions/kata03.py").read_text())
    assert run("3", cwd=tmp_path / "mine", **environment).returncode == 0
    assert "The fault" in run("explain", "3", cwd=tmp_path / "mine", **environment).stdout


def test_the_script_names_itself_in_messages(installed: Path, tmp_path: Path) -> None:
    """As `pipx run` and `uvx` call it: there `python -m checker` would find nothing."""
    script = tmp_path / "attention-katas"
    script.write_text("import sys\nfrom checker.__main__ import main\nsys.exit(main())\n")

    def output(*arguments: str) -> str:
        command = [sys.executable, str(script), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    assert output("init", "mine").endswith("next: cd mine, then attention-katas\n")
    assert "attention-katas watch" in (tmp_path / "mine/README.md").read_text()
    assert output("--root", "mine").endswith("next: attention-katas --root mine kata01\n")
    assert "python -m" not in output("--root", "mine", "explain", "3") + output(
        "--root", "mine", "3"
    )


def test_a_named_file_is_graded(installed: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text((ROOT / "solutions/kata03.py").read_text())
    done = run("kata03", "--file", "mine.py", cwd=tmp_path, PYTHONPATH=str(installed))
    assert (done.returncode, done.stderr) == (0, "")


def test_verify_needs_a_checkout(installed: Path, run: Run, tmp_path: Path) -> None:
    done = run("verify", cwd=tmp_path, PYTHONPATH=str(installed))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: verify needs a checkout")
