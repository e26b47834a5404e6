"""What is said after the last kata: how it went, and where to go next."""

from collections.abc import Iterator

from checker.kata import catalog
from checker.learner.progress import PAUSE, Progress


def recap(known: Progress) -> Iterator[str]:
    """Minutes, attempts, hints, the kinds of bug that were hard twice, and the next command."""
    katas = list(catalog.katas().values())
    records = [known.of(kata.name) for kata in katas]
    minutes = round(sum(record.seconds for record in records) / 60)
    attempts = sum(record.attempts for record in records)
    hints = sum(record.hints for record in records)
    yield f"That was the last one. Well done! All {len(katas)} katas:"
    yield f"  minutes     about {minutes} (a pause counts as {PAUSE // 60} at most)"
    yield f"  attempts    {attempts}"
    yield f"  hints       {hints}"
    if all(kata.family for kata in katas):  # students are not told the kinds
        yield f"  hard twice  {_hard_twice(known) or 'no kind of bug'}"
        yield "(hard: more than one attempt, a hint, or the story read first)"
    if katas[0].has("reference"):
        yield "The stories name public reports: the same bugs in code that people use."
    hardest = max(katas, key=lambda kata: _effort(known, kata))
    yield f"next: python -m checker reset {hardest.name}  (your hardest: again, without a hint)"


def _effort(known: Progress, kata: catalog.Kata) -> int:
    """How much a kata took: attempts, hints, and the story if it was read first."""
    record = known.of(kata.name)
    return record.attempts + record.hints + bool(record.spoiled)


def _hard_twice(known: Progress) -> str:
    """The kinds of bug that were hard in two katas or more."""
    hard: dict[str, list[str]] = {}
    for kata in catalog.katas().values():
        if _effort(known, kata) > 1:
            hard.setdefault(kata.family, []).append(kata.name)
    again = {family: names for family, names in hard.items() if len(names) > 1}
    return "; ".join(f"{family} ({', '.join(names)})" for family, names in again.items())
