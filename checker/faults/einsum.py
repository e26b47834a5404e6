"""Einsum: wrong letters in an equation such as `td,sd->ts`."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

from checker.faults.planting import Fault, Rewrite

FAMILY: Final = "einsum"
UNUSED: Final = "z"

Equation = tuple[list[str], str]
"""The letters of each operand, and the letters of the output."""


def _equations(change: Callable[[list[str], str], Iterator[Equation]]) -> Rewrite:
    """Calls of einsum with the equations that `change` makes of operands and output."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        equation = _equation(node)
        if isinstance(node, ast.Call) and equation:
            left, right = equation.replace(" ", "").split("->")
            for operands, output in change(left.split(","), right):
                changed = ast.Constant(",".join(operands) + "->" + output)
                yield ast.Call(node.func, [changed, *node.args[1:]], node.keywords)

    return rewrite


def _equation(node: ast.AST) -> str | None:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.einsum" and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and "->" in str(first.value):
            return str(first.value)
    return None


def _with(operands: list[str], i: int, letters: str) -> list[str]:
    return [*operands[:i], letters, *operands[i + 1 :]]


def _transposed(letters: str) -> str:
    return letters[:-2] + letters[:-3:-1]


def _operand_transposed(operands: list[str], output: str) -> Iterator[Equation]:
    for i, letters in enumerate(operands):
        yield _with(operands, i, _transposed(letters)), output


def _output_transposed(operands: list[str], output: str) -> Iterator[Equation]:
    yield operands, _transposed(output)


def _diagonal(operands: list[str], output: str) -> Iterator[Equation]:
    """An operand with one of its last two letters twice, if the output can do without the other."""
    for i, letters in enumerate(operands):
        for lost, kept in (tuple(letters[-2:]), tuple(letters[:-3:-1])):
            changed = _with(operands, i, letters.replace(lost, kept))
            if lost not in output or lost in "".join(changed):
                yield changed, output


def _summed_separately(operands: list[str], output: str) -> Iterator[Equation]:
    """A letter shared by the first and last operand, replaced in the last by an unused one."""
    for letter in sorted(set(operands[0]) & set(operands[-1]) - {"."}):
        if len(operands) > 1:
            changed = operands[-1].replace(letter, UNUSED)
            yield _with(operands, len(operands) - 1, changed), output


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "einsum-operand-transposed",
        FAMILY,
        "the last two axes of an input are swapped",
        _equations(_operand_transposed),
    ),
    Fault(
        "einsum-output-transposed",
        FAMILY,
        "the last two axes of the result are swapped",
        _equations(_output_transposed),
    ),
    Fault(
        "einsum-diagonal", FAMILY, "only the diagonal of two axes is used", _equations(_diagonal)
    ),
    Fault(
        "einsum-summed-separately",
        FAMILY,
        "each input is summed on its own before they are multiplied",
        _equations(_summed_separately),
    ),
)
