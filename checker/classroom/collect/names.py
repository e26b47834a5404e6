"""Names chosen by other people, made safe to show, to compare, and to use for files."""

import hashlib
import re
import unicodedata
from typing import Final

from checker.plain import plain

KATA_FILE: Final = re.compile(
    r"kata[ _-]?0{0,9}([0-9]{1,3})(?:-([0-9]{1,9})|[ _]?\(([0-9]{1,9})\))?\.py(?:\.txt)?",
    re.ASCII | re.IGNORECASE,
)
PATH: Final = 300  # characters of a path that are shown
NAME: Final = 80  # characters of a name that are shown
PORTABLE: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|index)(?:\..*)?")
MAX_SAFE: Final = 80
DIGITS: Final = 20  # of a hash


def identity(text: str) -> str:
    """The text on one line, safe for a terminal; different texts stay different.

    Only texts that Unicode considers equal, such as é as one character or two, become the same.
    """
    one = unicodedata.normalize("NFC", text)
    return printable(one.replace("\\", r"\\"))


def display_path(parts: tuple[str, ...]) -> str:
    """A path for people: plain, and shortened in the middle if it is very long."""
    half = PATH // 2
    path = "/".join(parts)
    return printable(path if len(path) <= PATH else f"{path[:half]} ... {path[-half:]}")


def display_name(student: str, name: str) -> str:
    """A student's name, if it is known, and identifier."""
    return f"{cut(name)} ({cut(student)})" if name else cut(student)


def cut(text: str, most: int = NAME) -> str:
    """The start of a text on one line, safe wherever it is shown."""
    return plain(text[:most]) + ("…" if len(text) > most else "")


def printable(text: str) -> str:
    """The text made `plain`, with tabs spelled out too; most texts stay as they are."""
    return text if text.isprintable() else plain(text.replace("\t", r"\t"))


def safe_name(student: str) -> str:
    """A name for a student's files: portable, at most 80 characters, unique per student.

    A short lower-case ASCII name stays as it is; any other ends in `--` and a hash, which no
    unchanged name does.
    """
    if len(student) <= MAX_SAFE and PORTABLE.fullmatch(student) and not RESERVED.match(student):
        return student
    letters = unicodedata.normalize("NFKD", student[:MAX_SAFE]).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", letters.lower())[: MAX_SAFE - DIGITS - 2].strip("-")
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    return f"{slug or 'student'}--{digest}"
