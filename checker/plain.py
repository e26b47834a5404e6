"""Foreign text made safe to show: names, code, and what code printed."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

MARK: Final = "| "  # before a line that somebody else wrote
LINE: Final = 240  # characters shown of a line
LINES: Final = 40  # lines shown of a text
CONTROL: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")  # Unicode categories that a terminal may act on
SHAPE: Final = re.compile(r"[(\[][-\d., ]{1,40}[)\]]")  # of an array, or an index: never cut
LOG_COMMAND: Final = re.compile(r"##(?=\[|vso\[)")  # anywhere in a line of a build log


def plain(text: str) -> str:
    """The text on one line, with control characters spelled out and tabs expanded."""
    return "".join(
        char.encode("unicode_escape", "surrogatepass").decode()
        if unicodedata.category(char) in CONTROL
        else char
        for char in text.expandtabs(4)
    )


def for_people(text: str) -> str:
    """A line that neither a terminal nor a build log, such as GitHub's, takes for a command."""
    line = LOG_COMMAND.sub("# #", plain(text))
    return f"{MARK}{line}" if line.lstrip().startswith("::") else line


def marked(text: str, indent: str = "") -> Iterator[str]:
    """The first lines of a message; all but the first are marked, so that none passes for ours."""
    for number, line in enumerate(lines(text)):
        yield f"{indent}{MARK if number else ''}{line}"


def lines(text: str, indent: str = "", most: int = LINES, width: int = LINE) -> Iterator[str]:
    """The first lines of a text, each plain, cut and indented."""
    found = text.split("\n")
    for line in found[:most]:
        shapes = SHAPE.finditer(line[: 2 * width])
        end = next((each.start() for each in shapes if each.start() < width < each.end()), width)
        rest = f" ... ({len(line):,} characters)" if len(line) > width else ""
        yield f"{indent}{plain(line[:end])}{rest}"
    if len(found) > most:
        yield f"{indent}... ({len(found):,} lines)"
