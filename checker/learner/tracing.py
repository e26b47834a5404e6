"""A trace as lines for a terminal."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from checker.kata.source import python_lines
from checker.learner.steps import GIVEN, INNER, MADE, Array, Step
from checker.learner.trace import Trace
from checker.plain import MARK, lines, plain

VALUES: Final = 64  # numbers printed of an array
WIDTH: Final = 48  # characters of numbers that are printed instead of statistics
FEW: Final = 16  # numbers that are always printed
SHADES: Final = 40  # rows and columns drawn of a matrix


def render(trace: Trace, *, values: bool = False, heatmap: bool = False) -> Iterator[str]:
    """Each line of code once, with what it computed below."""
    code = python_lines(trace.source)
    if trace.broken:
        yield f"  FAIL  {trace.broken[0]}"
        yield from (f"        {plain(line)}" for line in trace.broken[1:])
    if trace.against:
        yield plain(trace.against.text)
    at = None
    for step in trace.steps:
        if step.kind == INNER and not (values or step.flags):
            continue
        if at != (step.call, step.line, step.kind == GIVEN):
            if not at or at[0] != step.call:
                yield _call(trace, step.call)
            at = step.call, step.line, step.kind == GIVEN
            if step.kind != GIVEN:
                text = code[step.line - 1].strip() if 0 < step.line <= len(code) else ""
                yield f"{step.line:>4}  {plain(text)}"
        yield _described(step)
        yield from (f"                  ! {plain(flag)}" for flag in step.flags)
        if step.array is not None and (values or step.array.size <= FEW):
            yield from _values(step.array)
        if heatmap and step.is_weights and step.array is not None:
            yield from _shades(step.array)
    if not trace.steps and not trace.stopped:
        yield "  no function in this file used an array"
    yield from (f"left out: {plain(what)}" for what in trace.left_out)
    if trace.stdout.strip():
        yield "Your code printed:"
        yield from lines(trace.stdout.rstrip(), f"  {MARK}")
    if trace.stopped:
        yield f"it stopped: {plain(trace.stopped)}"
        yield from (f"  {MARK}{plain(line)}" for line in trace.excerpt)


def _call(trace: Trace, number: int) -> str:
    call = trace.calls[number]
    origin = f", from line {call.line}" if call.caller else ""
    return f"-- call {number}: {plain(call.function)}{origin}"


def _described(step: Step) -> str:
    name = plain(step.name)
    if step.kind == INNER:
        name = f"({name})"
    facts = _facts(step)
    return f"        {name:<9} {facts}" if len(name) < 10 else f"        {name}  {facts}"


def _facts(step: Step) -> str:
    passes = f"  (pass {step.shown} of {step.times})" if step.times > 1 else ""
    if step.written and step.kind == MADE:
        passes += "  (in place)"
    array = step.array
    shape = str(tuple(step.shape))
    if array is None:
        return f"{shape:<14} {step.type:<8} too large to be recorded"
    if len(text := _text(array)) <= WIDTH:
        python = step.type in ("int", "float", "bool", "complex", "tuple", "list")
        return f"{text}{passes}" if python else f"{shape:<14} {step.type:<8} {text}{passes}"
    if array.size <= FEW:  # its numbers follow
        return f"{shape:<14} {step.type}{passes}"
    if step.type == "bool":
        return f"{shape:<14} bool     {array.sum()} of {array.size} True{passes}"
    facts = step.facts
    if facts["min"] is not None and facts["min"] == facts["max"]:
        facts = {"each": facts["min"]}
    digits = 12 if array.dtype.kind in "iu" else 4
    figures = [f"{name} {value:.{digits}g}" for name, value in facts.items() if value is not None]
    if array.dtype.kind == "f":
        counts = {"NaN": np.isnan(array), "inf": np.isposinf(array), "-inf": np.isneginf(array)}
        figures += [f"{found.sum()} {what}" for what, found in counts.items() if found.any()]
    return f"{shape:<14} {step.type:<8} {', '.join(figures)}{passes}"


def _text(array: Array) -> str:
    """The numbers in brackets; if there are many, too long a text to be shown."""
    if array.ndim:
        shown = ", ".join(_text(each) for each in array[: WIDTH // 2])
        return f"[{shown}]" if len(array) <= WIDTH // 2 else " " * len(shown) + " " * WIDTH
    return f"{array + 0:.4g}" if array.dtype.kind == "f" else str(array)


def _values(array: Array) -> Iterator[str]:
    if array.size > VALUES:
        yield f"                  ({array.size} numbers; at most {VALUES} are printed)"
    elif len(_text(array)) > WIDTH:
        text = np.array2string(array, precision=4, suppress_small=True)
        yield from (f"                  {line}" for line in text.splitlines() if line.strip())


def _shades(array: Array) -> Iterator[str]:
    """Each matrix as a picture, darker is more: one row per query, with its sum."""
    top = array.max() or 1.0
    yield f"                  (@@ is {top:.4g})"
    for where in np.ndindex(array.shape[:-2]):
        if where:
            yield f"                  {list(where)}"
        for row in array[where][:SHADES]:
            cells = "".join(
                2 * " .:-=+*#%@"[min(int(10 * value / top), 9)] for value in row[:SHADES]
            )
            yield f"                  |{cells}|  sum {row.sum():.4g}"
    if max(array.shape[-2:]) > SHADES:
        yield f"                  (at most {SHADES} rows and columns are drawn)"
