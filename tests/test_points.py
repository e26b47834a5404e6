"""Points are earned by right answers: not by their real part, an empty array or an early end."""

from pathlib import Path
from typing import Final

import pytest

from checker.judge import grading
from checker.judge.job import Job
from checker.kata import catalog
from checker.proof import contract

WAYS: Final = {  # what is returned in the place of a right array
    "the first part": "a[:0]",
    "nothing": "np.empty(0)",
    "a numpy scalar": "np.float64(a.ravel()[0])",
    "a number": "0.0",
    "an array without axes": "np.array(a.ravel()[0])",
    "one axis more": "a[None]",
    "one column": "a.reshape(-1, 1)",
    "one value": "a.ravel()[:1]",
    "a long row": "np.zeros((1, 20_000))",
    "a long column": "np.zeros((20_000, 1))",
    "a complex array with the right real part": "a + 1j * (1 + a)",
    "a list": "a.tolist()",
    "an array of objects": "a.astype(object)",
    "text": "str(a)",
    "None": "None",
}
SPOILED: Final = """
import numpy as np

def _spoiled(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(_spoiled, value))
    a = np.asarray(value)
    return WAY

def _spoil(function):
    return lambda *inputs: _spoiled(function(*inputs))

for _name in NAMES:
    globals()[_name] = _spoil(globals()[_name])
"""


def spoiled(kata: catalog.Kata, way: str) -> str:
    """The reference of a kata, with something else in the place of what the contract promises."""
    names = list(contract.read(kata.text.split('"""')[1]))
    tail = SPOILED.replace("WAY", way).replace("NAMES", repr(names))
    return kata.reference.read_text(encoding="utf-8") + tail


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.katas())
def test_a_right_answer_in_another_form_earns_nothing(name: str, tmp_path: Path) -> None:
    kata, jobs = catalog.find(name), []
    for number, (form, way) in enumerate(WAYS.items()):
        file = tmp_path / f"{number}.py"
        file.write_text(spoiled(kata, way))
        jobs.append(Job(kata, file, form))
    verdicts = grading.grade_all(jobs)
    assert {verdict.file: verdict.score for verdict in verdicts if verdict.score} == {}
    assert "pass" not in {verdict.status for verdict in verdicts}


ENDS: Final = """
import os
_call, _calls = {name}, 0
def {name}(*inputs):
    global _calls
    _calls += 1
    if _calls > {calls}:
        {end}
    return _call(*inputs)
"""


def score_after(calls: int, end: str, tmp_path: Path) -> int:
    """The score of a right kata 03 that does something else after a number of calls."""
    kata, file = catalog.find("kata03"), tmp_path / "ends.py"
    tail = ENDS.format(name="attention", calls=calls, end=end)
    file.write_text(kata.reference.read_text(encoding="utf-8") + tail)
    return grading.grade(kata, file).score


@pytest.mark.parametrize("calls", [2, 5, 8, 12, 20])
@pytest.mark.parametrize("end", ["os._exit(0)", "os.abort()", "raise MemoryError", "exit()"])
def test_ending_early_earns_no_more_than_a_wrong_answer(
    end: str, calls: int, tmp_path: Path
) -> None:
    wrong = score_after(calls, "return None", tmp_path)
    assert score_after(calls, end, tmp_path) <= wrong
