"""The table of `verify --faults`: how many mutants each fault gives of each kata's reference."""

from collections.abc import Iterator, Sequence

from checker.faults import FAULTS
from checker.kata.catalog import Kata
from checker.proof import mutation


def rows(katas: Sequence[Kata]) -> Iterator[str]:
    """A row per fault and a column per kata; a dot where the fault does not fit."""
    counts = [mutation.counts(mutation.of_reference(kata)) for kata in katas]
    yield _row("fault", [kata.name.removeprefix("kata") for kata in katas], "total")
    for fault in FAULTS:
        numbers = [count[fault.id] for count in counts]
        yield _row(fault.id, [str(number or ".") for number in numbers], str(sum(numbers)))
    totals = [count.total() for count in counts]
    yield _row(f"{len(FAULTS)} faults", [str(total) for total in totals], str(sum(totals)))


def _row(name: str, cells: list[str], total: str) -> str:
    width = max(len(fault.id) for fault in FAULTS)
    return f"{name:{width}} {''.join(cell.rjust(4) for cell in cells)} {total.rjust(6)}"
