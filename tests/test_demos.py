"""What `show` demonstrates: the facts, the plot in a terminal, and the page."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checker.commands.explore import DEMOS
from checker.demos.chart import Chart
from checker.demos.dtypes import exact
from checker.demos.logsumexp import by_logsumexp
from checker.demos.loops import with_loops, with_matrices
from checker.demos.svg import page
from checker.demos.terminal import render

from .conftest import Run

SKEWED = Chart("name", "title", "Text.", "x", ("1", "2"), "y", {"a": (1, 50), "b": (1, 1000)})


@pytest.fixture(scope="module")
def charts() -> dict[str, Chart]:
    """All charts by name."""
    return {name: import_module(f"checker.demos.{name}").chart() for name in DEMOS}


def test_only_unscaled_scores_depend_on_the_head_size(charts: dict[str, Chart]) -> None:
    scaled, plain = charts["scale"].series.values()
    assert max(scaled) - min(scaled) < 10
    assert min(scaled) > 20 * max(plain)
    assert plain[0] > plain[1] > plain[2] > 1


def test_loops_and_matrices_compute_the_same() -> None:
    q, k, v = np.random.default_rng(1).normal(size=(3, 5, 4))
    assert np.abs(with_loops(q, k, v) - with_matrices(q, k, v)).max() < 1e-14


def test_loops_are_slower_the_more_tokens(charts: dict[str, Chart]) -> None:
    loops, matrices = charts["loops"].series.values()
    assert loops[-1] > 10 * loops[0]
    assert loops[-1] > 10 * matrices[-1]


def test_each_dtype_has_an_error_of_its_own(charts: dict[str, Chart]) -> None:
    single, double = charts["dtypes"].series.values()
    assert all(1e-8 < error < 1e-6 for error in single)
    assert all(1e-17 < error < 1e-15 for error in double)


def test_the_exact_answer_agrees_with_loops() -> None:
    q, k, v = np.random.default_rng(1).normal(size=(3, 5, 8))
    assert np.abs(exact(q, k, v) - with_loops(q, k, v)).max() < 1e-14


def test_logsumexp_is_right_for_small_scores_and_wrong_for_huge_ones() -> None:
    assert by_logsumexp(np.log([1.0, 2.0, 5.0])) == pytest.approx([0.125, 0.25, 0.625], rel=1e-14)
    assert by_logsumexp(np.full(8, 1e18)).tolist() == [1] * 8


def test_the_weights_of_the_maximum_sum_to_one_at_every_size(charts: dict[str, Chart]) -> None:
    by_sum, by_maximum = charts["logsumexp"].series.values()
    assert set(by_maximum) == {1}
    assert (round(by_sum[0], 12), by_sum[-1]) == (1, 8)


@pytest.mark.parametrize("name", DEMOS)
def test_a_text_has_three_sentences(name: str, charts: dict[str, Chart]) -> None:
    assert len(re.findall(r"\.(?: |$)", charts[name].text)) == 3


@pytest.mark.parametrize("name", DEMOS)
def test_it_is_plain_text_of_60_columns(name: str, run: Run) -> None:
    done = run("show", name)
    assert (done.returncode, done.stderr) == (0, "")
    shown, _, following = done.stdout.rstrip().rpartition("\n")
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= 60
    assert following.startswith("next: python -m checker")


def test_a_point_is_at_its_height_and_equal_points_share_a_mark() -> None:
    plot = [line for line in render(SKEWED) if " |" in line]
    marked = {line.split("|")[0].strip(): line.split("|")[1].split() for line in plot}
    assert len(plot) == 13
    assert (marked["1e0"], marked["1e3"]) == (["*"], ["x"])
    assert plot[12 - 7].split("|")[1].split() == ["o"]  # log10(50) is 1.7; four rows per decade


def test_every_point_is_in_the_table() -> None:
    lines = list(render(SKEWED))
    assert [line.split() for line in lines[-3:]] == [
        ["x", "a", "b"],
        ["1", "1", "1"],
        ["2", "50", "1000"],
    ]


def test_an_unknown_demo_is_a_usage_error(run: Run) -> None:
    done = run("show", "heads")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'scale', 'loops', 'dtypes', 'logsumexp'" in done.stderr


def test_a_page_does_not_replace_a_kata(place: Path, run: Run) -> None:
    kata = place / "katas/kata03.py"
    before = kata.read_text()
    done = run("show", "scale", "--html", "katas/kata03.py", cwd=place)
    assert done.stderr == "error: katas/kata03.py is a Python file: choose a name with .html\n"
    assert kata.read_text() == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", DEMOS)
def test_a_page_works_alone_and_on_a_phone(
    name: str, scheme: str, browser: Any, tmp_path: Path, run: Run
) -> None:
    html = tmp_path / "chart.html"
    run("show", name, "--html", str(html))
    shown = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
    requests: list[str] = []
    shown.on("request", lambda request: requests.append(request.url))
    shown.goto(html.as_uri())
    assert requests == [html.as_uri()]
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    paper = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}[scheme]
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    boxes = shown.evaluate(
        "[...document.querySelectorAll('svg text')].map(t => { const b = t.getBoundingClientRect();"
        " return [b.left, b.top, b.right, b.bottom] })"
    )
    overlapping = [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[:i]
        if min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
    ]
    assert len(boxes) > 6
    assert overlapping == []
    assert all(left >= 0 and right <= 390 for left, _, right, _ in boxes)
    shown.close()


def test_the_page_shows_every_number(browser: Any, tmp_path: Path) -> None:
    html = tmp_path / "chart.html"
    html.write_text(page(SKEWED), encoding="utf-8")
    shown = browser.new_page()
    shown.goto(html.as_uri())
    assert shown.locator("td").all_inner_texts() == ["1", "1", "50", "1000"]
    assert shown.locator("svg circle, svg path:not(.grid)").count() == 4
    low, high = (shown.locator("svg circle").nth(i).bounding_box()["y"] for i in range(2))
    assert low > high
    shown.close()
