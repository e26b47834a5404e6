"""Who handed in what, and when, as an export of Gradescope's has it."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

METADATA: Final = "submission_metadata.yml"
MAX_WORD: Final = 255  # characters
TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)")


class Unreadable(Exception):
    """Nothing is known of the submissions; the message says why."""


@dataclass(frozen=True)
class Submitter:
    """One student of those who handed in together; what is not known is empty."""

    name: str
    sid: str
    email: str


@dataclass(frozen=True)
class Handed:
    """One submission."""

    submitters: tuple[Submitter, ...]
    when: str | None


def read_metadata(data: bytes) -> dict[str, Handed]:
    """The submissions by the names of their folders. Raises `Unreadable`."""
    try:
        import yaml
    except ImportError:
        raise Unreadable(
            "it has the names; to read it: pip install 'attention-katas[classroom]'"
        ) from None
    # The safest there is: strings, lists and dictionaries alone, so that an id keeps its zeros.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        tree = yaml.load(data, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Unreadable(f"it is damaged: {' '.join(str(error).split())}") from None
    if not isinstance(tree, dict):
        raise Unreadable("it is damaged: it names no submissions")
    return {str(name): _handed(each) for name, each in tree.items() if isinstance(each, dict)}


def utc(text: str) -> str | None:
    """A time as 2026-11-30T12:00:00Z; None where it is none or says no zone."""
    match = TIME.fullmatch(text.strip())
    if not match:
        return None
    zone = "+00:00" if match[3] in ("Z", "UTC") else match[3]
    try:
        time = datetime.fromisoformat(f"{match[1]}T{match[2]}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _handed(record: dict[Any, Any]) -> Handed:
    listed = record.get(":submitters")
    people = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    submitters = (Submitter(*(_word(each, key) for key in (":name", ":sid", ":email")))
                  for each in people)  # fmt: skip
    known = tuple(each for each in submitters if each.name or each.sid or each.email)
    return Handed(known, utc(_word(record, ":created_at")))


def _word(record: dict[Any, Any], key: str) -> str:
    value = record.get(key)
    text = value.strip() if isinstance(value, str) else ""
    return "" if text in ("~", "null") or len(text) > MAX_WORD else text
