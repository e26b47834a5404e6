"""A trace as a page that needs nothing but itself: source, arrays, heat maps."""

import json
from pathlib import Path
from typing import Final

from checker.learner.trace import Trace

TEMPLATE: Final = Path(__file__).with_name("trace.html")
SEEN: Final = "{{TRACE}}"


def page(trace: Trace) -> str:
    """The page of a trace; whatever a file holds becomes text of the page, never markup."""
    data = json.dumps(trace.to_json()).replace("<", "\\u003c")
    return TEMPLATE.read_text(encoding="utf-8").replace(SEEN, data)
