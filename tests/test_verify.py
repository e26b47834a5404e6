"""The suite's proof of itself, and that the proof notices what it is there to notice."""

import dataclasses
import json
import shutil
import sys
from pathlib import Path

import pytest

from checker.errors import NotGraded
from checker.faults import mutants
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.proof import mutation, verify

from .conftest import ROOT, Run


@pytest.mark.timeout(900)
def test_every_kata_is_proved(run: Run) -> None:
    done = run("verify", seconds=900)
    assert done.stdout.count("ok\n") == len(catalog.katas())
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(catalog.katas())} katas proved" in done.stdout


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of kata 03 to spoil, and verify looking at it."""
    folders = ["katas", "solutions"]
    folders += [f"tests/{name}/kata03" for name in ("near_misses", "alternatives")]
    for folder in folders:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for folder, number in (("near_misses", 16), ("alternatives", 5)):  # enough to be proved
        for file in sorted((tmp_path / "tests" / folder / "kata03").glob("*.py"))[number:]:
            file.unlink()
    (tmp_path / "domains").mkdir()
    domain = shutil.copy(ROOT / "checker/domains/kata03.py", tmp_path / "domains")
    monkeypatch.setattr(Kata, "domain", domain)
    monkeypatch.setattr(mutation, "mutants", lambda source: [])
    monkeypatch.setattr(mutation, "excused", lambda kata: {})
    monkeypatch.setattr(verify, "TESTS", tmp_path / "tests")
    monkeypatch.setattr(catalog, "workplace", lambda: tmp_path)
    monkeypatch.setattr(catalog, "_beside", lambda folder: tmp_path / folder)
    return tmp_path


@pytest.fixture
def kata() -> Kata:
    return catalog.find("kata03")


@pytest.fixture
def excuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The excuses for survivors, to be spoilt."""
    monkeypatch.setattr(mutation, "EQUIVALENT", Path(shutil.copy(mutation.EQUIVALENT, tmp_path)))
    return mutation.EQUIVALENT


def problems(kata: Kata) -> str:
    return "\n".join(verify.prove(kata).problems)


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
    assert "0 near misses, want at least 8" in problems(kata)


def test_a_doctest_that_passes_on_the_kata_is_named(
    copy: Path, kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kata, "text", property(lambda kata: read(kata.file).text))
    replace(kata.file, "weights.sum(axis=-1).round(6).tolist()", "[1.0, 1.0, 1.0]")
    assert "its doctest passes on the kata" in problems(kata)


def test_a_long_difference_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "\n\ndef attention", "\n\nA = 1\nB = 2\nC = 3\nD = 4\n\n\ndef attention")
    assert "differ by 5 lines of code" in problems(kata)


def test_an_edited_kata_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.file, "scores = ", "scores  = ")
    assert "it is edited: python -m checker reset kata03" in problems(kata)


def test_a_kata_that_builds_on_a_later_one_is_named(copy: Path, kata: Kata) -> None:
    later = dataclasses.replace(kata, know="kata 02 and kata 05")
    assert "what to know first is 05, want katas before it" in problems(later)
    untold = dataclasses.replace(kata, know="")
    assert "what to know first is not said" in problems(untold)


def test_a_story_without_its_source_is_named(copy: Path, kata: Kata) -> None:
    replace(kata.reference, "lucidrains/memory-compressed-attention#2", "somebody")
    assert "the story does not name lucidrains/memory-compressed-attention#2" in problems(kata)


def test_a_fault_that_no_invariant_notices_is_named(
    kata: Kata, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    weak = tmp_path / "kata03.py"
    text = kata.invariants.read_text()
    weak.write_text(text[: text.index("def test_every_row_sums_to_one")])
    monkeypatch.setattr(Kata, "invariants", weak)
    monkeypatch.delitem(sys.modules, "kata03", raising=False)  # another test's invariants
    found = problems(kata)
    assert "is not noticed (line 33: " in found
    assert found.count("is not noticed") > 20


def test_a_survivor_without_an_excuse_is_named(kata: Kata, excuses: Path) -> None:
    replace(excuses, "blocked-at-minus-1e9-0", "nothing-of-that-name-0")
    found = problems(kata)
    assert "the fault blocked-at-minus-1e9-0 is not noticed" in found
    assert "equivalent.toml excuses nothing-of-that-name-0, which needs no excuse" in found


def test_an_excuse_that_does_not_hold_is_named(kata: Kata) -> None:
    planted = {mutant.name: mutant for mutant in mutants(kata.reference.read_text())}
    assert mutation.differs(kata, planted["blocked-at-minus-1e9-0"]) is None
    told = {name: mutation.differs(kata, mutant) for name, mutant in planted.items()}
    alike = [name for name, difference in told.items() if difference is None]
    assert set(alike) == set(mutation.excused(kata))
    assert all("of its domain: " in difference for difference in told.values() if difference)


def test_json_holds_every_figure(run: Run) -> None:
    done = run("verify", "10", "--json")
    proof = json.loads(done.stdout)
    assert (done.returncode, proof["proved"]) == (0, True)
    for kata in proof["katas"]:
        assert kata["faults"] - kata["faults_equivalent"] == kata["faults_caught"] > 20
        assert kata["problems"] == []


def test_what_catches_nothing_alone_is_named_for_one_kata(run: Run) -> None:
    told = run("verify", "1").stdout
    assert "every_row_sums_to_one: all that it catches is caught by others too" in told


def test_an_edited_kata_is_not_run_by_us(copy: Path, kata: Kata) -> None:
    mark = copy / "mark"
    kata.file.write_text(kata.file.read_text() + f"\nopen({str(mark)!r}, 'w').close()\n")
    assert "it is edited: python -m checker reset kata03" in problems(kata)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("domains/kata03.py", "import sys; sys.exit(0)\n", "SystemExit: 0"),
        ("domains/kata03.py", "def draw(:\n", "SyntaxError: invalid syntax"),
        ("solutions/kata03.py", "x = (\n", "SyntaxError: "),
        ("katas/kata03.py", "", "Refused: the file is empty"),
    ],
)
def test_what_cannot_be_proved_is_a_problem(
    file: str, text: str, told: str, kata: Kata, copy: Path
) -> None:
    (copy / file).write_text(text)
    assert f"it cannot be proved: {told}" in "\n".join(verify.proved(kata).problems)


def test_a_domain_that_the_reference_has_no_answer_to_is_named(copy: Path, kata: Kata) -> None:
    replace(copy / "domains/kata03.py", "return q, k,", "return q, k[..., :-1],")
    assert "the reference raises on input 0 of its domain: " in problems(kata)


def test_roles_are_stored_of_what_runs_alone(copy: Path, kata: Kata) -> None:
    before = catalog.SHIPPED.read_text()
    kata.file.write_text("x = (\n")
    with pytest.raises(NotGraded, match="kata03 gives error, not fail"):
        verify.store([kata])
    assert catalog.SHIPPED.read_text() == before
