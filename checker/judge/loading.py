"""Load a file into a session for its verdict."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from checker.errors import NotGraded
from checker.judge import messages
from checker.kata.source import BadSource, Source
from checker.kata.verdict import Isolation, Verdict
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import SECONDS, Session

Start = Callable[[], Session]


@contextmanager
def loaded(
    verdict: Verdict, read: Callable[[], Source], start: Start, seconds: float = SECONDS
) -> Iterator[Session | None]:
    """A session that has run the file, or None if the verdict now says why there is none.

    Nothing in the file raises. On exit, what it printed and its duration are in the verdict.
    """
    started = time.monotonic()
    session = None
    try:
        try:
            source = read()
            verdict.sha256, verdict.fingerprint = source.sha256, source.fingerprint
            session = start()
            verdict.isolation = Isolation(session.level, session.layers, session.missing)
            session.load(verdict.file, source.text, seconds)
        except (Raised, BadSource, Lost, NotGraded) as error:
            messages.enter(verdict, error)
        yield session if session and not verdict.reason else None
    finally:
        if session:
            session.close()
            verdict.stdout = session.printed
        verdict.duration_ms = round(1000 * (time.monotonic() - started))
