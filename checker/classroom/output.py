"""The output folder of a class: only what was written here before is replaced or removed."""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from checker import files
from checker.errors import CheckerError

MANIFEST: Final = "written.json"
SCHEMA: Final = "attention-katas/output/v1"
JOURNAL: Final = "journal.jsonl"
FOLDERS: Final = ("feedback", "reports")
OURS: Final = re.compile(r"(?:(?:feedback|reports)/)?\w[\w.-]*", re.ASCII)  # within the folder


class NotOurs(CheckerError):
    """A folder or a file belongs to somebody else; the message says which, and what to do."""


class OutputFolder:
    """A folder with a manifest of the files that were written into it."""

    def __init__(self, path: Path) -> None:
        """Open a new, an empty or an earlier output folder. Raises `NotOurs`."""
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        if (path / MANIFEST).is_file():
            self.written = self._read()
        elif other := next((one for one in os.listdir(path) if not one.startswith(".")), None):
            raise NotOurs(f"{path} already has other files ({other}): choose another --out")
        else:
            self.written = set[str]()

    def claim(self, names: Iterable[str]) -> None:
        """Enter files that are about to be written. Raises `NotOurs` if one is somebody else's."""
        wanted = set(names)
        for name in sorted({*FOLDERS, *wanted}):
            if (self.path / name).is_symlink():
                raise NotOurs(f"{self.path / name} is a link: remove it, or choose another --out")
        for name in sorted(wanted - self.written):
            if os.path.lexists(self.path / name):
                raise NotOurs(
                    f"{self.path / name} was not written by grade: move it, or choose another --out"
                )
        if not wanted <= self.written:
            self._enter(self.written | wanted)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, if they were written here."""
        gone = self.written & set(names)
        for name in gone:
            (self.path / name).unlink(missing_ok=True)
        if gone:
            self._enter(self.written - gone)

    def _enter(self, names: set[str]) -> None:
        self.written = names
        text = json.dumps({"schema": SCHEMA, "files": sorted(names)}, indent=1)
        files.write(self.path / MANIFEST, f"{text}\n")

    def _read(self) -> set[str]:
        """The files in the manifest, without any that would lie outside of the folder."""
        try:
            data = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
            if data["schema"] == SCHEMA:
                return {name for name in data["files"] if OURS.fullmatch(name)}
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise NotOurs(f"{self.path / MANIFEST} is damaged: choose another --out")
