"""How names and times are shown: safe, short, and the same on every page."""

from datetime import UTC, datetime
from typing import Final

from checker.classroom.results import Batch
from checker.plain import plain

NAME: Final = 80  # characters that are shown of a name
TIMES: Final = 8  # times that are shown of many: the last ones


def who(batch: Batch, student: str) -> str:
    """A student's name, where it is known, and the identifier."""
    name = batch.names.get(student)
    return f"{cut(name)} ({cut(student)})" if name else cut(student)


def cut(text: str, most: int = NAME) -> str:
    """The beginning of a text, in one line and without power over what it stands in."""
    return plain(text[:most]) + ("…" if len(text) > most else "")


def moment(when: str | None) -> datetime | None:
    """The time that a text names, in UTC unless it says otherwise; None if it names none."""
    try:
        found = datetime.fromisoformat(when or "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def minute(at: datetime) -> str:
    """The time to the minute."""
    return at.isoformat(" ", "minutes")[:16]


def times(all_of_them: list[str | None]) -> str:
    """Times in a row, the last few if they are many."""
    last = all_of_them[-TIMES:]
    more = len(all_of_them) - len(last)
    return ", ".join([*([f"{more} more"] if more else []), *map(_time, last)])


def _time(when: str | None) -> str:
    at = moment(when)
    return minute(at) if at else cut(when or "unknown")
