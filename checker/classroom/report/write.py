"""What is given back: gradebook, feedback pages, class page, verdicts, platforms' files."""

import json
from pathlib import Path

from checker.classroom.collect.collect import safe_name
from checker.classroom.report import gradebook, pages
from checker.classroom.results import Batch
from checker.classroom.run.grade import write
from checker.reports import FORMATS


def give_back(batch: Batch, folder: Path, headings: gradebook.Headings, form: str | None) -> None:
    """Write everything into a folder; what has not changed is left alone.

    `gradebook.csv`, `class.html`, `verdicts.jsonl`, a page a student in `feedback/` (HTML and
    Markdown), and with a format (see `checker.reports`) a file a student in `reports/`.
    """
    write(folder / "gradebook.csv", gradebook.csv(batch, headings))
    write(folder / "class.html", pages.class_page(batch))
    lines = (json.dumps(vars(one)) for one in batch.results)
    write(folder / "verdicts.jsonl", "".join(f"{line}\n" for line in lines))
    written = set()
    for student in batch.students:
        name = safe_name(student)
        written.add(name)
        write(folder / "feedback" / f"{name}.html", pages.student_html(batch, student))
        write(folder / "feedback" / f"{name}.md", pages.student_markdown(batch, student))
        verdicts = [one.verdict for one in batch.of(student).values()]
        if form and verdicts:
            file = folder / "reports" / f"{name}.{'xml' if form == 'junit' else 'json'}"
            write(file, FORMATS[form](verdicts, exam=batch.exam))
    for kind in ("feedback", "reports"):
        for file in (folder / kind).glob("*.*"):
            if file.stem not in written:  # of an earlier run, with other students
                file.unlink()
