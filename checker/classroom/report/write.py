"""Write the report on a class: gradebook, feedback pages, class page, verdicts, platform files."""

import json
from pathlib import Path

from checker import files
from checker.classroom.report import gradebook, pages
from checker.classroom.results import Results, Student
from checker.reports import FORMATS


def write_report(
    results: Results, folder: Path, headings: gradebook.Headings, form: str | None
) -> None:
    """Write everything into a folder; unchanged files are left alone.

    `gradebook.csv`, `class.html`, `verdicts.jsonl`, one page per student in `feedback/` (HTML and
    Markdown), and with a format (see `checker.reports`) one file per student in `reports/`.
    """
    files.write(folder / "gradebook.csv", gradebook.to_csv(results, headings))
    files.write(folder / "class.html", pages.class_page(results))
    lines = (json.dumps(one.to_json()) + "\n" for one in results)
    files.write(folder / "verdicts.jsonl", "".join(lines))
    for student in results.students:
        feedback = folder / "feedback" / student.file
        files.write(Path(f"{feedback}.html"), pages.student_html(results, student))
        files.write(Path(f"{feedback}.md"), pages.student_markdown(results, student))
        if form and student.results:
            _write_platform_file(results, student, folder / "reports", form)
    _remove_others({student.file for student in results.students}, folder)


def _write_platform_file(results: Results, student: Student, folder: Path, form: str) -> None:
    verdicts = [one.verdict for one in student.results.values()]
    text = FORMATS[form](verdicts, exam=results.exam)
    files.write(folder / f"{student.file}.{FORMATS[form].suffix}", text)


def _remove_others(names: set[str], folder: Path) -> None:
    """Remove the files of students of an earlier run who are no longer in the class."""
    for kind in ("feedback", "reports"):
        for file in (folder / kind).glob("*.*"):
            if file.stem not in names:
                file.unlink()
