"""Writing files: the one atomic write, and the one zip writer."""

import io
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the time of every entry of a zip: same files, same bytes
UNIX: Final = 3  # the system that created a zip entry, or its mode is ignored
PLAIN_FILE, SCRIPT = 0o644, 0o755


def write(file: Path, text: str) -> None:
    """Replace a file in one step, so that a reader or a crash sees the old text or the new one.

    Nothing is written where the file holds this text already; missing folders are created.
    """
    data = text.encode("utf-8", "backslashreplace")
    if _holds(file, data):
        return
    with named(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, data)


def _replace(file: Path, data: bytes) -> None:
    import tempfile

    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".new-")
    try:
        with open(descriptor, "wb") as new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        os.chmod(name, PLAIN_FILE)
        os.replace(name, file)
    except BaseException:
        with suppress(OSError):
            os.remove(name)
        raise


def create(file: Path, data: bytes) -> None:
    """Write a new file; missing folders are created. Raises `FileExistsError`."""
    with named(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "xb") as new:
            new.write(data)


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Let an error name this file: the system names none if the disk is full."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(file), None
        raise


def _holds(file: Path, data: bytes) -> bool:
    """Whether it is a regular file, and no link, with this content."""
    with suppress(OSError):
        found = file.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_size == len(data):
            return file.read_bytes() == data
    return False


def zipped(
    files: Mapping[str, bytes], mode: Callable[[str], int] = lambda name: PLAIN_FILE
) -> bytes:
    """A zip of the files, by path; equal files give equal bytes. `mode` gives each permissions."""
    import zipfile

    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = UNIX
            entry.external_attr = (stat.S_IFREG | mode(name)) << 16
            archive.writestr(entry, content)
    return data.getvalue()
