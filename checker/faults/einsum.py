"""Letters: what einsum makes of a wrong one."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

from checker.faults.planting import Rewrite, fault

FAMILY: Final = "layout"
FRESH: Final = "z"

Equation = tuple[list[str], str]  # the letters of each operand, and of the answer


def _lettered(change: Callable[[list[str], str], Iterator[Equation]]) -> Rewrite:
    """A rewrite of the equation in a call of einsum."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        text = _equation(node)
        if isinstance(node, ast.Call) and text:
            inputs, out = text.replace(" ", "").split("->")
            for operands, answer in change(inputs.split(","), out):
                other = ast.Constant(",".join(operands) + "->" + answer)
                yield ast.Call(node.func, [other, *node.args[1:]], node.keywords)

    return rewrite


def _equation(node: ast.AST) -> str | None:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.einsum" and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and "->" in str(first.value):
            return str(first.value)
    return None


def _with(operands: list[str], i: int, other: str) -> list[str]:
    return [*operands[:i], other, *operands[i + 1 :]]


def _turned(letters: str) -> str:
    return letters[:-2] + letters[:-3:-1]


def _operand_turned(operands: list[str], out: str) -> Iterator[Equation]:
    for i, letters in enumerate(operands):
        yield _with(operands, i, _turned(letters)), out


def _answer_turned(operands: list[str], out: str) -> Iterator[Equation]:
    yield operands, _turned(out)


def _diagonal(operands: list[str], out: str) -> Iterator[Equation]:
    """A letter of an operand in the place of its neighbour, where the answer can spare that one."""
    for i, letters in enumerate(operands):
        for lost, kept in (tuple(letters[-2:]), tuple(letters[:-3:-1])):
            others = _with(operands, i, letters.replace(lost, kept))
            if lost not in out or lost in "".join(others):
                yield others, out


def _summed_apart(operands: list[str], out: str) -> Iterator[Equation]:
    """A letter that two operands share, now one of its own in the last of them."""
    for letter in sorted(set(operands[0]) & set(operands[-1]) - {"."}):
        if len(operands) > 1:
            yield _with(operands, -1 % len(operands), operands[-1].replace(letter, FRESH)), out


fault("einsum-operand-turned", FAMILY, "two axes of an operand are taken for one another")(
    _lettered(_operand_turned)
)
fault("einsum-answer-turned", FAMILY, "the last two axes of the answer have changed places")(
    _lettered(_answer_turned)
)
fault("einsum-diagonal", FAMILY, "of two axes only the diagonal counts")(_lettered(_diagonal))
fault("einsum-summed-apart", FAMILY, "operands are summed each by itself, then multiplied")(
    _lettered(_summed_apart)
)
