"""Pages of a graded class: feedback for each student, and an overview for the instructor.

Each is self-contained and loads nothing. Whatever comes from a file, a name or a student's code is
escaped in HTML, and set as code in Markdown, where nothing is markup.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from checker.classroom.report.overview import class_overview
from checker.classroom.report.student import feedback
from checker.classroom.results import Results, Student
from checker.errors import NotGraded

FOLDER: Final = Path(__file__).parent
STATUS: Final = {
    "pass": ("✓", "passed"),
    "fail": ("✗", "not passed"),
    "error": ("!", "could not be run"),
    "not-graded": ("?", "not graded"),
    "missing": ("·", "not handed in"),
}
CHECK: Final = {
    "kept": ("✓", "kept"),
    "broken": ("✗", "broken"),
    "error": ("✗", "raised an error"),
    "timeout": ("✗", "too slow"),
    "skipped": ("·", "not run"),
}


def student_html(results: Results, student: Student) -> str:
    """The feedback page of one student."""
    return _rendered("student.html", **feedback(results, student))


def student_markdown(results: Results, student: Student) -> str:
    """The feedback page as Markdown."""
    return _rendered("student.md", **feedback(results, student))


def class_page(results: Results) -> str:
    """The page of a class, with names and diagnoses: for instructors only."""
    return _rendered("class.html", **class_overview(results))


def _rendered(template: str, **values: Any) -> str:
    """The template with its values."""
    return str(_template(template).render(**values, STATUS=STATUS, CHECK=CHECK))


@cache
def _template(name: str) -> Any:
    """The template, compiled; only the scripts and styles of this folder run in it.

    Raises `NotGraded` if jinja2 is missing.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError:
        raise NotGraded("feedback pages need jinja2: pip install -e '.[classroom]'") from None
    from markupsafe import Markup

    pages = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    pages.filters.update(ticks=_ticks, data=_data, code=_code, fenced=_fenced, prose=_prose)
    style, script = (
        (FOLDER / each).read_text(encoding="utf-8") for each in ("page.css", "class.js")
    )
    policy = "default-src 'none'; base-uri 'none'; form-action 'none'; "
    policy += f"style-src {_hash(style)}; script-src {_hash(script)}"
    return pages.get_template(
        name, globals={"style": Markup(style), "script": Markup(script), "policy": policy}
    )


def _hash(text: str) -> str:
    """How a Content-Security-Policy allows exactly this text."""
    import base64
    import hashlib

    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _ticks(text: str) -> str:
    """Escaped, with text between backticks as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _data(value: Any) -> str:
    """JSON that cannot end the element that it is in."""
    from markupsafe import Markup

    return Markup(json.dumps(value).replace("<", "\\u003c"))


def _code(text: str) -> str:
    """A line as code in Markdown, between more backticks than it has in a row."""
    ticks = "`" * (_longest(text) + 1)
    apart = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{apart}{text}{apart}{ticks}" if text.strip() else ""


def _fenced(lines: list[str]) -> str:
    """Lines as a block of code in Markdown."""
    fence = "`" * max(3, _longest("\n".join(lines)) + 1)
    return "\n".join([f"{fence}text", *lines, fence])


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _prose(text: str) -> str:
    """A sentence of ours in Markdown: nothing outside backticks is markup."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_\[\]<>#&|~])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)
