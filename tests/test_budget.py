"""One budget of time for everything that is asked of a file, diagnosis included."""

import time
from pathlib import Path
from typing import Final

import pytest

from checker.judge import diagnosis, grading
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox.host.calls import Lost
from checker.sandbox.host.session import BUDGET, OUT_OF_BUDGET, Session

SLOW: Final = """
import time
def attention(q, k, v, keep):
    time.sleep({seconds})
    return v[..., :1, :], keep
"""
KATA: Final = catalog.find("kata03")


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A wrong file that takes 0.1 s a call."""
    file = tmp_path / "slow.py"
    file.write_text(SLOW.format(seconds=0.1))
    return file


def test_requests_that_are_short_enough_one_by_one_use_up_the_budget() -> None:
    with Session("auto", budget=1.0) as session:
        session.load("naps.py", "import time\ndef nap(): time.sleep(0.3)\n")
        for _ in range(3):
            session.allow(0.5)
            session.subject.nap()
        session.allow(0.5)
        with pytest.raises(Lost, match=OUT_OF_BUDGET) as lost:
            session.subject.nap()
    assert lost.value.reason == "time-limit"


def test_a_verdict_says_when_the_budget_was_used_up(slow: Path) -> None:
    (verdict,) = grading.Judge(0, "auto", 2.0, budget=0.5).run([Job(KATA, slow)])
    assert (verdict.status, verdict.reason) == ("error", "time-limit")
    assert verdict.message == OUT_OF_BUDGET


def graded(milliseconds: int) -> Verdict:
    """A verdict that took so long."""
    return Verdict(KATA.name, KATA.title, "", None, "fail", duration_ms=milliseconds)


def test_a_file_without_time_left_is_not_diagnosed(slow: Path) -> None:
    line = diagnosis.diagnose(Job(KATA, slow), verdict=graded(round(1000 * BUDGET)))
    assert line == diagnosis.OUT_OF_TIME


def test_a_diagnosis_takes_what_grading_has_left(slow: Path) -> None:
    diagnosis.known(KATA)
    started = time.process_time()
    line = diagnosis.diagnose(Job(KATA, slow), verdict=graded(round(1000 * (BUDGET - 0.5))))
    assert line == diagnosis.OUT_OF_TIME
    assert time.process_time() - started < 2.0


def test_a_diagnosis_does_not_grade_again(slow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is diagnosed, that is: known bugs are graded once in a process."""
    slow.write_text(KATA.text + "\nX = 1\n")
    verdict = grading.grade(KATA, slow)
    first = diagnosis.diagnose(Job(KATA, slow), verdict=verdict)

    def refuse(*_: object, **__: object) -> Verdict:
        raise AssertionError("graded again")

    monkeypatch.setattr(grading, "grade_all", refuse)
    assert diagnosis.diagnose(Job(KATA, slow), verdict=verdict) == first
    assert first == f"{diagnosis.SHIPPED}: {KATA.bug}"
