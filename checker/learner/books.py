"""Write the katas as notebooks, one per belt, in nbformat 4.5."""

import itertools
import json
from collections.abc import Iterator
from typing import Any, Final

from checker.kata import catalog
from checker.learner.cells import call

Cell = dict[str, Any]

METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
ABOUT: Final = """# {belt} belt

Each kata is attention code that looks right and has one bug. Its docstring is the contract, and is
right. Fix the code and run the cell: its last line checks it. This needs a kernel with
`attention-katas` installed. Nothing is isolated here, and no progress is kept."""
KATA: Final = """## {kata.name}: {kata.title}

About {kata.minutes} minutes. Know first: {kata.know}.

Stuck? `hint("{kata.name}")` in a new cell gives the next hint, `{trace}` shows your arrays line by
line, and `load("{kata.name}")` restores the code."""


def notebooks() -> dict[str, str]:
    """The text of each notebook, by file name."""
    belts = itertools.groupby(catalog.katas().values(), lambda kata: kata.belt)
    return {f"{belt}.ipynb": _notebook(belt, list(katas)) for belt, katas in belts}


def _notebook(belt: str, katas: list[catalog.Kata]) -> str:
    cells = [
        _markdown("about", ABOUT.format(belt=belt.capitalize())),
        _code("tools", "from checker import check, hint, load, trace"),
        *itertools.chain.from_iterable(map(_kata, katas)),
    ]
    book = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _kata(kata: catalog.Kata) -> Iterator[Cell]:
    """What is said about a kata, and its code with the check."""
    yield _markdown(f"{kata.name}-about", KATA.format(kata=kata, trace=call("trace", kata)))
    yield _code(kata.name, f"{kata.text}\n\n{call('check', kata)}")


def _markdown(name: str, text: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def _code(name: str, text: str) -> Cell:
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": _lines(text)}
    return {**cell, "execution_count": None, "outputs": []}


def _lines(text: str) -> list[str]:
    """The lines as the format keeps them, so that a change shows as one in a diff."""
    return text.splitlines(keepends=True)
