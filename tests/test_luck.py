"""The same file gets the same verdict: again, on a loaded machine, and in any order."""

import copy
import itertools
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from checker.judge import grading
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.verdict import Verdict
from checker.learner.notebook import NotebookJudge
from checker.proof import seeds
from checker.proof.seeds import unsteady
from checker.sandbox.host.calls import Lost
from checker.sandbox.host.session import SECONDS, Session

from .conftest import ROOT

TIMES, LOADED = 100, 6
KATA = catalog.find("kata03")


@contextmanager
def load(times: int) -> Iterator[None]:
    """Keep every core busy this many times over."""
    burn = [sys.executable, "-c", "while True: pass"]
    burning = [subprocess.Popen(burn) for _ in range(times * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def untimed(verdict: Verdict) -> object:
    """All of a verdict but how long it took."""
    data = verdict.to_json()
    del data["duration_ms"]
    for check in data["checks"]:
        del check["duration_ms"]
    return data


def graded(times: int) -> list[object]:
    jobs = [Job(KATA, KATA.file), Job(KATA, KATA.reference)] * (times // 2)
    return [untimed(verdict) for verdict in grading.grade_all(jobs)]


@pytest.fixture(scope="module")
def once() -> list[object]:
    return graded(2)


def test_a_hundred_gradings_agree(once: list[object]) -> None:
    assert graded(TIMES) == once * (TIMES // 2)


def test_a_loaded_machine_gives_the_same_verdicts(once: list[object]) -> None:
    with load(4):
        assert graded(LOADED) == once * (LOADED // 2)


@pytest.mark.slow
def test_a_loaded_machine_passes_every_right_answer() -> None:
    jobs = [
        Job(kata, min((ROOT / "tests/alternatives" / kata.name).glob("*.py")))
        for kata in catalog.katas().values()
    ]
    with load(2):
        verdicts = grading.grade_all(jobs)
    assert [v.file for v in verdicts if v.status != "pass"] == []


@pytest.mark.skipif(sys.platform != "linux", reason="the wait for a CPU is known on Linux only")
def test_the_wait_for_a_free_cpu_is_not_counted() -> None:
    busy = "import time\nwhile time.process_time() < 1.5: pass\n"
    with load(4), Session("auto") as session:
        started = time.monotonic()
        with suppress(Lost):
            session.load("busy.py", busy)
        assert session.lost is None
        if time.monotonic() - started < SECONDS:
            pytest.skip("this machine had a CPU free all the time")


def test_the_order_of_files_does_not_matter() -> None:
    files = sorted((ROOT / "tests/near_misses/kata03").glob("*.py"))[:5]
    jobs = [Job(KATA, file) for file in files]
    first = {verdict.file: untimed(verdict) for verdict in grading.grade_all(jobs)}
    for order in itertools.islice(itertools.permutations(jobs), 1, 120, 40):
        assert {v.file: untimed(v) for v in grading.grade_all(order)} == first


@pytest.mark.slow
@pytest.mark.parametrize("kata", list(catalog.katas().values())[::4], ids=lambda kata: kata.name)
def test_another_seed_changes_no_verdict(kata: Kata) -> None:
    """One other seed, for every fourth kata; `verify --seeds` tries all."""
    assert unsteady(kata, [int(kata.name[-2:])]) == []


def test_stored_answers_pass_with_one_seed_only() -> None:
    right = runpy.run_path(str(KATA.reference))["attention"]
    stored: dict[object, Any] = {}

    def key(inputs: tuple[Any, ...]) -> object:
        return [(array.shape, array.tobytes()) for array in inputs].__repr__()

    def store(*inputs: Any) -> Any:
        stored[key(inputs)] = right(*inputs)
        return right(*inputs)

    def recall(*inputs: Any) -> Any:
        return copy.deepcopy(stored[key(inputs)])

    assert [status(store, 0), status(recall, 0), status(recall, 1)] == ["pass", "pass", "fail"]


def status(function: Callable[..., Any], seed: int) -> str:
    """The status of a verdict on a function of this process."""
    function.__name__ = "attention"
    judge = NotebookJudge((function,))
    judge.seed = seed
    (verdict,) = judge.run([Job(KATA, Path("here"))])
    return verdict.status


def test_a_verdict_that_depends_on_the_seed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kata, "near_misses", property(lambda kata: [kata.reference]))
    monkeypatch.setattr(seeds, "alternatives", lambda kata: [kata.file])
    monkeypatch.setattr(seeds, "SAMPLE", 1000)
    found = unsteady(KATA, [3])
    assert found == [f"kata03: kata03.py gives {it} with seed 3" for it in ("pass", "fail")]


SLOW = "import time\n\ndef attention(*inputs):\n    time.sleep(1)\n    return right(*inputs)\n"


def test_the_time_limit_scales_with_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may be as slow as the reference on this machine, and no slower."""
    monkeypatch.setattr(grading, "SECONDS", 0.0005)  # as on a machine too slow for any invariant
    assert grading.grade(KATA, KATA.reference).status == "pass"
    slow = tmp_path / "slow.py"
    slow.write_text(KATA.reference.read_text().replace("def attention", "def right") + SLOW)
    assert grading.grade(KATA, slow).reason == "time-limit"
