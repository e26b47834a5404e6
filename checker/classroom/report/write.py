"""Write the report on a class: gradebook, feedback pages, class page, verdicts, platform files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from checker import files
from checker.classroom.output import FOLDERS, OutputFolder
from checker.classroom.report import gradebook, pages
from checker.classroom.results import Results, Student
from checker.reports import FORMATS

GRADEBOOK: Final = "gradebook.csv"
CLASS_PAGE: Final = "class.html"
VERDICTS: Final = "verdicts.jsonl"


def write_report(
    results: Results, folder: Path, headings: gradebook.Headings, form: str | None
) -> None:
    """Write everything into a folder; unchanged files are left alone.

    `gradebook.csv`, `class.html`, `verdicts.jsonl`, one page per student in `feedback/` (HTML and
    Markdown), and with a format (see `checker.reports`) one file per student in `reports/`. The
    files of students of an earlier run who are no longer in the class are removed. Raises `NotOurs`
    before anything is written.
    """
    output = OutputFolder(folder)
    output.claim(_names(results, form))
    files.write(folder / GRADEBOOK, gradebook.to_csv(results, headings))
    files.write(folder / CLASS_PAGE, pages.class_page(results))
    lines = (json.dumps(one.to_json()) + "\n" for one in results)
    files.write(folder / VERDICTS, "".join(lines))
    for student in results.students:
        html, markdown = _pages(student)
        files.write(folder / html, pages.student_html(results, student))
        files.write(folder / markdown, pages.student_markdown(results, student))
        if form and student.results:
            text = FORMATS[form](
                [one.verdict for one in student.results.values()], exam=results.exam
            )
            files.write(folder / _platform_file(student, form), text)
    output.remove(_of_others(results, output.written))


def _names(results: Results, form: str | None) -> Iterator[str]:
    """The paths of all files of a report."""
    yield from (GRADEBOOK, CLASS_PAGE, VERDICTS)
    for student in results.students:
        yield from _pages(student)
        if form and student.results:
            yield _platform_file(student, form)


def _pages(student: Student) -> tuple[str, str]:
    return f"feedback/{student.file}.html", f"feedback/{student.file}.md"


def _platform_file(student: Student, form: str) -> str:
    return f"reports/{student.file}.{FORMATS[form].suffix}"


def _of_others(results: Results, written: set[str]) -> list[str]:
    """The files of students who are not in the class."""
    students = {student.file for student in results.students}
    return [
        name
        for name in written
        if name.startswith(FOLDERS) and "/" in name and Path(name).stem not in students
    ]
