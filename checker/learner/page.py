"""A trace as a self-contained page: source, arrays, heat maps."""

import json
from pathlib import Path
from typing import Final

from checker.learner.trace import Trace

TEMPLATE: Final = Path(__file__).with_name("trace.html")
SEEN: Final = "{{TRACE}}"


def page(trace: Trace) -> str:
    """The page of a trace; the content of a file becomes text, never markup."""
    data = json.dumps(trace.to_json()).replace("<", "\\u003c")
    return TEMPLATE.read_text(encoding="utf-8").replace(SEEN, data)
