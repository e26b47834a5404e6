"""Feedback pages and the class page: what they say, and that nothing in them becomes markup."""

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from checker.classroom.report import pages
from checker.classroom.report.pages import class_page, student_html, student_markdown
from checker.classroom.results import Result, Results, Student
from checker.errors import NotGraded
from checker.kata import catalog
from checker.kata.verdict import EXAM_SENTENCES, Check, Json, Status, Verdict

from .conftest import ROOT

KATA = "kata03"
HINTS = catalog.find(KATA).hints
LIKE = "as if the mask were added after the softmax"
TAG = '<script>document.title="taken"</script><img src="http://there.test/x">'
NAMES = {
    "ann": "Ann Äpfel",
    "bob": f"{TAG}\"'`|\u202egnp",
    "cleo": "Cleo " + "very long " * 50,
    "dan": "Dan\n# Heading",
}


def verdict(status: Status = "fail", kata: str = KATA, **more: Any) -> Json:
    """A verdict with one statement kept and one broken, or none run."""
    asked = status in ("pass", "fail")
    kept = Check("kept_one", "The `weights` sum to one.", status="kept" if asked else "skipped")
    broken = Check("broken_one", "Huge numbers change nothing.", "target", "skipped", 0, 100)
    if status == "pass":
        broken.status, broken.points = "kept", 100
    elif asked:
        broken.status, broken.message = "broken", "out at [0, 2] got 0.838, want 1"
    told = Verdict(kata, catalog.find(kata).title, f"{kata}.py", None, status, **more)
    told.checks, told.score = [kept, broken], broken.points
    return told.to_json()


def result(student: str, told: Json, **more: Any) -> Result:
    """A submission with its verdict."""
    fields = {
        "name": f"ps1/{student}/{told['kata']}.py",
        "when": datetime(2026, 3, 2, 10, tzinfo=UTC),
        "earlier": [],
    }
    return Result(student, told["kata"], verdict=told, **{**fields, **more})


def students(results: list[Result]) -> list[Student]:
    """Students by the names above, with their results."""
    return [
        Student(who, name, {one.kata: one for one in results if one.student == who})
        for who, name in NAMES.items()
    ]


def alone(told: Json, *, exam: bool = False, **more: Any) -> Results:
    """A class of one."""
    ann = Student("ann", results={KATA: result("ann", told, **more)})
    return Results([catalog.find(KATA)], [ann], exam=exam)


def html(results: Results, student: str = "ann") -> str:
    return student_html(results, next(one for one in results.students if one.id == student))


def markdown(results: Results, student: str = "ann") -> str:
    return student_markdown(results, next(one for one in results.students if one.id == student))


@pytest.fixture
def everyone() -> Results:
    """Ann passed, Bob and Cleo did not, Dan handed in nothing."""
    results = [
        result("ann", verdict("pass"), earlier=[datetime(2026, 3, 1, 7, 30, tzinfo=UTC), None]),
        result("bob", verdict(stdout=TAG), diagnosis=LIKE, name=f"{TAG}/kata03.py"),
        result("cleo", verdict(), diagnosis=LIKE, when=None),
        result("cleo", verdict("error", "kata04", reason="exited", message=f"it ended {TAG}")),
    ]
    skipped = [("bob/<i>notes.txt", "not named like a kata")]
    katas = [catalog.find(KATA), catalog.find("kata04")]
    return Results(katas, students(results), 4711, skipped)


def test_feedback_says_what_holds_and_what_does_not() -> None:
    page = html(alone(verdict()), "ann")
    assert "The <code>weights</code> sum to one." in page
    assert "Huge numbers change nothing." in page
    assert "out at [0, 2] got 0.838, want 1" in page
    assert "0 of 100" in page


def test_feedback_on_an_exam_has_no_numbers() -> None:
    for page_of in (html, markdown):
        page = page_of(alone(verdict(), exam=True), "ann")
        assert "Huge numbers change nothing." in page
        assert "0.838" not in page


@pytest.mark.parametrize("reason", EXAM_SENTENCES)
def test_feedback_on_an_exam_is_the_same_whatever_the_subject_says(reason: str) -> None:
    for page_of in (html, markdown):
        told = [
            page_of(
                alone(
                    verdict("error", reason=reason, message=text, excerpt=[text], stdout=text),
                    exam=True,
                )
            )
            for text in ("0.838 SIGSEGV", "exit status 7")
        ]
        assert told[0] == told[1]
        assert EXAM_SENTENCES[reason] in told[0]


def test_feedback_names_no_other_students_and_no_bugs(everyone: Results) -> None:
    for page_of in (html, markdown):
        page = page_of(everyone, "cleo")
        assert not [name for name in ("ann", "bob", "dan", *NAMES.values()) if name in page]
        assert LIKE not in page
        assert not [source for source in catalog.find(KATA).sources if source in page]


@pytest.mark.parametrize("status", ["fail", "error"])
def test_a_kata_that_is_not_passed_has_a_hint(status: Status) -> None:
    """The first, if nothing was asked, or if no hint serves what is broken."""
    page = html(alone(verdict(status, message="", reason="exited")), "ann")
    assert f"Hint 1: {HINTS[0]}" in page
    assert HINTS[1] not in page


def test_the_hint_serves_what_is_broken() -> None:
    told = verdict()
    told["checks"][1]["name"] = "the_highest_allowed_score_wins"
    assert f"Hint 3: {HINTS[2]}" in html(alone(told), "ann")


def test_a_message_is_left_out_only_right_below_the_same() -> None:
    told = verdict()
    told["checks"] = [
        {**told["checks"][1], "message": message} for message in ("one", "one", "two", "one")
    ]
    page = html(alone(told), "ann")
    assert re.findall('<code class="quiet">(.*?)</code>', page) == [
        "one", "the same as above", "two", "one",
    ]  # fmt: skip


def test_a_passed_kata_has_no_hint() -> None:
    assert HINTS[0] not in html(alone(verdict("pass")), "ann")


def test_an_error_says_where_it_is_and_what_to_do() -> None:
    told = verdict("error", reason="syntax-error", message="line 4: '(' was never closed",
                   excerpt=["    x = (<b>", "        ^"])  # fmt: skip
    page = html(alone(told), "ann")
    assert "line 4: &#39;(&#39; was never closed\n    x = (&lt;b&gt;\n        ^" in page
    assert "Run the file with Python, which names the line" in page
    assert "Huge numbers change nothing." not in page


def test_a_failure_of_the_checker_is_not_blamed_on_the_student() -> None:
    told = verdict("not-graded", reason="sandbox", message="the checker failed: /srv/secret")
    page = html(alone(told), "ann")
    assert "ask your instructor to grade it again" in page
    assert "/srv/secret" not in page


def test_printed_output_is_cut() -> None:
    told = verdict(stdout="x" * 5000 + "\nline" * 500)
    page = html(alone(told), "ann")
    assert "... (5,000 characters)" in page
    assert "... (501 lines)" in page
    assert len(page) < 20_000


def test_feedback_says_which_file_and_when(everyone: Results) -> None:
    page = html(everyone, "ann")
    assert "ps1/ann/kata03.py" in page
    assert "2026-03-02 10:00; earlier versions: 2026-03-01 07:30, unknown." in page


def test_in_markdown_student_text_is_code(everyone: Results) -> None:
    page = markdown(everyone, "bob")
    assert page.startswith(f"# Feedback for ``{TAG}\"'`|\\u202egnp (bob)``\n")
    assert f"```text\n{TAG}\n```\n" in page
    assert page.count(TAG) == 3  # in the name, the path and the output


def test_a_fence_in_printed_output_does_not_end_the_block() -> None:
    page = markdown(alone(verdict(stdout="```\n# a heading")), "ann")
    assert "````text\n```\n# a heading\n````\n" in page


def test_a_name_is_one_line_of_markdown(everyone: Results) -> None:
    assert markdown(everyone, "dan").startswith("# Feedback for `Dan\\n# Heading (dan)`\n")


def cells(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table after the heading with this id, as text."""
    table = page.partition(f'<h2 id="{heading}">')[2].partition("<h2")[0].partition("<tbody>")[2]
    rows = re.findall("<tr>(.*?)</tr>", table.partition("</tbody>")[0], re.DOTALL)
    bare = [re.findall("<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub("<[^>]*>", "", cell) for cell in row] for row in bare]


def test_katas_are_counted_by_status(everyone: Results) -> None:
    rows = [[row[0], *row[2:]] for row in cells(class_page(everyone), "katas")]
    assert rows == [
        ["kata03", "1", "2", "0", "0", "1", "33"],
        ["kata04", "0", "0", "1", "0", "3", "0"],
    ]


def test_invariants_are_listed_by_how_many_broke_them(everyone: Results) -> None:
    rows = cells(class_page(everyone), "broken")
    assert rows == [["kata03", "Huge numbers change nothing.", "2 of 3", ""]]


def test_diagnoses_are_listed_with_students(everyone: Results) -> None:
    ((kata, line, count, students),) = cells(class_page(everyone), "diagnoses")
    assert (kata, line, count) == ("kata03", LIKE, "2")
    assert "(bob)" in students
    assert "(cleo)" in students


def test_times_are_also_in_a_table(everyone: Results) -> None:
    page = class_page(everyone)
    assert [row[-3:] for row in cells(page, "times")] == [
        ["3", "2026-03-01 07:30", "2026-03-02 10:00"],
        ["1", "2026-03-02 10:00", "2026-03-02 10:00"],
        ["1", "2026-03-02 10:00", "2026-03-02 10:00"],
        ["0", "-", "-"],
    ]
    assert "kata03: 2026-03-01 07:30, unknown, 2026-03-02 10:00" in page


def test_without_times_there_are_no_timelines() -> None:
    assert "No times are known." in class_page(alone(verdict(), when=None))


def test_missing_students_and_skipped_files_are_listed(everyone: Results) -> None:
    page = class_page(everyone)
    missing = [row[1] for row in cells(page, "missing")]
    assert missing == ["all of them", "kata04", "kata04"]
    assert cells(page, "skipped") == [["bob/&lt;i&gt;notes.txt", "not named like a kata"]]


def test_an_empty_class_has_a_page() -> None:
    assert "0 students" in class_page(Results([catalog.find(KATA)], []))


def test_the_page_of_a_large_class_is_less_than_4_mb() -> None:
    katas = list(catalog.katas().values())
    verdicts = {kata.name: verdict("fail", kata.name) for kata in katas}
    earlier = [datetime(2026, 3, 1, hour, tzinfo=UTC) for hour in range(20)]

    def student(number: int) -> Student:
        who = f"student {number} {'x' * 500}"
        results = {
            kata: result(who, told, diagnosis=LIKE, earlier=earlier)
            for kata, told in verdicts.items()
        }
        return Student(who, results=results)

    page = class_page(Results(katas, [student(number) for number in range(200)]))
    assert len(cells(page, "students")) == 200
    assert {len(row) for row in cells(page, "students")} == {3 + len(katas)}
    assert len(page.encode()) < 4_000_000


def test_importing_the_pages_does_not_import_jinja2() -> None:
    program = "import sys, checker.classroom.report.pages; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_without_jinja2_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    pages._template.cache_clear()
    with pytest.raises(NotGraded, match=r"pip install -e '\.\[classroom\]'"):
        html(alone(verdict()), "ann")


@pytest.fixture
def class_tab(browser: Any, tmp_path: Path, everyone: Results) -> Iterator[Any]:
    """The class page; script errors and requests are recorded in `faults`."""
    yield from shown(browser, tmp_path, class_page(everyone))


@pytest.fixture
def student_tab(browser: Any, tmp_path: Path, everyone: Results) -> Iterator[Any]:
    """The page of Bob, whose name is markup."""
    yield from shown(browser, tmp_path, html(everyone, "bob"))


def shown(browser: Any, folder: Path, text: str) -> Iterator[Any]:
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text))
    page.on("request", lambda request: page.faults.append(request.url))
    page.goto(file.as_uri())
    assert page.faults == [file.as_uri()]
    page.faults.clear()
    yield page
    page.close()


def order(page: Any) -> list[str]:
    """The identifiers of the students in the table of points, in its order."""
    names = page.locator("#points tbody th").all_inner_texts()
    return [name.rpartition("(")[2].rstrip(")") for name in names]


def seen(page: Any) -> list[str]:
    """Those that are visible."""
    rows = page.locator("#points tbody tr").all()
    return [who for who, row in zip(order(page), rows, strict=True) if row.is_visible()]


def head(page: Any, column: int) -> Any:
    return page.locator("#points thead th").nth(column)


def test_a_click_on_a_heading_sorts(class_tab: Any) -> None:
    head(class_tab, 1).get_by_role("button").click()
    assert order(class_tab) == ["bob", "cleo", "dan", "ann"]
    assert head(class_tab, 1).get_attribute("aria-sort") == "ascending"
    head(class_tab, 1).get_by_role("button").click()
    assert order(class_tab) == ["ann", "bob", "cleo", "dan"]
    assert head(class_tab, 1).get_attribute("aria-sort") == "descending"
    assert class_tab.locator("[aria-sort]").count() == 1
    assert class_tab.faults == []


def test_the_keyboard_sorts(class_tab: Any) -> None:
    class_tab.get_by_label("Filter students").focus()
    for key in ("Tab", "Tab", "Enter"):  # past the table, which can be scrolled
        class_tab.keyboard.press(key)
    assert order(class_tab) == ["bob", "ann", "cleo", "dan"]
    class_tab.keyboard.press("Space")
    assert order(class_tab) == ["dan", "cleo", "ann", "bob"]
    assert class_tab.faults == []


def test_missing_sorts_below_failed(class_tab: Any) -> None:
    class_tab.get_by_role("button", name="kata03").click()
    assert order(class_tab) == ["dan", "bob", "cleo", "ann"]


def test_the_filter_ignores_case_and_accents(class_tab: Any) -> None:
    class_tab.get_by_label("Filter students").fill("aPfel")
    assert seen(class_tab) == ["ann"]
    assert class_tab.get_by_role("status").inner_text() == "1 of 4 students"
    class_tab.get_by_label("Filter students").fill("")
    assert seen(class_tab) == list(NAMES)
    assert class_tab.faults == []


@pytest.mark.parametrize("which", ["class_tab", "student_tab"])
def test_hostile_names_stay_text(which: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(which)
    assert page.locator("img, i, bdi script").count() == 0
    assert page.get_by_text(TAG).count() >= 2
    assert page.locator("script").count() == (2 if which == "class_tab" else 0)
    assert "\u202e" not in page.content()


@pytest.mark.parametrize("which", ["class_tab", "student_tab"])
def test_only_our_own_script_runs(which: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(which)
    title = page.title()
    page.evaluate(
        "const s = document.createElement('script'); s.textContent = 'document.title = 1';"
        "document.body.append(s)"
    )
    assert page.title() == title
    assert "Content Security Policy" in page.faults[0]


def test_printing_shows_everything_except_controls(class_tab: Any) -> None:
    class_tab.get_by_label("Filter students").fill("ann")
    class_tab.emulate_media(media="print")
    assert seen(class_tab) == list(NAMES)
    assert class_tab.get_by_label("Filter students").is_hidden()
    assert class_tab.get_by_role("navigation").is_hidden()
    assert class_tab.locator("details td").first.is_visible()
    frame = "document.querySelector('.frame')"
    assert class_tab.evaluate(f"{frame}.scrollHeight === {frame}.clientHeight")


@pytest.mark.parametrize("which", ["class_tab", "student_tab"])
def test_pages_follow_the_colour_scheme_and_print_light(
    which: str, request: pytest.FixtureRequest
) -> None:
    page = request.getfixturevalue(which)

    def paper(**media: str) -> str:
        page.emulate_media(**media)
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert paper(color_scheme="light") == "rgb(255, 255, 255)"
    assert paper(color_scheme="dark") == "rgb(20, 24, 31)"
    assert paper(color_scheme="dark", media="print") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("which", ["class_tab", "student_tab"])
def test_headings_and_tables_are_accessible(which: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(which)
    assert page.locator("html").get_attribute("lang") == "en"
    levels = [int(name[1]) for name in page.locator("h1, h2, h3").evaluate_all(
        "them => them.map(each => each.tagName)")]  # fmt: skip
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.locator("table:not(:has(> caption))").count() == 0
    assert page.locator("th:not([scope])").count() == 0


def test_a_status_is_a_sign_with_a_label(class_tab: Any) -> None:
    cells = class_tab.locator("#points tbody tr").first.locator("td")
    assert cells.all_inner_texts() == ["100", "1", "100 ✓", "·"]
    assert cells.nth(2).get_by_role("img", name="passed").count() == 1
    assert cells.nth(3).get_by_role("img", name="not handed in").count() == 1


def test_a_feedback_page_fits_a_narrow_window(student_tab: Any) -> None:
    student_tab.set_viewport_size({"width": 360, "height": 700})
    assert student_tab.evaluate("document.documentElement.scrollWidth") == 360
