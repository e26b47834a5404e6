"""Read the files in a zip, and in the zips inside it, in memory: nothing is unpacked to disk."""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
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
    within,
)

# From any zip, with the zips inside it, at most MAX_FREE + MAX_RATIO * its size is read. Source
# text compresses to about a third, a zip bomb to almost nothing.
MAX_FREE: Final = 16 * MiB
MAX_RATIO: Final = 8
MAX_ARCHIVE: Final = 32 * MiB  # of a zip inside a zip
MAX_CONTENTS: Final = 8 * MiB  # of a zip's table of contents
MAX_SOURCE_CONTENTS: Final = 64 * MiB  # of the table of contents of the zip given as source
MAX_LEVEL: Final = 4  # nested zips

DAMAGED: Final = (  # what zipfile raises on corrupt or forged bytes
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    LookupError,
    OverflowError,
)


class Guarded(io.BufferedReader):
    """A file for `zipfile`, which otherwise reads a table of contents of any size at once."""

    def __init__(self, raw: io.FileIO | io.BytesIO, limit: int) -> None:
        super().__init__(raw)
        self.limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, but raise `BadZipFile` if it is too much at once."""
        whole = size is None or size < 0
        data = super().read(self.limit + 1 if whole else min(size or 0, self.limit + 1))
        if len(data) > self.limit:
            raise zipfile.BadZipFile("its table of contents is too long")
        return data


def is_zip(name: str) -> bool:
    """Whether a file of this name is treated as a zip."""
    return name.lower().endswith(".zip")


def source_zip(raw: io.FileIO, name: str, budget: Budget) -> Iterator[Entry]:
    """The files in the zip given as source. Raises `Unusable` and `Spent`."""
    with Guarded(raw, MAX_SOURCE_CONTENTS) as file:
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED as error:
            raise Unusable(f"{name} is not a zip, or is damaged ({error})") from None
        yield from _members(archive, (name,), budget, level=1)


def inner_zip(
    raw: io.FileIO | io.BytesIO, size: int, parts: Parts, budget: Budget, level: int = 1
) -> Iterator[Entry]:
    """The files in a zip inside the source. Raises `Spent` if the total budget is spent."""
    own = budget if budget.is_shared else Budget(MAX_FREE + MAX_RATIO * size, budget)
    with Guarded(raw, MAX_CONTENTS) as file:
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED as error:
            yield Entry(parts, f"not a zip, or damaged: {error}")
            return
        found = _members(archive, parts, own, level)
        yield from found if own is budget else within(own, parts, found)


def _members(archive: zipfile.ZipFile, parts: Parts, budget: Budget, level: int) -> Iterator[Entry]:
    infos = [info for info in archive.infolist() if not _is_ignored(info)]
    paths = [_inside(info) for info in infos]
    budget_of = _split(budget, paths)
    for info, inside in zip(infos, paths, strict=True):
        own = budget_of(inside)
        found = _member(archive, info, parts, own, level)
        yield from found if own is budget else within(own, (*parts, *inside), found)


def _split(budget: Budget, paths: list[Parts]) -> Callable[[Parts], Budget]:
    """Whose budget each path counts for."""
    levels: list[Callable[[str], Budget]] = []  # the first, and those below a wrapping folder
    below = paths if budget.is_shared else []
    while below:
        tops = {path[0] for path in below if path[1:] or (path and is_zip(path[0]))}
        levels.append(budget.split(tops, {path[0] for path in below if len(path) == 1}))
        wrapper = next((name for name in tops if levels[-1](name) is budget), "")
        below = [path[1:] for path in below if path[:1] == (wrapper,) and not is_zip(wrapper)]

    def budget_of(path: Parts) -> Budget:
        owned = (split(name) for split, name in zip(levels, path, strict=False))
        return next((own for own in owned if own is not budget), budget)

    return budget_of


def _inside(info: zipfile.ZipInfo) -> Parts:
    return tuple(part for part in _name(info).split("/") if part not in ("", "."))


def _leads_out(info: zipfile.ZipInfo) -> bool:
    name = _name(info)
    return name.startswith("/") or ".." in _inside(info) or bool(re.match("[A-Za-z]:", name))


def _is_ignored(info: zipfile.ZipInfo) -> bool:
    """Whether it is a folder, or nothing that a student wrote."""
    software = not _leads_out(info) and any(map(ignored, _inside(info)))
    return _name(info).endswith("/") or software


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: Parts, budget: Budget, level: int
) -> Iterator[Entry]:
    """A file, or what is in a zip. Raises `Spent`."""
    name, inside = _name(info), _inside(info)
    here = (*parts, *inside)
    budget.charge(here)
    if _leads_out(info):
        yield Entry((*parts, name), "its path leads out of the zip")
    elif not inside:
        yield Entry((*parts, name), "it has no name")
    elif len(here) > MAX_DEPTH:
        yield Entry((*here[:MAX_DEPTH], here[-1]), "nested too deeply")
    elif problem := _problem(info):
        yield Entry(here, problem)
    elif is_zip(name):
        yield from _nested(archive, info, here, budget, level + 1)
    else:
        read = partial(_read, archive, info, budget)
        yield Entry(here, "", info.date_time, info.file_size, read)


def _name(info: zipfile.ZipInfo) -> str:
    """The member's path; some zips use UTF-8 without declaring it, or backslashes."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def _problem(info: zipfile.ZipInfo) -> str:
    """Why a member is not read; empty if it can be."""
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return irregular(mode)
    if info.flag_bits & 0x41:
        return "encrypted: ask for a zip without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "unsupported compression: ask for an ordinary zip"
    return ""


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, limit: int) -> bytes:
    try:
        with archive.open(info) as file:
            data = file.read(limit)
    except DAMAGED as error:
        raise Unread(f"damaged: {error}") from None
    budget.spend(len(data))
    return data


def _nested(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: Parts, budget: Budget, level: int
) -> Iterator[Entry]:
    if level > MAX_LEVEL:
        yield Entry(parts, f"zips nested more than {MAX_LEVEL} deep are not opened")
        return
    try:
        data = _read(archive, info, budget, MAX_ARCHIVE + 1)
    except Spent:
        raise
    except Unread as unread:
        yield Entry(parts, str(unread))
        return
    if len(data) > MAX_ARCHIVE:
        yield Entry(parts, f"the zip is larger than {MAX_ARCHIVE // MiB} MiB: not opened")
    else:
        yield from inner_zip(io.BytesIO(data), len(data), parts, budget, level)
