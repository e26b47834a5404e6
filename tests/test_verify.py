"""The suite's proof of itself, and that the proof notices what it is there to notice."""

import shutil
from pathlib import Path

import pytest

from checker import catalog, verify
from checker.catalog import Kata

from .conftest import ROOT, Run


def test_every_kata_is_proved(run: Run) -> None:
    done = run("verify")
    assert done.stdout.count("ok\n") == len(catalog.katas())
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(catalog.katas())} katas proved" in done.stdout


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of kata 03 to spoil, and verify looking at it."""
    for folder in ("katas", "solutions", "tests/near_misses/kata03", "tests/alternatives/kata03"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.setattr(verify, "TESTS", tmp_path / "tests")
    monkeypatch.setattr(catalog, "workplace", lambda: tmp_path)
    monkeypatch.setattr(catalog, "_beside", lambda folder: tmp_path / folder)
    return tmp_path


@pytest.fixture
def kata() -> Kata:
    return catalog.find("kata03")


def problems(kata: Kata) -> str:
    return "\n".join(verify.prove(kata)[1])


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_an_untouched_copy_has_no_problem(copy: Path, kata: Kata) -> None:
    assert problems(kata) == ""


def test_a_kata_that_is_not_broken_is_named(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.reference, kata.file)
    found = problems(kata)
    assert "the shipped kata gives pass, want fail" in found
    assert "kata and reference differ by 0 lines" in found


def test_a_kata_that_crashes_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "softmax(scores) * keep", "softmax(scores) * keep.nothing")
    assert "stops instead of giving a wrong answer" in problems(kata)


def test_a_wrong_reference_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.reference, "-np.inf", "-1.0")
    assert "the reference gives fail" in problems(kata)


def test_a_near_miss_that_is_right_is_named(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.reference, copy / "tests/near_misses/kata03/right.py")
    assert "the near miss right.py gives pass" in problems(kata)


def test_a_near_miss_that_does_not_run_is_named(copy: Path, kata: Kata) -> None:
    (copy / "tests/near_misses/kata03/typo.py").write_text("def attention(:\n")
    assert "the near miss typo.py gives error: line 1" in problems(kata)


def test_an_alternative_that_is_wrong_is_named(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.file, copy / "tests/alternatives/kata03/wrong.py")
    assert "the alternative wrong.py gives fail" in problems(kata)


def test_too_few_near_misses_are_named(copy: Path, kata: Kata) -> None:
    shutil.rmtree(copy / "tests/near_misses/kata03")
    found = problems(kata)
    assert "0 near misses, want at least 8" in found
    assert "nothing breaks" in found


def test_a_doctest_that_passes_on_the_kata_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "weights.sum(axis=-1).round(6).tolist()", "[1.0, 1.0, 1.0]")
    assert "its doctest passes on the kata" in problems(kata)


def test_a_long_difference_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "\n\ndef attention", "\n\nA = 1\nB = 2\nC = 3\nD = 4\n\n\ndef attention")
    assert "differ by 5 lines of code" in problems(kata)


def test_an_edited_kata_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "scores = ", "scores  = ")
    assert "the kata is not the one whose roles are stored" in problems(kata)


def test_a_story_without_its_source_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.reference, "lucidrains/memory-compressed-attention#2", "somebody")
    assert "the story does not name lucidrains/memory-compressed-attention#2" in problems(kata)
