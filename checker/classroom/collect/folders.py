"""What lies in a folder or a zip, and in the zips within it."""

import io
import os
import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
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
from checker.classroom.collect.zips import inner_zip, is_zip, source_zip

MAX_TOTAL: Final = 4096 * MiB  # that are read in all


def walk(source: Path) -> Iterator[Entry]:
    """Every file but those whose names say that no student wrote them, in the same order always.

    The path of what lies in a zip begins with that of the zip. Raises `Unusable`.
    """
    budget = Budget(MAX_TOTAL)
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(source).close()
            yield from _folder(source, (), budget)
        elif stat.S_ISREG(mode):
            with io.FileIO(source) as raw:
                yield from source_zip(raw, source.name, budget)
        else:
            raise Unusable(f"{source} is no folder and no zip")
    except Spent as spent:
        yield Entry((source.name,), str(spent))
    except (OSError, ValueError) as error:  # a ValueError for a NUL in its name
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"{source} cannot be read: {why}") from None


def _folder(folder: Path | str, parts: Parts, budget: Budget) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda each: each.name)
    except OSError as error:
        yield Entry((*parts, ""), f"the folder cannot be read: {error.strerror}")
        return
    if {"journal.jsonl", "seed.json"} <= {each.name for each in entries}:
        return  # what an earlier run has written
    for each in entries:
        here = (*parts, each.name)
        if ignored(each.name):
            continue
        budget.meet(here)
        try:
            found_there = each.stat(follow_symlinks=False)
        except OSError as error:
            yield Entry(here, f"it cannot be read: {error.strerror}")
            continue
        mode = found_there.st_mode
        if stat.S_ISDIR(mode) and len(here) > MAX_DEPTH:
            yield Entry((*here, ""), "the folder lies too deep")
        elif stat.S_ISDIR(mode):
            yield from _folder(each.path, here, budget)
        elif not stat.S_ISREG(mode):
            yield Entry(here, irregular(mode))
        elif is_zip(each.name):
            yield from _zip(each.path, here, budget)
        else:
            read = partial(_read, each.path, budget)
            yield Entry(here, "", _written(found_there), read)


def _written(found: os.stat_result) -> tuple[int, ...]:
    try:
        return tuple(time.gmtime(found.st_mtime)[:6])
    except (ValueError, OverflowError, OSError):  # a year that no calendar has
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
        raise Unread(f"it cannot be read: {error.strerror}") from None
    budget.spend(len(data))
    return data


def _open(path: str) -> io.FileIO:
    """The file, if it still is a regular one and no link. Raises `Unread`."""
    flags = sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))
    try:
        descriptor = os.open(path, os.O_RDONLY | flags)
    except OSError as error:
        raise Unread(f"it cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unread("no regular file")
    return io.FileIO(descriptor)
