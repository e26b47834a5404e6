"""Walk over the files in a folder or a zip, and in the zips inside it."""

import io
import os
import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from checker.classroom.collect.entries import (
    MAX_DEPTH,
    Budget,
    Entry,
    Parts,
    Spent,
    Unread,
    Unusable,
    ignored,
    irregular,
    within,
)
from checker.classroom.collect.names import KATA_FILE
from checker.classroom.collect.shares import Shares
from checker.classroom.collect.zips import inner_zip, is_zip, source_zip
from checker.classroom.output import FOLDERS, JOURNAL, MANIFEST


def walk(source: Path) -> Iterator[Entry]:
    """Every file except those that no student wrote, always in the same order.

    The path of a file in a zip starts with the path of the zip. Raises `Unusable`.
    """
    budget = Shares()
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(source).close()
            yield from _folder(source, (), budget)
        elif stat.S_ISREG(mode):
            with io.FileIO(source) as raw:
                yield from source_zip(raw, source.name, budget)
        else:
            raise Unusable(f"{source} is neither a folder nor a zip")
    except Spent as spent:
        raise Unusable(f"{source}, around all students: {spent}; unpack it first") from None
    except (OSError, ValueError) as error:  # a ValueError for a NUL in its name
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"{source} cannot be read: {why}") from None


def _folder(folder: Path | str, parts: Parts, budget: Budget) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda each: each.name)
    except OSError as error:
        yield Entry((*parts, ""), f"the folder cannot be read: {error.strerror}")
        return
    if _is_output(entries):
        return
    entries = [each for each in entries if not ignored(each.name)]
    tops = [each.name for each in entries if is_zip(each.name) or _is_folder(each)]
    budget_of = budget.split(tops, (each.name for each in entries))
    for each in entries:
        here, own = (*parts, each.name), budget_of(each.name)
        if own is budget:
            yield from _item(each, here, budget)
        else:
            end = (*here, "") if _is_folder(each) else here
            yield from within(own, end, _item(each, here, own))


def _is_folder(item: os.DirEntry[str]) -> bool:
    return item.is_dir(follow_symlinks=False)


def _is_output(entries: list[os.DirEntry[str]]) -> bool:
    """Whether a folder was written by an earlier run; one with anything to grade was not."""
    names = {each.name for each in entries if not ignored(each.name)}
    folders = {each.name for each in entries if _is_folder(each)} & names
    return (
        {MANIFEST, JOURNAL} <= names
        and folders <= set(FOLDERS)
        and not any(KATA_FILE.fullmatch(name) or is_zip(name) for name in names)
    )


def _item(item: os.DirEntry[str], parts: Parts, budget: Budget) -> Iterator[Entry]:
    """A file, or what is in a folder or a zip. Raises `Spent`."""
    budget.charge(parts)
    try:
        status = item.stat(follow_symlinks=False)
    except OSError as error:
        yield Entry(parts, f"cannot be read: {error.strerror}")
        return
    if stat.S_ISDIR(status.st_mode) and len(parts) > MAX_DEPTH:
        yield Entry((*parts, ""), "the folder is nested too deeply")
    elif stat.S_ISDIR(status.st_mode):
        yield from _folder(item.path, parts, budget)
    elif not stat.S_ISREG(status.st_mode):
        yield Entry(parts, irregular(status.st_mode))
    elif is_zip(item.name):
        yield from _zip(item.path, parts, budget)
    else:
        read = partial(_read, item.path, budget)
        yield Entry(parts, "", _time(status), status.st_size, read)


def _time(status: os.stat_result) -> tuple[int, ...]:
    try:
        return tuple(time.gmtime(status.st_mtime)[:6])
    except (ValueError, OverflowError, OSError):  # a year out of range
        return ()


def _zip(path: str, parts: Parts, budget: Budget) -> Iterator[Entry]:
    try:
        raw = _open(path)
    except Unread as unread:
        yield Entry(parts, str(unread))
        return
    yield from inner_zip(raw, os.fstat(raw.fileno()).st_size, parts, budget)


def _read(path: str, budget: Budget, limit: int) -> bytes:
    try:
        with io.BufferedReader(_open(path)) as file:
            data = file.read(limit) or b""
    except OSError as error:
        raise Unread(f"cannot be read: {error.strerror}") from None
    budget.spend(len(data))
    return data


def _open(path: str) -> io.FileIO:
    """The file, if it is still a regular file and not a link. Raises `Unread`."""
    flags = sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))
    try:
        descriptor = os.open(path, os.O_RDONLY | flags)
    except OSError as error:
        raise Unread(f"cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unread("not a regular file")
    return io.FileIO(descriptor)
