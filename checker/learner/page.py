"""A trace as a self-contained page: the code, with the values of each line as numbers and colours.

The arrays are sent once each, as the bytes of their numbers.
"""

import ast
import base64
import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from checker.learner.steps import Array
from checker.learner.trace import Trace

TEMPLATE: Final = Path(__file__).with_name("trace.html")
SEEN: Final = "{{TRACE}}"
SENT_AS: Final = {"f": "<f8", "i": "<f8", "u": "<f8", "b": "u1"}  # by kind of number


def page(trace: Trace) -> str:
    """The page of a trace; the content of a file becomes text, never markup."""
    places: dict[int, int] = {}
    arrays: list[dict[str, str]] = []
    steps = []
    for step in trace.steps:
        at = -1
        if step.array is not None and step.array.dtype.kind in SENT_AS:
            at = places.setdefault(id(step.array), len(arrays))
            if at == len(arrays):
                arrays.append(_sent(step.array))
        known = {name: value for name, value in step.__dict__.items() if name != "array"}
        steps.append({**known, **step.facts, "weights": step.is_weights, "at": at})
    data: dict[str, Any] = {
        **trace.__dict__,
        "calls": {number: call.__dict__ for number, call in trace.calls.items()},
        "steps": steps,
        "arrays": arrays,
        "against": trace.against.__dict__ if trace.against else None,
        **_code(trace.source),
    }
    text = json.dumps(data).replace("<", "\\u003c")
    return TEMPLATE.read_text(encoding="utf-8").replace(SEEN, text)


def _sent(array: Array) -> dict[str, str]:
    kind = "<f4" if array.dtype in (np.float32, np.float16) else SENT_AS[array.dtype.kind]
    data = np.ascontiguousarray(array, kind).tobytes()
    return {"kind": kind[-2:], "data": base64.b64encode(data).decode()}


def _code(source: str) -> dict[str, Any]:
    """`body`, the last line of the docstring or 0, and `reads`, the names that statements read."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {"body": 0, "reads": {}}
    reads = {
        node.lineno: [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_read(n)]
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and not hasattr(node, "body")
    }
    body = tree.body[0].end_lineno if ast.get_docstring(tree) is not None else 0
    return {"body": body, "reads": reads}


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
