"""A verdict as lines for a terminal."""

from collections.abc import Iterator

from checker.kata.catalog import Kata
from checker.kata.verdict import NO_INVARIANTS, Check, Verdict
from checker.plain import MARK, lines, marked, plain

BRIEF = 3, 80  # lines of what the code printed, and characters of each
MARKS = {"kept": "ok  ", "broken": "FAIL", "error": "FAIL", "timeout": "FAIL", "skipped": "--  "}


def render(
    verdict: Verdict,
    kata: Kata,
    options: str = "",
    *,
    after: Kata | None = None,
    brevity: int = 0,
) -> Iterator[str]:
    """The lines of a verdict; the last one is the next command.

    That is the same command with `options`, or after a pass the kata that comes `after`. The higher
    `brevity`, the less is shown, but always the title and the first FAIL.
    """
    yield f"{verdict.kata}  {verdict.title}"
    yield ""
    if any(check.status != "skipped" for check in verdict.checks):
        yield from _checks(verdict.checks, brevity)
        yield ""
    if verdict.stdout.strip():
        yield "Your code printed:"
        yield from lines(verdict.stdout.rstrip(), f"  {MARK}", *(BRIEF if brevity else ()))
        yield ""
    yield from _outcome(verdict)
    if brevity:
        command = f"python -m checker {kata.name} {options}".rstrip()
        yield f"(shortened to fit the terminal; in full: {command} | more)"
    if verdict.isolation.level == "process" and verdict.isolation.missing:
        yield f"(isolation: {verdict.isolation.level}; {'; '.join(verdict.isolation.missing)})"
    yield f"next: {_next(verdict, kata, options, after)}"


def _checks(checks: list[Check], brevity: int) -> Iterator[str]:
    """What is broken, then the others; if brief, these are only counted, and so are the last FAILs.

    All FAILs are shown up to a brevity of one, and each step beyond leaves out one more.
    """
    broken = [check for check in checks if check.status not in ("kept", "skipped")]
    others = [check for check in checks if check not in broken]
    full = broken[: max(1, len(broken) - max(0, brevity - 1))]
    said = ""
    for check in full:
        yield f"  {MARKS[check.status]}  {check.statement}"
        if check.message:
            message = "the same as above" if check.message == said else check.message
            yield from marked(message, 8 * " ")
            said = check.message
    if len(full) < len(broken):
        yield f"  FAIL  and {len(broken) - len(full)} more"
    for check in others if not brevity else ():
        yield f"  {MARKS[check.status]}  {check.statement}"
    if brevity and (kept := sum(check.status == "kept" for check in others)):
        yield f"  ok    {kept} of {len(checks)}"


def _outcome(verdict: Verdict) -> Iterator[str]:
    broken = sum(check.status != "kept" for check in verdict.checks)
    points = f", {verdict.score} of {verdict.max_score} points" if verdict.is_graded else ""
    file = plain(verdict.file)
    match verdict.status:
        case "pass":
            yield f"PASS: all {len(verdict.checks)} invariants kept{points}."
        case "fail":
            yield f"{broken} of {len(verdict.checks)} invariants broken{points}."
        case "error":
            yield f"{file} could not be judged ({verdict.reason}){points}:"
        case "not-graded" if verdict.reason == NO_INVARIANTS:
            yield f"The example {'passes' if verdict.kept else 'fails'}."
        case "not-graded":
            yield f"{file} could not be graded (a checker problem, not yours):"
    if verdict.message:
        yield from marked(verdict.message, "  ")
    yield from (line for text in verdict.excerpt for line in lines(text, f"  {MARK}"))
    if not verdict.is_graded:
        yield "Nothing is graded here: only your instructor has the hidden tests."


def _next(verdict: Verdict, kata: Kata, options: str, after: Kata | None) -> str:
    if verdict.status == "pass" or (verdict.kept and verdict.reason == NO_INVARIANTS):
        story = f"python -m checker explain {kata.name}, then " if kata.has("reference") else ""
        return f"{story}python -m checker{f' {after.name}' if after else ''}"
    if verdict.status == "not-graded" and verdict.reason != NO_INVARIANTS:
        return "python -m checker doctor"
    again = f"edit {plain(verdict.file)}, then python -m checker {kata.name} {options}".rstrip()
    stuck = f"  (stuck: python -m checker hint {kata.name})"
    return again + ("" if verdict.status == "error" else stuck)
