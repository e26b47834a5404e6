"""The page of a trace, in a browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.kata import catalog
from checker.learner.page import page
from checker.learner.trace import record

from .conftest import ROOT

Open = Callable[..., Any]
SCORES = re.compile("^scores$")


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of a kata's trace; script errors and requests are recorded in `faults`."""
    pages = []

    def open_page(number: int, case: str = "example", file: Path | None = None, **more: Any) -> Any:
        kata = catalog.find(str(number))
        html = tmp_path / "trace.html"
        html.write_text(
            page(record(kata, file or ROOT / f"katas/{kata.name}.py", case)), encoding="utf-8"
        )
        shown = browser.new_page(**more)
        pages.append(shown)
        shown.faults = []
        shown.on("pageerror", lambda error: shown.faults.append(str(error)))
        shown.on("request", lambda request: shown.faults.append(request.url))
        shown.goto(html.as_uri())
        del shown.faults[0]  # the page itself
        return shown

    yield open_page
    for shown in pages:
        assert shown.faults == []
        shown.close()


def line(shown: Any, number: int) -> Any:
    return shown.locator(f'button.line[data-line="{number}"]')


def names(shown: Any) -> list[str]:
    return list(shown.locator(".step summary b").all_inner_texts())


def test_the_page_opens_on_the_code(opened: Open) -> None:
    shown = opened(3, viewport={"width": 1400, "height": 900})
    assert shown.title() == "kata03: trace of kata03.py"
    assert line(shown, 41).is_visible()
    contract = shown.get_by_text("Kata 03: Next to a longer sentence")
    assert not contract.is_visible()
    shown.get_by_text("docstring, lines 1 to 28").click()
    assert contract.is_visible()


def test_pointing_shows_a_line_and_a_click_pins_it(opened: Open) -> None:
    shown = opened(3)
    line(shown, 40).hover()
    assert "q.shape[-1]" in names(shown)
    line(shown, 41).click()
    line(shown, 40).hover()
    assert names(shown)[:2] == ["softmax(scores)", "weights"]
    assert line(shown, 41).get_attribute("aria-pressed") == "true"
    shown.keyboard.press("Escape")
    line(shown, 39).hover()
    assert names(shown) == ["q", "k", "v", "keep"]


def test_a_line_shows_the_values_that_it_reads(opened: Open) -> None:
    shown = opened(22)
    line(shown, 45).click()
    assert names(shown) == ["heads", "weights", "v"]
    line(shown, 43).click()
    assert names(shown)[-2:] == ["keep", "Tq"]


def test_arrow_keys_step_through_the_run(opened: Open) -> None:
    shown = opened(4)
    current = shown.locator(".line[aria-current=true]")
    assert current.get_attribute("data-line") == "48"  # where something is flagged
    for _ in range(30):
        shown.keyboard.press("ArrowUp")
    seen = []
    for _ in range(5):
        seen.append(shown.locator(".line[aria-current=true]").get_attribute("data-line"))
        shown.keyboard.press("ArrowDown")
    assert seen == ["43", "44", "31", "33", "34"]
    shown.keyboard.press("ArrowUp")
    assert shown.locator(".line[aria-current=true]").get_attribute("data-line") == "34"


def test_the_calls_of_a_line_are_told_apart(opened: Open) -> None:
    shown = opened(4)
    line(shown, 34).click()
    calls = shown.locator(".runs button")
    assert calls.all_inner_texts() == [
        f"call {number}: split, from line 44 of call 1" for number in (2, 3, 4)
    ]
    pressed = shown.locator(".runs button[aria-pressed=true]")
    assert pressed.inner_text().startswith("call 2")
    shown.keyboard.press("ArrowRight")
    assert pressed.inner_text().startswith("call 3")
    calls.nth(2).click()
    assert "1 to 30" in shown.locator(".step summary").last.inner_text()


def test_what_fails_is_on_top_with_its_numbers(opened: Open) -> None:
    shown = opened(12, "failing")
    assert shown.locator("#broken").inner_text().splitlines() == [
        "The example in the docstring gives the values shown there.",
        "self_attention(x, keep, zero, zero, one)[0, :, 0].round(6).tolist()",
        "got [18.0, 18.0, 0.0]",
        "want [2.0, 2.0, 2.0]",
    ]
    assert not shown.locator("#stopped").is_visible()


def test_weights_have_the_sums_of_their_rows(opened: Open) -> None:
    shown = opened(3)
    line(shown, 41).click()
    assert shown.locator(".step summary .flag").inner_text().startswith("rows sum to")
    assert shown.locator("td.sum.flag").all_inner_texts() == [
        "sum 0.08109", "sum 0.08109", "sum 3.0e-14",
    ]  # fmt: skip


def colour(cell: Any) -> list[float]:
    """Red, green and blue of what is drawn behind a number."""
    text = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    return [float(part) for part in text[text.index("(") + 1 : -1].split(",")[:3]]


def test_signs_differ_in_colour(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n\ndef attention(q, k, v, keep):\n"
        "    x = np.array([-2.0, 0.0, 2.0, np.nan])\n    return v, x\n"
    )
    shown = opened(3, file=file)
    line(shown, 4).click()
    cells = shown.locator(".step td")
    assert cells.all_inner_texts() == ["-2", "0", "2", "nan"]
    (red, _, blue), (more_red, _, more_blue) = colour(cells.nth(0)), colour(cells.nth(2))
    assert red > blue
    assert more_red < more_blue
    assert cells.nth(3).get_attribute("class") == "odd"


def test_masks_are_drawn_as_masks(opened: Open) -> None:
    shown = opened(3)
    line(shown, 39).click()
    keep = shown.locator("details.step", has_text="keep")
    assert keep.locator("td.yes").count() + keep.locator("td.no").count() == 3
    assert set(keep.locator("td").all_inner_texts()) == {""}


def test_a_large_array_is_a_picture_that_can_be_read(opened: Open) -> None:
    shown = opened(6)
    line(shown, 41).click()
    scores = shown.locator("details.step", has=shown.locator("summary b", has_text=SCORES))
    assert scores.locator("td").count() == 0
    canvas = scores.locator("canvas")
    assert canvas.evaluate("it => [it.width, it.height]") == [200, 200]
    canvas.hover(position={"x": 1, "y": 1})
    assert scores.locator("canvas + p").inner_text() == "[0, 0] 2"
    scores.locator("button.more").click()
    assert scores.locator("td").count() == 256


def test_scalars_have_a_line(opened: Open) -> None:
    shown = opened(6)
    line(shown, 40).click()
    assert " ".join(shown.locator(".step summary").first.inner_text().split()) == "D int 4"


def test_the_code_is_coloured(opened: Open) -> None:
    shown = opened(6)
    assert line(shown, 41).locator(".comment").inner_text().startswith("# a Python float")
    assert line(shown, 36).locator(".keyword").first.inner_text() == "return"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("number", [4, 6, 24])
def test_a_telephone_shows_code_and_values_without_scrolling_sideways(
    opened: Open, number: int, scheme: str
) -> None:
    phone = {"width": 390, "height": 844}
    shown = opened(number, viewport=phone, color_scheme=scheme, has_touch=True)
    shown.locator("button.line .count", has_text="!").first.tap()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    values = shown.locator("#values").bounding_box()
    pinned = shown.locator(".line[aria-pressed=true]").bounding_box()
    assert values["y"] + values["height"] <= 844
    assert 0 <= pinned["y"] < values["y"]
    assert shown.locator(".step summary .flag").first.is_visible()


def test_html_in_the_source_is_shown_as_text(opened: Open, tmp_path: Path) -> None:
    hostile = '</script><img src=x onerror="document.title=1">'
    source = (ROOT / "katas/kata03.py").read_text()
    file = tmp_path / "mine.py"
    file.write_text(source.replace("    exp = ", f"    # {hostile}\n    exp = "))
    shown = opened(3, file=file)
    assert shown.locator("img").count() == 0
    assert shown.get_by_text("</script><img").count() == 1


@pytest.mark.parametrize(
    ("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 31)")]
)
def test_the_page_follows_the_color_scheme(opened: Open, scheme: str, paper: str) -> None:
    shown = opened(3, color_scheme=scheme)
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == paper
