"""Grading functions from notebook cells, in a real Jupyter kernel and in this process."""

import runpy
from typing import Any

import pytest

from checker import check
from checker.kata import catalog

from .conftest import ROOT


def parts(folder: str, kata: str) -> list[Any]:
    names = runpy.run_path(str(ROOT / folder / f"{kata}.py"), run_name="cells")
    return [one for one in names.values() if getattr(one, "__module__", "") == "cells"]


@pytest.mark.parametrize("kata", catalog.katas())
def test_a_reference_passes(kata: str) -> None:
    assert check(kata, *parts("solutions", kata)).passed


@pytest.mark.parametrize("kata", catalog.katas())
def test_a_shipped_kata_fails_with_no_points(kata: str) -> None:
    shipped = check(kata, *parts("katas", kata))
    assert (shipped.verdict.status, shipped.verdict.score) == ("fail", 0)


def test_no_function_at_all_is_reported_as_missing() -> None:
    report = check("kata03")
    assert report.verdict.reason == "missing-name"
    assert "you passed nothing, want attention" in repr(report)


def test_a_function_under_another_name_is_reported() -> None:
    assert "you passed wrong, want attention" in repr(check("3", wrong))


def wrong() -> None:
    """A function under another name."""


def test_an_exception_shows_the_line_it_came_from() -> None:
    def attention(*inputs: Any) -> Any:
        return inputs[9]

    shown = repr(check("kata03", attention))
    assert "return inputs[9]: IndexError: tuple index out of range" in shown


def test_the_missing_isolation_is_mentioned() -> None:
    assert "Nothing is isolated here" in repr(check("kata03"))


def test_sys_exit_in_a_function_does_not_end_the_notebook() -> None:
    def attention(*inputs: Any) -> Any:
        raise SystemExit(3)

    assert "SystemExit: 3" in repr(check("kata03", attention))


def test_ctrl_c_interrupts_the_cell() -> None:
    def attention(*inputs: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("kata03", attention)


def test_an_argument_that_is_not_a_function_raises() -> None:
    with pytest.raises(TypeError, match="not a int"):
        check("kata03", 3)  # type: ignore[arg-type]


def test_an_unknown_kata_raises() -> None:
    with pytest.raises(catalog.UnknownKata):
        check("kata99")


def test_a_jupyter_kernel_shows_a_table() -> None:
    nbformat = pytest.importorskip("nbformat", reason="jupyter is not installed")
    client = pytest.importorskip("nbclient", reason="jupyter is not installed")
    cells = [
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom checker import check",
        (ROOT / "katas/kata03.py").read_text(),
        'check("kata03", attention)',
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(book, kernel_name="python3").execute()
    (output,) = book.cells[-1].outputs
    html = output["data"]["text/html"]
    assert "kata03: Next to a longer sentence, fail, 0 of 100 points" in html
    assert html.count("<tr>") == 10
    assert "sum of weights at [0, 0] got 0.889492, want 1" in html
    assert "Nothing is isolated here" in output["data"]["text/plain"]
