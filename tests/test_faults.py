"""Faults: each on a snippet that it applies to, and all of them on the references."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from checker.faults import FAULTS, Fault, Mutant, mutants, unique

TESTS: Final = Path(__file__).parent
CASES: Final[dict[str, Any]] = tomllib.loads((TESTS / "fault_cases.toml").read_text("utf-8"))
SNIPPETS: Final[dict[str, str]] = CASES["snippets"]
REFERENCES: Final = {
    file.stem: file.read_text("utf-8")
    for file in sorted((TESTS.parent / "solutions").glob("kata*.py"))
}

each_reference = pytest.mark.parametrize("source", REFERENCES.values(), ids=REFERENCES)
each_snippet = pytest.mark.parametrize("source", SNIPPETS.values(), ids=SNIPPETS)


@pytest.mark.parametrize(("name", "case"), CASES["faults"].items(), ids=CASES["faults"])
def test_a_fault_is_planted_where_it_applies(name: str, case: tuple[str, int, str]) -> None:
    snippet, count, code = case
    planted = [each.source for each in _mutants(SNIPPETS[snippet]) if each.fault.id == name]
    assert len(planted) == count
    assert any(code in source for source in planted), planted


def test_the_cases_are_all_faults_in_order() -> None:
    assert list(CASES["faults"]) == [fault.id for fault in FAULTS]


def test_the_families_come_from_specific_to_general() -> None:
    assert list(dict.fromkeys(fault.family for fault in FAULTS)) == [
        "masking",
        "score",
        "precision",
        "variants",
        "layout",
        "einsum",
        "conditional",
    ]


def test_two_faults_with_the_same_id_are_rejected() -> None:
    with pytest.raises(ValueError, match="more than one fault has the id softmax-twice"):
        unique((*FAULTS, Fault("softmax-twice", "score", "a line", lambda node: iter([node]))))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_line_completes_a_sentence_without_code(fault: Fault) -> None:
    assert fault.line[0].islower()
    assert not fault.line.endswith(".")
    assert not any(code in fault.line for code in ("np.", "axis=", "`", "()"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_fault_gives_a_mutant_of_a_reference(fault: Fault) -> None:
    planted = {each.fault.id for source in REFERENCES.values() for each in _mutants(source)}
    assert fault.id in planted, "widen it, or delete it until its kata is written"


@each_reference
def test_mutants_of_a_reference_are_distinct_programs(source: str) -> None:
    programs = [_program(source), *(_program(mutant.source) for mutant in _mutants(source))]
    assert len(set(programs)) == len(programs) > 20


@each_reference
def test_mutants_of_a_reference_have_distinct_names(source: str) -> None:
    names = [mutant.name for mutant in _mutants(source)]
    assert len(set(names)) == len(names)


@each_reference
def test_mutants_have_no_module_docstring(source: str) -> None:
    assert not any(ast.get_docstring(ast.parse(each.source)) for each in _mutants(source))


@each_reference
def test_mutants_keep_the_docstrings_of_functions(source: str) -> None:
    docstrings = {text for text in _docstrings(source) if text}
    assert all(docstrings <= set(_docstrings(each.source)) for each in _mutants(source))


@each_reference
def test_the_line_of_a_mutant_is_not_blank(source: str) -> None:
    lines = source.splitlines()
    assert all(lines[mutant.line - 1].strip() for mutant in _mutants(source))


@each_snippet
def test_mutants_of_a_snippet_compile(source: str) -> None:
    assert all(compile(mutant.source, mutant.name, "exec") for mutant in _mutants(source))


@each_snippet
def test_mutants_of_a_snippet_are_distinct_programs(source: str) -> None:
    programs = [_program(source), *(_program(mutant.source) for mutant in _mutants(source))]
    assert len(set(programs)) == len(programs)


@each_snippet
def test_planting_is_deterministic(source: str) -> None:
    assert mutants(source) == _mutants(source)


def test_a_mutant_has_the_line_of_its_fault() -> None:
    lines = {mutant.name: mutant.line for mutant in _mutants(SNIPPETS["plain"])}
    assert lines["maximum-dropped-0"] == 2


def test_a_fault_on_two_lines_has_the_first() -> None:
    lines = {mutant.name: mutant.line for mutant in _mutants(SNIPPETS["plain"])}
    assert lines["scale-after-softmax-0"] == 6


def test_nothing_is_planted_in_docstrings() -> None:
    source = (
        '"""a & b"""\n\n\ndef f(a, b):\n    """np.where(a, b, -np.inf), 10000"""\n    return a\n'
    )
    assert [each for each in mutants(source) if each.fault.family != "conditional"] == []


@cache
def _mutants(source: str) -> list[Mutant]:
    return mutants(source)


def _program(source: str) -> str:
    """The syntax tree without the module's docstring."""
    tree = ast.parse(source)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return ast.dump(tree)


def _docstrings(source: str) -> list[str | None]:
    functions = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)]
    return [ast.get_docstring(function) for function in functions]
