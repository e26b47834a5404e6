"""Read a student's file, and report whatever is wrong with it."""

import codecs
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checker.errors import CheckerError

MAX_BYTES: Final = 256 * 1024
COOKIE: Final = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # see PEP 263


class BadSource(CheckerError):
    """The file cannot be read as source; `reason` is a word of the verdict's schema."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


@dataclass(frozen=True)
class Source:
    """The text of a file, and its bytes."""

    text: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The hash of the bytes."""
        import hashlib

        return hashlib.sha256(self.data).hexdigest()

    @property
    def fingerprint(self) -> str:
        """The hash of the text; see `fingerprint`."""
        return fingerprint(self.text)


def fingerprint(text: str) -> str:
    """The SHA-256 of a text, ignoring line endings, which a checkout may change."""
    import hashlib

    return hashlib.sha256("\n".join(python_lines(text)).encode()).hexdigest()


def python_lines(text: str) -> list[str]:
    """The lines as Python counts them: a form feed, among others, does not end one."""
    lines = re.split("\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def read(path: Path) -> Source:
    """The source in a regular file; see `parse`. Raises `BadSource`."""
    return parse(*_read_bytes(path))


def parse(data: bytes, size: int) -> Source:
    """The source in a file of UTF-8 text, at most 256 KiB. Raises `BadSource`.

    `size` is the true size of the file, `data` may be cut if that is too large.
    """
    if size > MAX_BYTES:
        raise BadSource("too-large", f"the file has {size:,} bytes, more than {MAX_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSource("unreadable", f"line {line} is not UTF-8: save the file as UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadSource("unreadable", f"line {line} has a NUL byte: is this really a text file?")
    for first in text.split("\n")[:2]:
        cookie = COOKIE.match(first)
        if cookie and _codec(cookie[1]) != "utf-8":
            raise BadSource(
                "unreadable", f"it declares {cookie[1][:40]} encoding: save it as UTF-8"
            )
    if not text.strip():
        raise BadSource("unreadable", "the file is empty")
    return Source(text, data)


def _read_bytes(path: Path) -> tuple[bytes, int]:
    """The first bytes of a regular file, and its size. Raises `BadSource`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:  # a ValueError for a NUL in its name
        why = getattr(error, "strerror", None) or error
        raise BadSource("unreadable", f"the file cannot be read: {why}") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise BadSource("unreadable", f"the file cannot be read: it is {kind}")
    with open(descriptor, "rb") as file:
        try:
            data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise BadSource("unreadable", f"the file cannot be read: {error.strerror}") from None
    if data is None:  # a system file that would block
        raise BadSource("unreadable", "the file cannot be read: it has no data yet")
    is_cut = len(data) > MAX_BYTES  # a system file has data, but no size
    return data, max(found.st_size, len(data)) if is_cut else len(data)


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name.removesuffix("-sig")
    except LookupError:
        return name
