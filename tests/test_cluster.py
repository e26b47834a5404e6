"""A class on a cluster: a real scheduler, two worker processes, one of them killed half-way."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .benchmarks.classroom import hand_in
from .conftest import ROOT
from .processes import wait_for
from .test_class import grade

pytest.importorskip("distributed", reason="distributed is not installed")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments]
        command += ["--scheduler-file", str(file), "--no-dashboard"]
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)

    with ExitStack() as stack:
        scheduler = stack.enter_context(start("dask_scheduler", "--port", "0"))
        stack.callback(scheduler.kill)
        worker = ("dask_worker", "--nthreads", "1", "--no-nanny")
        workers = [stack.enter_context(start(*worker)) for _ in range(2)]
        for process in workers:
            stack.callback(process.kill)
        yield _address(file), workers


def _address(file: Path) -> str:
    wait_for(lambda: file.exists() and file.stat().st_size)
    return str(json.loads(file.read_text())["address"])


@pytest.mark.slow
def test_a_lost_worker_loses_no_verdict(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    hand_in(tmp_path / "in", 12, ["kata01", "kata03"])
    journal = tmp_path / "out/journal.jsonl"
    command = [sys.executable, "-m", "checker", "grade", str(tmp_path / "in"), "--seed", "7"]
    command += ["--out", str(tmp_path / "out"), "--cluster", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as grading:
        wait_for(lambda: journal.exists() and journal.read_text().count("\n") > 2)
        workers[0].kill()
        assert grading.poll() is None  # half-way
    assert grading.returncode == 0
    lines = [json.loads(line) for line in journal.read_text().splitlines() if line]
    texts = [(line["kata"], line["content"]) for line in lines]
    assert len(texts) == len(set(texts))  # nothing is graded twice
    assert grade(tmp_path / "in", tmp_path / "here").returncode == 0
    books = [(tmp_path / name / "gradebook.csv").read_bytes() for name in ("out", "here")]
    assert books[0] == books[1]


def test_a_missing_scheduler_is_reported(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", 1, ["kata01"])
    done = grade(tmp_path / "in", tmp_path / "out", "--cluster", "tcp://127.0.0.1:9")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith(
        "error: there is no scheduler at tcp://127.0.0.1:9"
    )
