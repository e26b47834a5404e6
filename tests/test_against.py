"""Comparing the run of one file with that of another."""

import json
from pathlib import Path

import pytest

from checker.kata import catalog
from checker.learner.against import compared
from checker.learner.trace import record

from .conftest import ROOT, Run, solve

KATA = catalog.find("kata03")
REFERENCE = (ROOT / "solutions/kata03.py").read_text()


def text(mine: str, other: str, folder: Path) -> str:
    for name, source in ("mine.py", mine), ("other.py", other):
        (folder / name).write_text(source)
    first, second = (record(KATA, folder / name) for name in ("mine.py", "other.py"))
    against = compared(first, second, "other.py").against
    assert against
    return against.text


def test_the_first_line_that_differs_is_named_with_both_values(run: Run, place: Path) -> None:
    wrong = (ROOT / "katas/kata03.py").read_text().replace("* keep", "* ~keep")
    (place / "other.py").write_text(wrong)
    shown = run("trace", "3", "--against", "other.py", cwd=place).stdout
    assert shown.splitlines()[1] == (
        "line 41 is the first that differs from other.py: weights at [0, 0] is 0.0543127, there 0"
    )


def test_a_shape_that_differs_is_named(tmp_path: Path) -> None:
    shape = REFERENCE.replace("weights = ", "weights = 1 * ").replace("matmul(q,", "matmul(q[:1],")
    assert text(shape, REFERENCE, tmp_path).endswith(
        "scores is of shape (1, 3), there of shape (3, 3)"
    )


def test_what_a_function_is_given_differs_where_it_is_called(tmp_path: Path) -> None:
    called = REFERENCE.replace("np.where(keep, scores, -np.inf)", "np.where(keep, scores, -99.0)")
    line = called.splitlines().index("    weights = softmax(np.where(keep, scores, -99.0))") + 1
    assert text(called, REFERENCE, tmp_path) == (
        f"line {line} is the first that differs from other.py: "
        "scores, given to softmax, at [0, 2] is -99, there -inf"
    )


def test_other_names_and_rounding_do_not_differ(tmp_path: Path) -> None:
    other = REFERENCE.replace(
        "exp / np.sum(exp, axis=-1, keepdims=True)", "exp * (1 / exp.sum(-1)[..., None])"
    )
    assert text(
        other.replace("exp", "e").replace("np.e(", "np.exp("), REFERENCE, tmp_path
    ).startswith("no value differs from other.py, of ")


def test_what_stopped_the_other_file_is_said(tmp_path: Path) -> None:
    broken = REFERENCE.replace("return weights @ v, weights", "return nothing")
    assert "; it stopped: line " in text(REFERENCE, broken, tmp_path)


@pytest.mark.parametrize("name", ["reference", str(ROOT / "solutions/kata03.py")])
def test_the_reference_is_refused_before_a_pass(name: str, run: Run, place: Path) -> None:
    done = run("trace", "3", "--against", name, cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: kata03 is not passed yet")


def test_the_reference_is_compared_after_a_pass(run: Run, place: Path) -> None:
    solve(place, "kata03")
    assert run("kata03", cwd=place).returncode == 0
    same = run("trace", "3", "--against", "reference", cwd=place).stdout
    assert "no value differs from the reference, of " in same
    file = place / "katas/kata03.py"
    file.write_text((ROOT / "katas/kata03.py").read_text())
    data = json.loads(run("trace", "3", "--against", "reference", "--json", cwd=place).stdout)
    assert data["against"]["line"] == 41


def test_a_missing_file_is_a_usage_error(run: Run, place: Path) -> None:
    done = run("trace", "3", "--against", "nothing.py", cwd=place)
    assert (done.returncode, done.stderr) == (2, "error: there is no file nothing.py\n")
