"""The trace of a learner's own arrays, in the terminal, as JSON and as a page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checker.kata import catalog
from checker.learner.page import page
from checker.learner.trace import Step, Trace, record, render

from .conftest import ROOT, Run

KATA = catalog.find("kata03")


def traced(source: str, folder: Path, case: str = "example") -> Trace:
    file = folder / "mine.py"
    file.write_text(source)
    return record(KATA, file, case)


def steps(source: str, folder: Path) -> dict[str, Step]:
    """The last step of each name, in a function with this body that gets the example's inputs."""
    body = "\n".join(f"    {line}" for line in source.splitlines())
    text = f"import numpy as np\n\ndef attention(q, k, v, keep):\n{body}\n    return v, q @ k.T\n"
    seen = traced(text, folder)
    assert seen.stopped is None
    return {step.name: step for step in seen.steps}


def step(array: Any, **more: Any) -> Step:
    fields: dict[str, Any] = {
        "kind": "made",
        "times": 1,
        "shown": 1,
        "written": False,
        "shares": [],
    }
    fields = {"function": "f", "name": "x", **fields, **more}
    return Step(call=1, line=1, array=np.asarray(array), **fields)


@pytest.mark.parametrize("kata", catalog.katas().values(), ids=lambda kata: kata.name)
@pytest.mark.parametrize("case", ["example", "extreme", "7"])
def test_every_kata_can_be_traced(kata: catalog.Kata, case: str) -> None:
    seen = record(kata, kata.reference, case)
    assert seen.steps
    assert {step.kind for step in seen.steps} >= {"given", "returned"}
    assert seen.stopped is None


def test_each_array_is_recorded_when_it_is_computed(tmp_path: Path) -> None:
    seen = steps("a = np.arange(3.0)\nb = a * 2\na = b[:2]", tmp_path)
    assert seen["b"].array.tolist() == [0, 2, 4]
    assert (seen["a"].line, seen["a"].array.tolist(), seen["a"].written) == (6, [0, 2], False)
    assert seen["q"].kind == "given"
    assert seen["returned[1]"].array.shape == (3, 3)


def test_writing_to_a_view_flags_both_arrays(tmp_path: Path) -> None:
    seen = steps("a = np.zeros((2, 2))\nb = a[0]\nb += 5", tmp_path)
    assert (seen["a"].line, seen["a"].flags[-1]) == (6, "modified in place, and so is b")
    assert seen["b"].flags == ["all equal to 5", "modified in place, and so is a"]


def test_the_passes_of_a_loop_become_one_step(tmp_path: Path) -> None:
    seen = steps("for i in range(12):\n    x = np.full(2, 1.0 * i)", tmp_path)
    assert (seen["x"].times, seen["x"].shown, seen["x"].array.tolist()) == (12, 12, [11, 11])


def test_the_first_pass_with_nan_is_the_one_shown(tmp_path: Path) -> None:
    seen = steps("for i in range(9):\n    x = np.array([1.0 / (i != 4) if i != 4 else np.nan])",
                 tmp_path)  # fmt: skip
    assert (seen["x"].times, seen["x"].shown, seen["x"].flags) == (9, 5, ["NaN in 1 of 1 places"])


def test_attributes_of_self_are_recorded(tmp_path: Path) -> None:
    source = (
        "import numpy as np\n\nclass Layer:\n    def __init__(self, k):\n        self.k = 2 * k\n\n"
        "def attention(q, k, v, keep):\n    layer = Layer(k)\n    return v, q @ layer.k.T\n"
    )
    assert "self.k" in {step.name for step in traced(source, tmp_path).steps}


def test_an_endless_loop_is_stopped(tmp_path: Path) -> None:
    source = "def attention(q, k, v, keep):\n    while True:\n        q = q + 1\n"
    seen = traced(source, tmp_path)
    assert seen.stopped in [
        f"line {n}, {code}: Endless: it takes too long"
        for n, code in ((2, "while True:"), (3, "q = q + 1"))
    ]
    assert {step.name for step in seen.steps} == {"q", "k", "v", "keep"}


def test_at_most_300_steps_are_recorded(tmp_path: Path) -> None:
    lines = "\n".join(f"    x{i} = np.ones(2) * {i}" for i in range(400))
    head = "import numpy as np\n\ndef attention(q, k, v, keep):\n"
    assert len(traced(f"{head}{lines}\n    return v, q\n", tmp_path).steps) == 300


def test_a_large_array_is_left_out(tmp_path: Path) -> None:
    seen = steps("small = np.ones(10)\nbig = np.ones(10**5)", tmp_path)
    assert {"small", "big"} & seen.keys() == {"small"}


def test_the_first_failing_call_can_be_traced(tmp_path: Path) -> None:
    """Blocked keys of score zero are right on the example: another case has to show them."""
    text = (ROOT / "solutions/kata03.py").read_text()
    wrong = text.replace("np.where(keep,", "np.where(keep & (scores > -3),")
    seen = traced(wrong, tmp_path, "failing")
    assert seen.case.startswith("failing: ")
    assert {step.name for step in seen.steps} >= {"q", "scores", "weights"}
    assert seen.steps[0].array.shape != (3, 2)  # the shape in the example


def test_without_a_failure_the_example_is_traced(tmp_path: Path) -> None:
    right = traced((ROOT / "solutions/kata03.py").read_text(), tmp_path, "failing")
    assert right.case == "example"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def attention(", "line 1: "),
        ("x = 1", "it defines no attention"),
        ("import os\ndef attention(*inputs): os._exit(0)", "it ended the process"),
        ("def attention(q, k, v, keep):\n    return q @ v.T.nothing", "AttributeError"),
        ("def attention(q, k, v, keep):\n    return 3", "cannot unpack non-iterable int"),
    ],
)
def test_the_reason_for_stopping_is_shown(source: str, reason: str, tmp_path: Path) -> None:
    seen = traced(source, tmp_path)
    assert seen.stopped
    assert reason in seen.stopped
    assert any(line.startswith("it stopped: ") for line in render(seen))


@pytest.mark.parametrize(
    ("array", "flags"),
    [
        ([[0.5, 0.5], [0.2, 0.8]], []),
        ([[0.5, 0.5], [0.2, 0.1]], ["rows sum to values from 0.3 to 1"]),
        ([[0.5, 0.5], [1.5, -0.5]], []),
        ([[0.5, 0.2], [0.5, 0.2]], ["rows sum to 0.7"]),
        ([[-0.0, 0.0]], ["all equal to 0", "rows sum to 0"]),
        ([1.0, np.nan, np.inf, -np.inf], ["NaN in 1 of 4 places", "inf in 1 of 4 places",
                                          "-inf in 1 of 4 places"]),
        ([[3, 3], [3, 3]], ["all equal to 3"]),
        ([[True, False]], []),
        ([[1e308, -1e308]], []),
        ([], []),
        (3.0, []),
    ],
)  # fmt: skip
def test_unusual_arrays_are_flagged(array: Any, flags: list[str]) -> None:
    assert step(array, name="weights").flags == flags


@pytest.mark.parametrize("fields", [{"name": "scores"}, {"name": "weights", "kind": "given"}])
def test_row_sums_are_checked_for_computed_weights_only(fields: dict[str, str]) -> None:
    assert step([[0.5, 0.2], [0.5, 0.1]], **fields).flags == []


def test_row_sums_are_checked_for_what_softmax_returns() -> None:
    softmax = {"name": "returned", "function": "softmax", "kind": "returned"}
    flags = ["rows sum to values from 0.6 to 0.7"]
    assert step([[0.5, 0.2], [0.5, 0.1]], **softmax).flags == flags


def test_statistics_of_huge_numbers_do_not_overflow() -> None:
    facts = step([1e308, 1.5e308, -1e308]).facts
    assert facts["mean"] == pytest.approx(5e307)
    assert facts["std"] == pytest.approx(1.0801234e308)


def test_statistics_ignore_nan_and_infinity() -> None:
    facts = step(np.array([1, 3, np.nan, -np.inf], np.float32)).facts
    assert facts == {"shape": [4], "dtype": "float32", "min": 1, "max": 3, "mean": 2, "std": 1}


def test_without_a_finite_number_there_are_no_statistics() -> None:
    assert step(np.array([np.nan])).facts["min"] is None


def test_statistics_of_complex_numbers_are_of_their_magnitudes() -> None:
    assert step([3 + 4j]).facts["max"] == 5


def test_the_terminal_shows_lines_flags_values_and_heat_maps(run: Run, place: Path) -> None:
    shown = run("trace", "3", "--values", "--heatmap", cwd=place).stdout
    assert "  41  weights = softmax(scores) * keep\n" in shown
    assert "! rows sum to" in shown
    assert "(@@ is " in shown
    assert "[ True  True False]" in shown
    assert shown.endswith("next: python -m checker kata03\n")


def test_an_unknown_case_is_a_usage_error(run: Run) -> None:
    assert run("trace", "3", "--case", "wild").stderr.startswith("error: there is no case 'wild'")


def test_json_has_a_schema_and_every_step(run: Run, place: Path) -> None:
    data = json.loads(run("trace", "3", "--json", "--case", "extreme", cwd=place).stdout)
    assert (data["schema"], data["kata"]) == ("attention-katas/trace/v1", "kata03")
    assert {"name", "line", "shape", "min", "flags", "array"} <= data["steps"][0].keys()


def test_forged_steps_are_dropped(tmp_path: Path) -> None:
    """A subject can change the tracer, which runs in the same process."""
    source = (
        "import gc\n\ndef attention(q, k, v, keep):\n"
        "    for one in gc.get_objects():\n"
        "        if type(one).__name__ == 'Tracer':\n"
        "            one.sent = lambda: [(1, 2), ('x',) * 10, None]\n"
        "    return v, q\n"
    )
    assert traced(source, tmp_path).steps == []


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page of a trace with HTML in its source; script errors and requests are recorded."""
    hostile = '</script><img src=x onerror="document.title=1">'
    source = (
        (ROOT / "katas/kata03.py").read_text().replace("    exp = ", f"    # {hostile}\n    exp = ")
    )
    html = tmp_path / "trace.html"
    html.write_text(page(traced(source, tmp_path)), encoding="utf-8")
    shown = browser.new_page()
    shown.faults = []
    shown.on("pageerror", lambda error: shown.faults.append(str(error)))
    shown.on("request", lambda request: shown.faults.append(request.url))
    shown.goto(html.as_uri())
    del shown.faults[0]  # the page itself
    yield shown
    shown.close()


def test_pointing_at_a_line_shows_its_arrays(opened: Any) -> None:
    assert opened.title() == "kata03: trace of mine.py"
    line = opened.locator("button.line", has_text="weights = softmax")
    line.hover()
    assert opened.locator(".step h2").all_inner_texts() == ["weights (3, 3) float64"]
    assert opened.locator(".step .map td").count() == 9
    assert "rows sum to" in opened.locator(".step .flag").inner_text()
    opened.keyboard.press("Tab")
    assert line.get_attribute("aria-pressed") == "false"
    assert opened.locator("button.line[aria-pressed=true]").count() == 1
    assert opened.faults == []


def test_html_in_the_source_is_shown_as_text(opened: Any) -> None:
    assert opened.locator("img").count() == 0
    assert opened.get_by_text("</script><img").count() == 1
    assert opened.faults == []


def test_the_page_follows_the_color_scheme(opened: Any) -> None:
    def paper(scheme: str) -> str:
        opened.emulate_media(color_scheme=scheme)
        return str(opened.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert paper("light") == "rgb(255, 255, 255)"
    assert paper("dark") == "rgb(20, 24, 31)"
