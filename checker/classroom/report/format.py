"""How times are shown."""

from datetime import datetime
from typing import Final

TIMES: Final = 8  # of many times only the last ones are shown


def minute(at: datetime) -> str:
    """The time to the minute."""
    return at.isoformat(" ", "minutes")[:16]


def times(moments: list[datetime | None]) -> str:
    """Times as a list; only the last few if there are many."""
    shown = [minute(at) if at else "unknown" for at in moments[-TIMES:]]
    more = len(moments) - len(shown)
    return ", ".join([f"{more} more", *shown] if more else shown)
