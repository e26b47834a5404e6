"""The suite checks itself, and the self-check notices what it is there to notice."""

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.errors import NotGraded
from checker.faults import FAULTS, Mutant, mutants
from checker.judge.grading import grade
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.proof import cases, copies, mutation, prove, stray, style, verify
from checker.proof.prove import Proof

from .conftest import ROOT, Run

SECONDS = 1500  # for all katas on a loaded machine
SEEN = "    huggingface/pytorch-image-models#2236:"


@pytest.fixture(scope="session")
def suite() -> Any:
    """What `verify --json` reports on all katas."""
    command = [sys.executable, "-m", "checker", "verify", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert done.stderr == ""
    return {**json.loads(done.stdout), "status": done.returncode}


def on_all_katas(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that uses `suite`: one process runs them all."""
    for mark in (pytest.mark.slow, pytest.mark.xdist_group("suite"), pytest.mark.timeout(SECONDS)):
        test = mark(test)
    return test


@on_all_katas
def test_no_kata_has_a_problem(suite: Any) -> None:
    assert {kata["kata"]: kata["problems"] for kata in suite["katas"]} == {
        name: [] for name in catalog.katas()
    }


@on_all_katas
def test_no_file_is_stray(suite: Any) -> None:
    assert suite["problems"] == []


@on_all_katas
def test_a_proved_suite_exits_with_zero(suite: Any) -> None:
    assert (suite["status"], suite["proved"]) == (0, True)


@on_all_katas
def test_every_fault_is_caught_or_equivalent(suite: Any) -> None:
    for kata in suite["katas"]:
        assert kata["faults"] - kata["faults_equivalent"] == kata["faults_caught"] > 20


@on_all_katas
def test_the_mutants_of_each_fault_add_up(suite: Any) -> None:
    assert [sum(kata["mutants"].values()) for kata in suite["katas"]] == [
        kata["faults"] for kata in suite["katas"]
    ]


def test_the_table_has_the_mutants_of_each_fault_per_kata(run: Run) -> None:
    head, *rows, totals, last = run("verify", "--faults", "kata03", "kata15").stdout.splitlines()
    assert head.split() == ["fault", "03", "15", "total"]
    assert [row.split()[0] for row in rows] == [fault.id for fault in FAULTS]
    assert ["mask-shifted", "2", ".", "2"] in [row.split() for row in rows]
    assert totals.split()[:2] == [str(len(FAULTS)), "faults"]
    assert last == "next: python -m checker verify"


COMMON_FIX = catalog.find("kata03").common_fix


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small copy of kata 03 to spoil, which verify looks at; without mutants."""
    for folder in ("katas", "solutions"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for folder, number in (("near_misses", 16), ("alternatives", 5)):  # enough to break every test
        (tmp_path / "tests" / folder / "kata03").mkdir(parents=True)
        files = sorted((ROOT / "tests" / folder / "kata03").glob("*.py"))
        for file in files[:number] + [file for file in files if file.stem == COMMON_FIX]:
            shutil.copy(file, tmp_path / "tests" / folder / "kata03")
    (tmp_path / "domains").mkdir()
    domain = Path(shutil.copy(ROOT / "checker/domains/kata03.py", tmp_path / "domains"))
    monkeypatch.setattr(Kata, "domain", domain)
    monkeypatch.setattr(mutation, "mutants", lambda source: [])
    monkeypatch.setattr(mutation, "equivalents", lambda kata: {})
    monkeypatch.setattr(cases, "TESTS", tmp_path / "tests")
    monkeypatch.setattr(catalog, "workplace", lambda: tmp_path)
    monkeypatch.setattr(catalog, "_beside", lambda folder: tmp_path / folder)
    return tmp_path


@pytest.fixture
def invariants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the invariants of kata 03, to spoil."""
    (tmp_path / "invariants").mkdir()
    copied = Path(shutil.copy(ROOT / "checker/invariants/kata03.py", tmp_path / "invariants"))
    folder = ROOT / "checker/invariants"
    own = property(lambda kata: copied if kata.name == "kata03" else folder / f"{kata.name}.py")
    monkeypatch.setattr(Kata, "invariants", own)
    monkeypatch.delitem(sys.modules, "kata03", raising=False)  # the real ones, already imported
    return copied


@pytest.fixture
def kata() -> Kata:
    return catalog.find("kata03")


@pytest.fixture
def excuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the excuses for survivors, to spoil."""
    monkeypatch.setattr(mutation, "EQUIVALENT", Path(shutil.copy(mutation.EQUIVALENT, tmp_path)))
    return mutation.EQUIVALENT


def problems(kata: Kata) -> str:
    return "\n".join(prove.prove(kata).problems)


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_an_untouched_copy_has_no_problem(copy: Path, invariants: Path, kata: Kata) -> None:
    assert problems(kata) == ""


# The kata.


def test_a_kata_without_a_fault_is_reported(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.reference, kata.file)
    assert "the shipped kata gives pass, want fail" in problems(kata)


def test_a_kata_that_crashes_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.file, "softmax(scores) * keep", "softmax(scores) * keep.nothing")
    assert "the shipped kata stops instead of giving a wrong answer: " in problems(kata)


def test_an_edited_kata_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.file, "scores = ", "scores  = ")
    assert "it is edited: python -m checker reset kata03, or to keep the edit, " in problems(kata)


def test_an_edited_kata_runs_only_in_a_worker(copy: Path, kata: Kata) -> None:
    mark = copy / "mark"
    kata.file.write_text(kata.file.read_text() + f"\nopen({str(mark)!r}, 'w').close()\n")
    problems(kata)
    assert not mark.exists()


def test_a_kata_that_was_never_stored_is_reported(
    copy: Path, kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "shipped", lambda: {})
    assert "it is not stored yet: once the kata fails as intended, python -m" in problems(kata)


def test_a_doctest_that_passes_on_the_kata_is_reported(
    copy: Path, kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kata, "text", property(lambda kata: read(kata.file).text))
    replace(kata.file, "weights.sum(axis=-1).round(6).tolist()", "[1.0, 1.0, 1.0]")
    assert "its doctest passes on the kata" in problems(kata)


def test_a_long_difference_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.file, "\n\ndef attention", "\n\nA = 1\nB = 2\nC = 3\nD = 4\n\n\ndef attention")
    assert "kata and reference differ by 5 lines of code, want 1 to 4" in problems(kata)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("domains/kata03.py", "import sys; sys.exit(0)\n", "SystemExit: 0"),
        ("domains/kata03.py", "def draw(:\n", "SyntaxError: invalid syntax"),
        ("solutions/kata03.py", "x = (\n", "SyntaxError: "),
        ("katas/kata03.py", "", "the file is empty"),
    ],
)
def test_what_makes_a_proof_impossible_is_a_problem(
    file: str, text: str, message: str, kata: Kata, copy: Path
) -> None:
    (copy / file).write_text(text)
    (problem,) = prove.proved(kata).problems
    assert problem.startswith("it cannot be proved: ")
    assert message in problem


def test_an_edited_kata_is_proved_once_it_is_stored(
    copy: Path, kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = catalog.SHIPPED.read_bytes()
    monkeypatch.setattr(catalog, "SHIPPED", Path(shutil.copy(catalog.SHIPPED, copy)))
    replace(kata.file, "scores = ", "scores  = ")
    assert "it is edited" in problems(kata)
    verify.store([kata])
    assert problems(kata) == ""
    replace(kata.file, "scores  = ", "scores = ")
    verify.store([kata])
    assert catalog.SHIPPED.read_bytes() == before


def test_roles_are_stored_only_if_the_kata_runs(copy: Path, kata: Kata) -> None:
    before = catalog.SHIPPED.read_text()
    kata.file.write_text("x = (\n")
    with pytest.raises(NotGraded, match="kata03 gives error, not fail"):
        verify.store([kata])
    assert catalog.SHIPPED.read_text() == before


# The reference, near misses and alternatives.


def test_a_wrong_reference_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.reference, "-np.inf", "-1.0")
    assert "the reference gives fail and " in problems(kata)


def test_a_wrong_alternative_is_reported(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.file, copy / "tests/alternatives/kata03/wrong.py")
    assert "the alternative wrong.py gives fail" in problems(kata)


def test_a_right_near_miss_is_reported(copy: Path, kata: Kata) -> None:
    shutil.copy(kata.reference, copy / "tests/near_misses/kata03/right.py")
    assert "the near miss right.py gives pass, want fail" in problems(kata)


def test_a_near_miss_that_does_not_run_is_reported(copy: Path, kata: Kata) -> None:
    (copy / "tests/near_misses/kata03/typo.py").write_text("def attention(:\n")
    assert "the near miss typo.py gives error, want fail: line 1" in problems(kata)


def test_a_near_miss_of_another_contract_is_reported(copy: Path, kata: Kata) -> None:
    foreign = ROOT / "tests/near_misses/kata23/no_maximum.py"
    shutil.copy(foreign, copy / "tests/near_misses/kata03/foreign.py")
    assert "foreign.py gives error, want fail: it defines no attention" in problems(kata)


def test_too_few_near_misses_are_reported(copy: Path, kata: Kata) -> None:
    shutil.rmtree(copy / "tests/near_misses/kata03")
    assert "0 near misses, want at least 8" in problems(kata)


def test_a_near_miss_copied_from_another_kata_is_reported(copy: Path, kata: Kata) -> None:
    other = copy / "tests/near_misses/kata05/other.py"
    other.parent.mkdir()
    shutil.copy(copy / "tests/near_misses/kata03/clipped.py", other)
    code = other.read_text().partition("\n")[2]
    other.write_text(f'"""Another docstring."""\n{code}')
    found = problems(kata)
    assert "the near miss clipped.py is a copy of kata05/other.py: change it" in found


def test_a_near_miss_far_from_its_kata_is_reported(copy: Path, kata: Kata) -> None:
    loops = (ROOT / "tests/alternatives/kata03/plain_loops.py").read_text()
    wrong = copy / "tests/near_misses/kata03/wrong_loops.py"
    wrong.write_text(loops)
    assert f"wrong_loops.py differs by more than {copies.FAR} lines from the kata" in problems(kata)


def test_a_near_miss_may_start_from_an_alternative(copy: Path, kata: Kata) -> None:
    loops = copy / "tests/alternatives/kata03/plain_loops.py"
    shutil.copy(ROOT / "tests/alternatives/kata03/plain_loops.py", loops)
    shutil.copy(loops, copy / "tests/near_misses/kata03/wrong_loops.py")
    assert "differs by more than" not in problems(kata)


# The lines that katas share.


@pytest.mark.parametrize("name", catalog.katas())
def test_no_kata_shows_the_bug_of_another(name: str) -> None:
    assert list(copies.problems(catalog.find(name))) == []


def other_text(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let kata 05 have this text."""
    monkeypatch.setitem(catalog.shipped()["kata05"], "text", text.splitlines())


def test_a_fix_that_is_a_line_of_another_kata_is_reported(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_text(
        monkeypatch, "def f():\n    weights = softmax( np.where(keep, scores, -np.inf))  # ."
    )
    line = "weights = softmax(np.where(keep, scores, -np.inf))"
    wanted = f"its fix is a line of kata05, write that differently: {line}"
    assert list(copies.problems(kata)) == [wanted]


def test_a_fault_on_the_only_line_of_its_own_is_reported(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = "weights = softmax(scores) * keep"
    assert fault in kata.text
    other_text(monkeypatch, kata.text.replace(fault, "weights = scores"))
    wanted = "only its fault is in no other kata, which shows where it is: vary another line"
    assert list(copies.problems(kata)) == [wanted]


# The invariants.


def test_a_fault_that_no_invariant_notices_is_reported(kata: Kata, invariants: Path) -> None:
    text = invariants.read_text()
    invariants.write_text(text[: text.index("def test_every_row_sums_to_one")])
    assert "no invariant notices the fault " in problems(kata)


def test_a_survivor_without_an_excuse_is_reported(kata: Kata, excuses: Path) -> None:
    replace(excuses, "blocked-at-minus-1e9-0", "no-such-mutant-0")
    found = problems(kata)
    assert "no invariant notices the fault blocked-at-minus-1e9-0" in found
    assert "equivalent.toml excuses no-such-mutant-0, which needs no excuse" in found


def test_a_mutant_is_excused_only_if_it_never_differs(kata: Kata) -> None:
    trial = mutation.Trial(kata)
    planted = mutants(kata.reference.read_text())
    same = {mutant.name for mutant in planted if trial.difference(mutant) is None}
    same -= {"result-in-a-reused-buffer-0"}  # it changes results after they were compared
    assert same == set(mutation.equivalents(kata))


def test_a_mutant_that_differs_has_no_excuse(
    kata: Kata, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = kata.reference.read_text().replace("axis=-1", "axis=-2")
    mutant = Mutant(mutants(kata.reference.read_text())[0].fault, 0, 1, source)
    planted = [mutation.Planted(mutant, kata.reference)]
    monkeypatch.setattr(mutation, "equivalents", lambda kata: {mutant.name: "no reason"})
    passed = grade(kata, kata.reference)
    (found,) = mutation.problems(kata, planted, [passed])
    assert f"equivalent.toml excuses {mutant.name}, but it differs on input " in found


def test_an_invariant_that_nothing_breaks_is_reported(
    copy: Path, kata: Kata, invariants: Path
) -> None:
    text = invariants.read_text()
    added = 'def test_true(subject, rngs):\n    """True."""\n\n\ndef test_every'
    invariants.write_text(text.replace("def test_every", added, 1))
    assert "nothing breaks true: delete it, or add a near miss that does" in problems(kata)


def test_copied_invariants_are_reported(copy: Path, kata: Kata, invariants: Path) -> None:
    shutil.copy(ROOT / "checker/invariants/kata05.py", invariants)
    found = problems(kata)
    assert "10 of 10 invariants are copied from kata05: write what this kata's own" in found


def test_copied_invariants_under_other_names_are_reported(kata: Kata, invariants: Path) -> None:
    text = (ROOT / "checker/invariants/kata05.py").read_text()
    renamed = (
        text.replace("rng", "generator").replace("weights", "shares").replace("test_", "test_x")
    )
    invariants.write_text(renamed)
    assert "10 of 10 invariants are copied from kata05" in "\n".join(copies.problems(kata))


def test_an_invariant_call_with_a_wrong_shape_is_reported(
    copy: Path, kata: Kata, invariants: Path
) -> None:
    replace(kata.file, "k        (..., Tk, D) ", "k        (..., Tk, Dv)")
    found = problems(kata)
    assert "test_shapes_and_dtype calls attention outside its Contract: v has shape " in found


def test_an_invariant_call_with_a_wrong_dtype_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.file, "queries", "queries, float32")
    found = problems(kata)
    assert "calls attention outside its Contract: q is float64, want float32" in found


def test_an_invariant_call_that_the_contract_does_not_name_is_reported(
    copy: Path, kata: Kata
) -> None:
    replace(kata.file, "    attention(q, k, v, keep) ->", "    attend(q, k, v, keep) ->")
    found = problems(kata)
    assert "calls attention, which is not in the Contract" in found
    assert "the Contract names attend, and no invariant calls it" in found


def test_a_contract_without_a_shape_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.file, "keep     bool, broadcasts to (..., Tq, Tk): True", "keep     True")
    assert "the Contract of attention has no line with the shape of keep" in problems(kata)


# The domain.

BUILD = """

def build(rng, **kinds):
    q, k, v, keep = attention_inputs(rng, **kinds)
    return q, {k}, v, keep
"""


def test_a_domain_that_the_reference_raises_on_is_reported(copy: Path, kata: Kata) -> None:
    replace(copy / "domains/kata03.py", "build = attention_inputs", BUILD.format(k="k[..., :-1]"))
    assert "the reference raises on input 0 of its domain: " in problems(kata)


def test_a_domain_outside_the_contract_is_reported(copy: Path, kata: Kata) -> None:
    replace(copy / "domains/kata03.py", "build = attention_inputs", BUILD.format(k="1j * k"))
    found = problems(kata)
    assert "input 0 of the domain calls attention outside its Contract: k is complex" in found


# The story and the catalog.


def test_a_kata_that_builds_on_a_later_one_is_reported(kata: Kata) -> None:
    later = dataclasses.replace(kata, know="kata 02 and kata 05")
    assert "`know` in the catalog names 05, want earlier katas only" in style.problems(later)


def test_a_kata_that_does_not_say_what_to_know_is_reported(kata: Kata) -> None:
    silent = dataclasses.replace(kata, know="")
    assert "`know` in the catalog is empty: say what to know first" in style.problems(silent)


@pytest.mark.parametrize(
    ("serves", "problem"),
    [
        ((), "`serves` in the catalog has 0 lists, want one per hint"),
        ((("example", "rows"),), "hint 1 serves rows: there is no such invariant"),
        (
            (("shapes_and_dtype",),),
            "hint 1 serves nothing that the shipped kata breaks: it is never offered",
        ),
    ],
)
def test_a_hint_that_serves_the_wrong_invariants_is_reported(
    serves: tuple[tuple[str, ...], ...], problem: str, kata: Kata
) -> None:
    lists = (*serves, *kata.serves[1:]) if serves else ()
    assert problem in style.problems(dataclasses.replace(kata, serves=lists))


def test_a_last_hint_that_does_not_serve_every_target_is_reported(kata: Kata) -> None:
    less = (*kata.serves[:-1], kata.serves[-1][1:])
    problem = "the last hint does not serve example: nothing is left after it"
    assert problem in style.problems(dataclasses.replace(kata, serves=less))


def test_a_kata_that_names_no_bug_and_no_common_fix_is_reported(kata: Kata) -> None:
    found = list(style.problems(dataclasses.replace(kata, bug="", common_fix="none")))
    assert "`bug` in the catalog is empty: say what the shipped kata does" in found
    assert "`common_fix` in the catalog is 'none', want the name of a near miss" in found


def test_a_source_that_the_story_does_not_name_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.reference, "lucidrains/memory-compressed-attention#2", "some/body#1")
    missing = '"Seen in" does not name the source lucidrains/memory-compressed-attention#2'
    assert missing in problems(kata)


def test_a_report_without_a_sentence_is_reported(copy: Path, kata: Kata) -> None:
    text = kata.reference.read_text()
    start, end = text.index(SEEN), text.index("    lucidrains/memory")
    kata.reference.write_text(f"{text[:start]}{SEEN} a bug.\n{text[end:]}")
    found = problems(kata)
    assert '"Seen in" says too little about huggingface/pytorch-image-models#2236' in found


def test_a_story_that_begins_without_a_report_is_reported(copy: Path, kata: Kata) -> None:
    replace(kata.reference, SEEN, "    Somewhere:")
    assert '"Seen in" begins without owner/repository#number: Somewhere:' in problems(kata)


# The whole suite.


@pytest.mark.parametrize(
    "path",
    [
        "katas/kata99.py",
        "katas/notes.md",
        "solutions/kata3.py",
        "checker/invariants/helpers.py",
        "checker/domains/kata03.txt",
        "tests/near_misses/kata99/near.py",
        "tests/near_misses/loose.py",
        "tests/alternatives/kata03/deeper/file.py",
    ],
)
def test_a_stray_file_is_reported(path: str, tmp_path: Path) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    found = list(stray.problems(tmp_path, ["kata03"]))
    assert found == [f"{path} belongs to no kata: delete it or move it"]


def test_files_of_a_kata_are_not_stray(copy: Path) -> None:
    (copy / "katas/__pycache__").mkdir()
    (copy / "katas/__pycache__/kata03.cpython-311.pyc").touch()
    (copy / "solutions/__init__.py").touch()
    assert list(stray.problems(copy, catalog.katas())) == []


def reported(proofs: list[Proof], monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """The status and the lines of `verify` where these are the proofs."""
    monkeypatch.setattr(verify, "_in_parallel", lambda function, katas: iter(proofs))
    katas = [catalog.find(proof.kata) for proof in proofs]
    lines: list[str] = []
    status = verify.run(katas, write=False, as_json=False, say=lines.append)
    return status, lines


def test_problems_are_counted_and_the_next_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    status, lines = reported([Proof("kata03", problems=["one", "two"])], monkeypatch)
    assert status == 1
    assert lines[-4:] == [
        "        one",
        "        two",
        "1 kata, 2 problems to fix",
        "next: fix what is listed above, then python -m checker verify kata03",
    ]


def test_redundant_invariants_are_named_for_a_single_kata(monkeypatch: pytest.MonkeyPatch) -> None:
    _, lines = reported([Proof("kata03", spare=["weak"])], monkeypatch)
    assert "        weak is redundant: other invariants catch the same bugs" in lines


def test_stray_files_are_named_when_all_katas_are_verified(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "katas/notes.md").touch()
    status, lines = reported([Proof(name) for name in catalog.katas()], monkeypatch)
    assert status == 1
    assert "katas/notes.md belongs to no kata: delete it or move it" in lines


def test_stray_files_are_not_named_for_a_single_kata(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "katas/notes.md").touch()
    assert reported([Proof("kata03")], monkeypatch)[0] == 0
