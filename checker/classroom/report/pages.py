"""Pages of a graded class: feedback for each student, and everything for whoever teaches.

Each is whole in itself and asks for nothing. In HTML all that a file, a name or a student's code
says is escaped; in Markdown it stands in code, where nothing is markup.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from checker.classroom.report.overview import figures
from checker.classroom.report.student import feedback
from checker.classroom.results import Batch
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
    "error": ("✗", "stopped"),
    "timeout": ("✗", "too slow"),
    "skipped": ("·", "not asked"),
}


def student_html(batch: Batch, student: str) -> str:
    """The page of feedback of one student."""
    return _rendered("student.html", **feedback(batch, student))


def student_markdown(batch: Batch, student: str) -> str:
    """The same as Markdown."""
    return _rendered("student.md", **feedback(batch, student))


def class_page(batch: Batch) -> str:
    """The page of a class, with names, and with what wrong answers behave like."""
    return _rendered("class.html", **figures(batch))


def _rendered(template: str, **values: Any) -> str:
    """The template with its values; of scripts and styles it runs those of this folder alone."""
    return str(_template(template).render(**values, STATUS=STATUS, CHECK=CHECK))


@cache
def _template(name: str) -> Any:
    """The template, compiled. Raises `NotGraded` where jinja2 is missing."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError:
        raise NotGraded("a page needs jinja2: pip install -e '.[classroom]'") from None
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
    """What a Content-Security-Policy calls exactly this text."""
    import base64
    import hashlib

    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _ticks(text: str) -> str:
    """Escaped, and what stands between backticks as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _data(value: Any) -> str:
    """JSON that no element ends in."""
    from markupsafe import Markup

    return Markup(json.dumps(value).replace("<", "\\u003c"))


def _code(text: str) -> str:
    """A line as code in Markdown, behind more backticks than it has in a row."""
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
    """A sentence of ours in Markdown: outside its backticks nothing is markup."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_\[\]<>#&|~])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)
