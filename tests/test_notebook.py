"""Grading functions from notebook cells, in a real Jupyter kernel and in this process."""

import re
import runpy
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from checker import check, hint, load, trace
from checker.kata import catalog
from checker.learner import cells

from .conftest import ROOT, Run


def parts(folder: str, kata: str) -> list[Any]:
    names = runpy.run_path(str(ROOT / folder / f"{kata}.py"), run_name="cells")
    return [one for one in names.values() if getattr(one, "__module__", "") == "cells"]


@pytest.mark.parametrize("kata", catalog.katas())
def test_a_reference_passes_with_what_the_kata_needs(kata: str) -> None:
    needed = cells.needed(catalog.find(kata))
    given = [part for part in parts("solutions", kata) if part.__name__ in needed]
    assert len(given) == len(needed) > 0
    assert check(kata, *given).passed


@pytest.mark.parametrize("kata", catalog.katas())
def test_a_shipped_kata_fails_with_no_points(kata: str) -> None:
    shipped = check(kata, *parts("katas", kata))
    assert (shipped.verdict.status, shipped.verdict.score) == ("fail", 0)


def test_no_function_at_all_is_reported_as_missing() -> None:
    report = check("kata03")
    assert report.verdict.reason == "missing-name"
    assert 'you passed nothing, want check("kata03", attention)' in repr(report)


def test_a_function_under_another_name_is_reported() -> None:
    assert 'you passed wrong, want check("kata03", attention)' in repr(check("3", wrong))


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


def test_a_kata_with_several_functions_says_which_it_needs() -> None:
    report = check("kata08", *parts("solutions", "kata08")[1:])
    assert report.verdict.reason == "missing-name"
    assert (
        "you passed attention, padded_attention, "
        'want check("kata08", blocked_from_lengths, attention, padded_attention)'
    ) in repr(report)


@pytest.mark.parametrize("tool", [check, trace])
def test_a_function_of_another_kata_is_refused(tool: Any) -> None:
    with pytest.raises(ValueError, match=r"attention is that of kata05, .* cell of kata03 again"):
        tool("kata03", *parts("katas", "kata05"))


def test_a_hint_fits_what_the_last_check_found() -> None:
    check("kata03", *parts("tests/near_misses/kata03", "renormalised"))
    assert hint("kata03").startswith("kata03, hint 3 of 4: ")


def test_hints_come_in_order() -> None:
    with pytest.raises(ValueError, match="hint 1 of kata07 comes first"):
        hint("kata07", 2)
    for number, text in enumerate(catalog.find("kata07").hints, 1):
        last = len(catalog.find("kata07").hints)
        assert hint("7") == f"kata07, hint {number} of {last}: {text}"
    assert "hint 1 of" in hint("kata07", 1)
    with pytest.raises(ValueError, match="kata07 has hints 1 to"):
        hint("kata07", 99)


def test_load_outside_of_a_notebook_raises() -> None:
    with pytest.raises(RuntimeError, match="this is not one"):
        load("kata03")


def test_a_trace_needs_a_function_with_a_source() -> None:
    with pytest.raises(ValueError, match=r'pass your functions: trace\("kata03", attention\)'):
        trace("kata03")
    names: dict[str, Any] = {}
    exec("def attention(): pass", names)
    with pytest.raises(ValueError, match="attention has no source"):
        trace("kata03", names["attention"])


class Kernel:
    """A real kernel, in which cells are run one after another."""

    def __init__(self) -> None:
        client = pytest.importorskip("nbclient", reason="jupyter is not installed")
        self.format = pytest.importorskip("nbformat", reason="jupyter is not installed").v4
        self.book = self.format.new_notebook()
        self.replies: list[Any] = []
        self.client = client.NotebookClient(
            self.book,
            kernel_name="python3",
            on_cell_executed=lambda execute_reply, **_: self.replies.append(execute_reply),
        )

    def run(self, text: str) -> Any:
        """The outputs of a cell."""
        self.book.cells.append(self.format.new_code_cell(text))
        return self.client.execute_cell(self.book.cells[-1], len(self.book.cells) - 1).outputs


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    made = Kernel()
    with made.client.setup_kernel():
        made.run(f"import sys; sys.path.insert(0, {str(ROOT)!r})")
        made.run("from checker import check, hint, load, trace")
        yield made


def test_a_jupyter_kernel_shows_a_table(kernel: Kernel) -> None:
    kernel.run((ROOT / "katas/kata03.py").read_text())
    (output,) = kernel.run('check("kata03", attention)')
    html = output["data"]["text/html"]
    assert "kata03: Next to a longer sentence, fail, 0 of 100 points" in html
    assert html.count("<tr>") == 10
    assert "sum of weights at [0, 0] got 0.889492, want 1" in html
    assert "Nothing is isolated here" in output["data"]["text/plain"]


def test_load_fills_the_cell_with_the_kata(kernel: Kernel) -> None:
    (output,) = kernel.run('load("kata08")')
    assert output["data"]["text/plain"] == (
        'run the code, then check("kata08", blocked_from_lengths, attention, padded_attention)'
    )
    (payload,) = kernel.replies[-1]["content"]["payload"]
    assert (payload["source"], payload["replace"]) == ("set_next_input", True)
    assert payload["text"] + "\n" == catalog.find("kata08").text
    kernel.run(payload["text"])
    (output,) = kernel.run('check("8", blocked_from_lengths, attention, padded_attention)')
    assert "kata08: Answers from nowhere, fail, 0 of 100" in output["data"]["text/html"]


def test_a_cell_that_also_checks_can_be_traced(kernel: Kernel) -> None:
    shown = 'report = check("kata03", attention)\nprint(report)\n'
    kernel.run("import numpy as np\nfrom checker import check\nhere = 2")
    kernel.run((ROOT / "katas/kata03.py").read_text() + shown + "here")
    (output,) = kernel.run('trace("kata03", attention)')
    (line,) = [
        number
        for number, text in enumerate((ROOT / "katas/kata03.py").read_text().splitlines(), 1)
        if text.startswith("    weights = ")
    ]
    assert re.search(rf"^ *{line}  weights = ", output["data"]["text/plain"], re.MULTILINE)
    assert "it stopped" not in output["data"]["text/plain"]
    assert output["data"]["text/html"].startswith("<iframe")


def test_a_class_can_be_traced(kernel: Kernel) -> None:
    """Some contracts describe a class; its source is found by its methods."""
    kernel.run("class Held:\n    def give(self):\n        return 1")
    (output,) = kernel.run("from checker.learner import cells; print(cells.source([Held]))")
    assert output.text.startswith("class Held:\n    def give(self):\n")


def test_a_kernel_shows_a_hint_without_quotes(kernel: Kernel) -> None:
    (output,) = kernel.run('hint("kata04")')
    assert output["data"]["text/plain"].startswith("kata04, hint 1 of ")


def test_init_writes_notebooks_that_run(run: Run, tmp_path: Path) -> None:
    client = pytest.importorskip("nbclient", reason="jupyter is not installed")
    nbformat = pytest.importorskip("nbformat", reason="jupyter is not installed")
    (tmp_path / "new").mkdir()
    (tmp_path / "new/green.ipynb").write_text("mine")
    done = run("init", "new", "--notebooks", cwd=tmp_path)
    assert (tmp_path / "new/green.ipynb").read_text() == "mine"
    assert "not overwritten: new/green.ipynb\n" in done.stdout
    (tmp_path / "new/green.ipynb").unlink()
    run("init", "new", "--notebooks", cwd=tmp_path)
    shown: dict[str, str] = {}
    for belt in ("white", "yellow", "green"):
        book = nbformat.read(tmp_path / f"new/{belt}.ipynb", nbformat.NO_CONVERT)
        nbformat.validate(book)
        path = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
        book.cells.insert(0, nbformat.v4.new_code_cell(path))
        client.NotebookClient(book, kernel_name="python3").execute()
        shown |= {cell.id: cell.outputs[0].data["text/html"] for cell in book.cells if
                  cell.id in catalog.katas()}  # fmt: skip
    assert list(shown) == list(catalog.katas())
    for kata in catalog.katas().values():
        assert f"{kata.name}: {escape(kata.title)}, fail, 0 of 100 points" in shown[kata.name]
