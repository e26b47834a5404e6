"""Who handed in what and when, from the metadata file of a Gradescope export."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

METADATA: Final = "submission_metadata.yml"
MAX_WORD: Final = 255  # characters
TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)")


class Unreadable(Exception):
    """The file says nothing about the submissions; the message says why."""


@dataclass(frozen=True)
class Submitter:
    """One of the students who handed in together; unknown fields are empty."""

    name: str
    sid: str
    email: str


@dataclass(frozen=True)
class Upload:
    """One submission: who handed it in, and when."""

    submitters: tuple[Submitter, ...] = ()
    when: datetime | None = None


UNKNOWN: Final = Upload()


def read_metadata(data: bytes) -> dict[str, Upload]:
    """The uploads by the names of their folders. Raises `Unreadable`."""
    try:
        import yaml
    except ImportError:
        raise Unreadable(
            "student names not read: pip install 'attention-katas[classroom]'"
        ) from None
    # The safest loader: only strings, lists and dictionaries, so that an id keeps its zeros.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        tree = yaml.load(data, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Unreadable(f"damaged: {' '.join(str(error).split())}") from None
    if not isinstance(tree, dict):
        raise Unreadable("damaged: it lists no submissions")
    return {str(name): _upload(each) for name, each in tree.items() if isinstance(each, dict)}


def parse_time(text: str) -> datetime | None:
    """A time in UTC; None if the text is not a time or names no zone."""
    match = TIME.fullmatch(text.strip())
    if not match:
        return None
    zone = "+00:00" if match[3] in ("Z", "UTC") else match[3]
    try:
        return datetime.fromisoformat(f"{match[1]}T{match[2]}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _upload(record: dict[Any, Any]) -> Upload:
    listed = record.get(":submitters")
    people = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    submitters = [
        Submitter(_word(each, ":name"), _word(each, ":sid"), _word(each, ":email"))
        for each in people
    ]
    known = tuple(each for each in submitters if each.name or each.sid or each.email)
    return Upload(known, parse_time(_word(record, ":created_at")))


def _word(record: dict[Any, Any], key: str) -> str:
    value = record.get(key)
    text = value.strip() if isinstance(value, str) else ""
    return "" if text in ("~", "null") or len(text) > MAX_WORD else text
