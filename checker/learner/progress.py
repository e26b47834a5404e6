"""A learner's progress: `.katas/progress.json`, next to the folder of katas."""

import errno
import json
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from checker import files
from checker.kata.verdict import MAX_SCORE, Verdict

SCHEMA: Final = "attention-katas/progress/v1"
TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
PAUSE: Final = 15 * 60  # seconds; more without a grading or hint is not all work


@dataclass
class Record:
    """The history of one kata. Grading the same text again is not another attempt."""

    attempts: int = 0
    best: int = 0  # points
    seconds: int = 0  # of work, from one grading or hint to the next
    first_pass: str | None = None  # UTC
    hints: int = 0  # taken before the first pass
    reread: int = 0  # the last one read after it, which does not count
    spoiled: str | None = None  # when the story was read before a pass, UTC
    text: str | None = None  # the fingerprint of the text graded last
    score: int = 0  # its points
    held: str | None = None  # when its example first passed, in a bundle without invariants, UTC
    broken: list[str] = field(default_factory=list)  # the invariants that this text breaks

    @property
    def read(self) -> int:
        """The last hint read, before or after a pass."""
        return max(self.hints, self.reread)

    def __str__(self) -> str:
        if self.first_pass and self.score == MAX_SCORE:
            done = ["passed"]
        else:
            now = f"{self.score} of {MAX_SCORE} points"
            done = [f"passed, now {now}" if self.first_pass else now] if self.attempts else []
        for number, what in ((self.attempts, "attempt"), (self.hints, "hint")):
            done += [f"{number} {what}{'s' if number > 1 else ''}"] if number else []
        done += ["its example passes"] if self.held else []
        return ", ".join([*done, *(["story read"] if self.spoiled else [])])


@dataclass
class Progress:
    """All records by kata, and their file. `trouble` is a message for the learner."""

    file: Path
    records: dict[str, Record] = field(default_factory=dict)
    at: str | None = None  # the kata graded last
    last: str | None = None  # when there was a grading or hint, UTC
    trouble: str = ""

    def of(self, kata: str) -> Record:
        """The record of a kata, which may be changed and saved."""
        return self.records.setdefault(kata, Record())

    def passed(self, kata: str) -> bool:
        """Whether the kata was ever passed."""
        return self.of(kata).first_pass is not None

    def done(self, kata: str) -> bool:
        """Whether the kata was passed, or its example, in a bundle without invariants."""
        return self.passed(kata) or self.of(kata).held is not None

    def take_hint(self, kata: str, number: int) -> None:
        """Record that a hint was read; once the kata is done it does not count."""
        self._work_on(kata)
        if self.done(kata):
            self.of(kata).reread = number
        else:
            self.of(kata).hints = number

    def note(self, verdict: Verdict) -> None:
        """Record a verdict; if it is not graded it is not an attempt."""
        self._work_on(verdict.kata)
        record, self.at, text = self.of(verdict.kata), verdict.kata, verdict.fingerprint
        if not verdict.is_graded:
            record.text, record.held = text, record.held or (now() if verdict.kept else None)
            return
        record.attempts += text != record.text
        record.text, record.score = text, verdict.score
        record.best = max(record.best, verdict.score)
        record.broken = verdict.broken
        if verdict.status == "pass":
            record.first_pass = record.first_pass or now()

    def _work_on(self, kata: str) -> None:
        """Count the time since the last grading or hint as work on this kata, up to a pause."""
        before, self.last = self.last, now()
        if before:
            gap = datetime.strptime(self.last, TIME) - datetime.strptime(before, TIME)
            self.of(kata).seconds += max(0, min(PAUSE, int(gap.total_seconds())))

    def save(self) -> None:
        """Write all of it or nothing; if the folder is not writable, `trouble` says so."""
        records = {name: asdict(record) for name, record in self.records.items()}
        data = {"schema": SCHEMA, "at": self.at, "last": self.last, "katas": records}
        text = json.dumps(data, indent=1) + "\n"
        try:
            _check_folder(self.file.parent)
            self.file.parent.mkdir(exist_ok=True)
            with suppress(FileExistsError), (self.file.parent / ".gitignore").open("x") as ignore:
                ignore.write("*\n")
            files.write(self.file, text)
        except OSError as error:
            self.trouble = f"your progress could not be saved: {error}"


def load(workplace: Path) -> Progress:
    """The progress in a folder of katas. A file that cannot be used is renamed, never lost."""
    progress = Progress(workplace / ".katas" / "progress.json")
    try:
        data = json.loads(_text(progress.file))
        progress.records = {name: _record(one) for name, one in _katas(data).items()}
        progress.at = data.get("at") if isinstance(data.get("at"), str) else None
        progress.last = _time(data.get("last"))
    except FileNotFoundError:
        pass
    except OSError as error:
        progress.trouble = f"your progress could not be read: {error}"
    except (ValueError, RecursionError) as error:
        aside = _aside(progress.file)
        progress.trouble = f"{progress.file} is damaged ({error}): renamed to {aside}"
    return progress


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).strftime(TIME)


def _check_folder(folder: Path) -> None:
    """Check that the folder is no link, which could lead anywhere. Raises `OSError`."""
    if folder.is_symlink():
        raise OSError(errno.ELOOP, "it is a link, which is not followed", str(folder))


def _text(file: Path) -> str:
    """The text of a regular file. Raises `OSError` and `ValueError`."""
    _check_folder(file.parent)
    if not stat.S_ISREG(file.lstat().st_mode):
        raise ValueError("it is not a regular file")
    return file.read_text(encoding="utf-8")


def _katas(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f"it is not {SCHEMA}")
    katas = data.get("katas")
    if not isinstance(katas, dict):
        raise ValueError("it lists no katas")
    return katas


def _record(data: Any) -> Record:
    """One record, if every field has the type it is written with."""
    known = {each.name: getattr(Record(), each.name) for each in fields(Record)}
    if not isinstance(data, dict) or not data.keys() <= known.keys():
        raise ValueError("a record has unknown fields")
    for name, value in data.items():
        match known[name]:
            case None:
                fits = value is None or isinstance(value, str)
            case list():
                fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
            case _:
                fits = type(value) is int and value >= 0
        if not fits:
            raise ValueError(f"{name} is {value!r:.40}")
    return Record(**data)


def _time(value: Any) -> str | None:
    """A time as `now` writes it. Raises `ValueError` or `TypeError` for anything else."""
    if value is None:
        return None
    datetime.strptime(value, TIME)
    return str(value)


def _aside(file: Path) -> Path:
    """Rename the file to a free name."""
    number = 1
    while (aside := file.with_suffix(f".damaged-{number}.json")).exists():
        number += 1
    try:
        return file.rename(aside)
    except OSError:  # then it cannot be overwritten either
        return file
