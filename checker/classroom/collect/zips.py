"""What lies in a zip and in the zips within it, read in memory: nothing is ever unpacked."""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Final

from checker.classroom.collect.entries import (
    MAX_DEPTH,
    Budget,
    Entry,
    MiB,
    Parts,
    Spent,
    Unread,
    Unusable,
    ignored,
    irregular,
)

MAX_FREE: Final = 16 * MiB  # that are read out of any zip, and of those within it,
MAX_RATIO: Final = 8  # and so many times its size: source text shrinks to a third, bombs to nothing
MAX_ARCHIVE: Final = 32 * MiB  # of a zip within a zip
MAX_CONTENTS: Final = 8 * MiB  # of a zip's table of contents,
MAX_SOURCE_CONTENTS: Final = 64 * MiB  # and of that of the zip that was named
MAX_LEVEL: Final = 4  # zips, each within the one before

DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError,
    LookupError, OverflowError,
)  # fmt: skip  # what zipfile raises over bytes that somebody has made up


class Guarded(io.BufferedReader):
    """A file for `zipfile`, which would take in a table of contents of any size in one go."""

    def __init__(self, raw: io.FileIO | io.BytesIO, limit: int) -> None:
        super().__init__(raw)
        self.limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, unless it is too much at once."""
        whole = size is None or size < 0
        data = super().read(self.limit + 1 if whole else min(size or 0, self.limit + 1))
        if len(data) > self.limit:
            raise zipfile.BadZipFile("its table of contents is too long")
        return data


def is_zip(name: str) -> bool:
    """Whether a file of this name is taken for a zip."""
    return name.lower().endswith(".zip")


def source_zip(raw: io.FileIO, name: str, budget: Budget) -> Iterator[Entry]:
    """What lies in the zip that was named. Raises `Unusable` and `Spent`."""
    with Guarded(raw, MAX_SOURCE_CONTENTS) as file:
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED as error:
            raise Unusable(f"{name} is no zip, or a damaged one ({error})") from None
        yield from _members(archive, (name,), budget, level=1)


def inner_zip(
    raw: io.FileIO | io.BytesIO, size: int, parts: Parts, budget: Budget, level: int = 1
) -> Iterator[Entry]:
    """What lies in a zip that lies in the source. Raises `Spent` where that of the whole is."""
    own = Budget(MAX_FREE + MAX_RATIO * size, budget)
    with Guarded(raw, MAX_CONTENTS) as file:
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED as error:
            yield Entry(parts, f"no zip, or a damaged one: {error}")
            return
        try:
            yield from _members(archive, parts, own, level)
        except Spent as spent:
            if spent.budget is not own:
                raise
            yield Entry(parts, str(spent))


def _members(archive: zipfile.ZipFile, parts: Parts, budget: Budget, level: int) -> Iterator[Entry]:
    for info in archive.infolist():
        name = _name(info)
        inside = tuple(part for part in name.split("/") if part not in ("", "."))
        outside = name.startswith("/") or ".." in inside or re.match("[A-Za-z]:", name)
        if name.endswith("/") or (not outside and any(map(ignored, inside))):
            continue
        here = (*parts, *inside)
        budget.meet(here)
        if outside:
            yield Entry((*parts, name), "its name leads out of the zip")
        elif not inside or len(here) > MAX_DEPTH:
            yield Entry((*parts, name), "it lies too deep" if inside else "it has no name")
        elif problem := _problem(info):
            yield Entry(here, problem)
        elif is_zip(name):
            yield from _nested(archive, info, here, budget, level + 1)
        else:
            yield Entry(here, "", info.date_time, partial(_read, archive, info, budget))


def _name(info: zipfile.ZipInfo) -> str:
    """The member's name; some say it in UTF-8 without saying so, or with backslashes."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def _problem(info: zipfile.ZipInfo) -> str:
    """Why a member is not read; empty if it may be."""
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return irregular(mode)
    if info.flag_bits & 0x41:
        return "it is encrypted: ask for it without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is compressed in an unusual way: ask for an ordinary zip"
    return ""


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, limit: int) -> bytes:
    try:
        with archive.open(info) as file:
            data = file.read(limit)
    except DAMAGED as error:
        raise Unread(f"it is damaged: {error}") from None
    budget.spend(len(data))
    return data


def _nested(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: Parts, budget: Budget, level: int
) -> Iterator[Entry]:
    if level > MAX_LEVEL:
        yield Entry(parts, f"a zip within {MAX_LEVEL} others: not opened")
        return
    try:
        data = _read(archive, info, budget, MAX_ARCHIVE + 1)
    except Spent:
        raise
    except Unread as unread:
        yield Entry(parts, str(unread))
        return
    if len(data) > MAX_ARCHIVE:
        yield Entry(parts, f"the zip has more than {MAX_ARCHIVE // MiB} MiB: not opened")
    else:
        yield from inner_zip(io.BytesIO(data), len(data), parts, budget, level)
