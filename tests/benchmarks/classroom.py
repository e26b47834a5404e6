"""A class of 200 students and six katas, graded; beside it a process of pytest a submission.

`python -m tests.benchmarks.classroom [STUDENTS]`. One run: the class, a second run over the same
folder, the peak memory of all processes, and the same invariants without isolation.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from checker.kata import catalog

from .__main__ import ROOT, _below, _own_memory

KATAS: Final = [f"kata{number:02}" for number in range(1, 7)]
SAMPLE: Final = 24  # submissions that are also given to pytest
HOSTILE: Final = [
    "import sys; sys.exit(0)\n",
    "import os; os._exit(0)\n",
    "print('PASS ' * 10**6)\n",
    "import checker.solutions\n",
    "class Yes:\n    __eq__ = lambda *_: True\ndef attention(*_): return Yes(), Yes()\n",
    "while True: pass\n",
]

PLUGIN: Final = """
import importlib.util, os
import numpy as np, pytest

@pytest.fixture
def subject():
    spec = importlib.util.spec_from_file_location("subject", os.environ["SUBJECT"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

@pytest.fixture
def rngs():
    return [np.random.default_rng([0, draw]) for draw in range(2)]
"""


def hand_in(folder: Path, students: int, katas: list[str] = KATAS) -> int:
    """Right, wrong, broken and hostile files of a class, hardly two alike; how many there are."""
    number = 0
    for i in range(students):
        for j, kata in enumerate(katas):
            file = folder / f"student{i:05}" / f"{kata}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_text(kata, i, 7 * i + 3 * j))
            number += 1
    return number


def _text(kata: str, student: int, number: int) -> str:
    kind = number % 20
    if kind < 8:
        right = [catalog.find(kata).reference, *_files("alternatives", kata)]
        return f"{right[number % len(right)].read_text()}# {student}\n"
    if kind < 15:
        wrong = _files("near_misses", kata)
        return f"{wrong[number % len(wrong)].read_text()}# {student}\n"
    if kind < 18:
        return catalog.find(kata).text
    if kind == 18:
        return f"def attention(q, k, v:  # {student}\n    return v\n"
    return HOSTILE[number % 7 % len(HOSTILE)] + f"# {student}\n"


def _files(folder: str, kata: str) -> list[Path]:
    return sorted((ROOT / "tests" / folder / kata).glob("*.py"))


def peak_of(command: list[str]) -> tuple[float, float]:
    """Seconds that a command takes, and the most MB that it and those below have at a time."""
    highest = 0.0
    started = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as run:
        while run.poll() is None:
            highest = max(highest, sum(_own_memory(pid) for pid in [run.pid, *_below(run.pid)]))
            time.sleep(0.5)
    assert run.returncode == 0, run.returncode
    return time.perf_counter() - started, highest


def by_pytest(files: list[Path], folder: Path) -> float:
    """Seconds for a process of pytest a submission, with no plugins, one after another."""
    (folder / "plugin.py").write_text(PLUGIN)
    started = time.perf_counter()
    for file in files:
        invariants = str(catalog.find(file.stem).invariants)
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "plugin", invariants],
            env={
                **os.environ,
                "SUBJECT": str(file),
                "PYTHONPATH": f"{folder}:{ROOT}",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
            cwd=folder,
            stdout=subprocess.DEVNULL,
            check=False,
        )
    return time.perf_counter() - started


def main() -> None:
    students = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        number = hand_in(folder / "in", students)
        command = [sys.executable, "-m", "checker", "grade", str(folder / "in")]
        command += ["--out", str(folder / "out"), "--seed", "0"]
        first, memory = peak_of(command)
        again, _ = peak_of(command)
        honest = [
            file
            for file in sorted((folder / "in").rglob("*.py"))
            if file.read_text().startswith('"""')
        ]
        sample = honest[:: len(honest) // SAMPLE]
        each = by_pytest(sample, folder) / len(sample)
    print(
        f"{number} submissions of {students} students: {first:.1f} s, {number / first:.1f} a second"
    )
    print(f"a process of pytest a submission: {1 / each:.2f} a second")
    print(f"so {each * number / first:.1f} times as many")
    print(f"the second run: {again:.1f} s; peak memory {memory:.0f} MB")


if __name__ == "__main__":
    assert threading.active_count() == 1
    main()
