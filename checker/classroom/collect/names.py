"""Names that others have chosen, made fit to be shown, compared and used for files."""

import hashlib
import re
import unicodedata
from typing import Final

from checker.plain import plain

SHOWN: Final = 300  # characters of a path that a person is shown
PORTABLE: Final = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|index)(?:\..*)?")
MAX_SAFE: Final = 80
DIGITS: Final = 20  # of a hash


def identity(text: str) -> str:
    """The text on one line without power over a terminal; different texts stay different.

    Only texts that Unicode holds to be the same, such as an e with an accent in one character
    and in two, become the same.
    """
    one = unicodedata.normalize("NFC", text)
    return printable(one.replace("\\", r"\\"))


def shown(parts: tuple[str, ...]) -> str:
    """A path for people: plain, and cut in its middle where it is very long."""
    half = SHOWN // 2
    path = "/".join(parts)
    return printable(path if len(path) <= SHOWN else f"{path[:half]} ... {path[-half:]}")


def printable(text: str) -> str:
    """The text made `plain`, tabs spelled out as well; most texts need nothing of it."""
    return text if text.isprintable() else plain(text.replace("\t", r"\t"))


def safe_name(student: str) -> str:
    """A name for a student's files: portable, at most 80 characters, and no other student's.

    A short lower-case ASCII name is itself; any other ends in `--` and a hash, which no name
    that is itself can.
    """
    if len(student) <= MAX_SAFE and PORTABLE.fullmatch(student) and not RESERVED.match(student):
        return student
    letters = unicodedata.normalize("NFKD", student[:MAX_SAFE]).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", letters.lower())[: MAX_SAFE - DIGITS - 2].strip("-")
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    return f"{slug or 'student'}--{digest}"
