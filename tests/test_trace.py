"""The trace of a learner's own values, in the terminal and as JSON."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checker.kata import catalog
from checker.learner.steps import Step
from checker.learner.trace import Trace, record
from checker.learner.tracing import render

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


def numbers(step: Step) -> Any:
    assert step.array is not None
    return step.array.tolist()


def step(array: Any) -> Step:
    made = np.asarray(array)
    shape = list(made.shape)
    return Step(1, 1, "made", "x", made.dtype.name, shape, 1, 1, False, [], made, "f")


@pytest.mark.parametrize("kata", catalog.katas().values(), ids=lambda kata: kata.name)
@pytest.mark.parametrize("case", ["example", "extreme", "7"])
def test_every_kata_can_be_traced(kata: catalog.Kata, case: str) -> None:
    seen = record(kata, kata.reference, case)
    assert seen.steps
    assert {step.kind for step in seen.steps} >= {"given", "returned"}
    assert seen.stopped is None


def test_each_array_is_recorded_when_it_is_computed(tmp_path: Path) -> None:
    seen = steps("a = np.arange(3.0)\nb = a * 2\na = b[:2]", tmp_path)
    assert numbers(seen["b"]) == [0, 2, 4]
    assert (seen["a"].line, numbers(seen["a"]), seen["a"].written) == (6, [0, 2], False)
    assert seen["q"].kind == "given"
    assert seen["returned[1]"].shape == [3, 3]


def test_the_passes_of_a_loop_become_one_step(tmp_path: Path) -> None:
    seen = steps("for i in range(12):\n    x = np.full(2, 1.0 * i)", tmp_path)
    assert (seen["x"].times, seen["x"].shown, numbers(seen["x"])) == (12, 12, [11, 11])


def test_the_first_pass_with_nan_is_the_one_shown(tmp_path: Path) -> None:
    seen = steps("for i in range(9):\n    x = np.array([1.0 / (i != 4) if i != 4 else np.nan])",
                 tmp_path)  # fmt: skip
    assert (seen["x"].times, seen["x"].shown, str(numbers(seen["x"]))) == (9, 5, "[nan]")


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


def test_numbers_and_lists_of_numbers_are_values_too(tmp_path: Path) -> None:
    seen = steps("scale = q.shape[-1] ** -0.5\nT, _ = shape = q.shape\nodd = T % 2 == 1", tmp_path)
    assert [(seen[name].type, numbers(seen[name])) for name in ("scale", "T", "shape", "odd")] == [
        ("float", 2**-0.5), ("int", 3), ("tuple", [3, 2]), ("bool", True),
    ]  # fmt: skip
    assert seen.keys() & {"_"} == set()


def test_arrays_in_a_list_are_recorded(tmp_path: Path) -> None:
    seen = steps("both = [np.arange(2), np.arange(3)]", tmp_path)
    assert [numbers(seen[f"both[{i}]"]) for i in range(2)] == [[0, 1], [0, 1, 2]]


def test_the_parts_of_an_expression_are_recorded(tmp_path: Path) -> None:
    seen = steps("a = np.arange(3)\nb = (a + 1)[::2] * 5", tmp_path)
    assert (seen["a + 1"].kind, numbers(seen["a + 1"])) == ("inner", [1, 2, 3])
    assert numbers(seen["(a + 1)[::2]"]) == [1, 3]
    assert numbers(seen["b"]) == [5, 15]


def test_tracing_changes_no_result(tmp_path: Path) -> None:
    """Whatever is evaluated in parts has the value that it has without."""
    source = (
        "def attention(q, k, v, keep):\n"
        "    def twice(x, /, *more, by: int = 1 + 1, **rest):\n"
        "        yield from (x * by for _ in [x, *more] if x is not None)\n"
        "    class Odd(dict):\n"
        "        def __init__(self):\n"
        "            super().__init__(a=len(q))\n"
        "        def __getitem__(self, key: q[0]):\n"
        "            return super().__getitem__(key) + 1\n"
        "    odd = Odd()\n"
        "    odd['b'] = odd['a'] ** 2\n"
        "    x = {'s': [*range(odd['b'])][1:-1:2]}\n"
        "    del x['s'][0]\n"
        "    x['s'][0] += (y := max(3, odd['a']))\n"
        "    t = f'{odd[\"a\"]:>{y + 2}}' + str([*twice(x['s'][0], 2)][-1] if y < 9 else -1)\n"
        "    match x:\n"
        "        case {'s': [first, *_]} if first > odd['a'] - 1:\n"
        "            t += str(first)\n"
        "    raise ValueError(t + str((lambda n=odd['a'] * 2: n + 1)()))\n"
    )
    space: dict[str, Any] = {}
    exec(source, space)
    with pytest.raises(ValueError, match="     41479") as without:
        space["attention"](np.ones((3, 2)), 1, 1, 1)
    seen = traced(source, tmp_path)
    assert seen.stopped
    assert seen.stopped.startswith("line 18, raise ValueError(")
    assert seen.stopped.endswith(f": ValueError: {without.value}")


def test_an_array_too_large_to_record_is_named(tmp_path: Path) -> None:
    seen = traced(
        "import numpy as np\ndef attention(q, k, v, keep):\n    big = np.ones(10**5)\n"
        "    return v, q\n",
        tmp_path,
    )
    big = next(step for step in seen.steps if step.name == "big")
    assert (big.shape, big.type, big.array) == ([100000], "float64", None)
    assert any("too large to be recorded" in line for line in render(seen))


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    lines = "\n".join(f"    x{i} = np.ones(2) * {i}" for i in range(320))
    calls = "    for i in range(500):\n        part(q)\n"
    head = "import numpy as np\ndef part(q): return q\ndef attention(q, k, v, keep):\n"
    seen = traced(f"{head}{calls}{lines}\n    return v, q\n", tmp_path)
    assert len(seen.steps) == 300
    assert seen.left_out[:2] == [
        "part was called 500 times; the first 6 calls are shown",
        "passes of loops after the first 200",
    ]
    assert seen.left_out[2].endswith(" further values, after the first 300")
    assert set(render(seen)) >= {f"left out: {what}" for what in seen.left_out}


def test_every_array_of_a_long_sentence_is_shown() -> None:
    seen = record(catalog.find("kata06"), ROOT / "katas/kata06.py")
    shown = {step.name: step.array is not None for step in seen.steps if step.shape == [200, 200]}
    assert shown.items() >= {"scores": True, "exp": True, "weights": True}.items()
    assert seen.left_out == []


def test_a_long_loop_does_not_run_out_of_time(tmp_path: Path) -> None:
    source = (
        "import numpy as np\ndef attention(q, k, v, keep):\n    x = np.zeros((200, 200))\n"
        "    for i in range(40000):\n        x.flat[i] = i\n    return v, q\n"
    )
    seen = traced(source, tmp_path)
    assert seen.stopped is None


def test_calls_know_their_callers(tmp_path: Path) -> None:
    source = (
        "def inner(x):\n    return x + 1\n\ndef attention(q, k, v, keep):\n"
        "    a, b = (inner(x) for x in (q, k))\n    return v, q\n"
    )
    calls = list(traced(source, tmp_path).calls.values())
    assert [(call.number, call.function, call.caller, call.line) for call in calls] == [
        (1, "attention", 0, 0), (2, "inner", 1, 5), (3, "inner", 1, 5),
    ]  # fmt: skip


def test_two_calls_of_the_file_are_told_apart() -> None:
    seen = record(catalog.find("kata24"), ROOT / "katas/kata24.py")
    outer = [call.number for call in seen.calls.values() if not call.caller]
    assert [seen.calls[number].function for number in outer] == [
        "init_projections", "multi_head_attention",
    ]  # fmt: skip
    assert outer[1] == 6


def test_the_first_failing_call_can_be_traced(tmp_path: Path) -> None:
    """Blocked keys of score zero are right on the example: another case has to show them."""
    text = (ROOT / "solutions/kata03.py").read_text()
    wrong = text.replace("np.where(keep,", "np.where(keep & (scores > -3),")
    seen = traced(wrong, tmp_path, "failing")
    assert (seen.case, seen.broken[0][-1]) == ("failing", ".")
    assert seen.broken[-1].startswith("this call: output at [")
    assert {step.name for step in seen.steps} >= {"q", "scores", "weights"}
    assert seen.steps[0].shape != [3, 2]  # the shape in the example


def test_the_call_whose_answer_was_wrong_is_traced(tmp_path: Path) -> None:
    """Not the last one, with which the invariant compared it."""
    text = (ROOT / "solutions/kata12.py").read_text()
    file = tmp_path / "mine.py"
    file.write_text(text.replace("keep[:, None, :]", "keep[:1, None, :]"))
    seen = record(catalog.find("kata12"), file, "failing")
    keep = next(step for step in seen.steps if step.name == "keep")
    returned = next(step for step in seen.steps if step.name == "returned" and step.call == 1)
    assert "output at [1, " in seen.broken[-1]
    assert len(numbers(keep)) > 1
    assert f"got {np.array(numbers(returned))[1].flat[0]:.6g}" in seen.broken[-1]


def test_a_wrong_first_call_of_several_is_traced(tmp_path: Path) -> None:
    text = (ROOT / "solutions/kata24.py").read_text()
    file = tmp_path / "mine.py"
    file.write_text(text.replace("np.sqrt(shape[-2])", "np.sqrt(shape[-2] + 30)"))
    seen = record(catalog.find("kata24"), file, "failing")
    assert seen.broken[0] != "The example in the docstring gives the values shown there."
    assert "variance" in seen.broken[1]
    assert {call.function for call in seen.calls.values()} == {"init_projections", "draw"}


def test_the_wrong_example_is_traced_as_a_whole(run: Run) -> None:
    shown = run("trace", "24", "--case", "failing").stdout
    assert "        got 0.7\n        want 0.1\n-- call 1: init_projections\n" in shown


@pytest.mark.parametrize(
    ("wrong", "steps"),
    [("raise ValueError('for this size')", True), ("__import__('os')._exit(3)", False)],
)
def test_a_call_that_does_not_return_is_traced(wrong: str, steps: bool, tmp_path: Path) -> None:
    text = (ROOT / "solutions/kata03.py").read_text()
    bad = text.replace("    weights = ", f"    if k.shape[-2] != 3: {wrong}\n    weights = ")
    seen = traced(bad, tmp_path, "failing")
    assert seen.stopped
    assert [step.shape[-2] != 3 for step in seen.steps if step.name == "k"] == [True] * steps


def test_without_a_failure_the_example_is_traced(tmp_path: Path) -> None:
    right = traced((ROOT / "solutions/kata03.py").read_text(), tmp_path, "failing")
    assert right.case == "example (no call was found wrong)"


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


def test_statistics_of_huge_numbers_do_not_overflow() -> None:
    facts = step([1e308, 1.5e308, -1e308]).facts
    assert facts["mean"] == pytest.approx(5e307)
    assert facts["std"] == pytest.approx(1.0801234e308)


def test_statistics_ignore_nan_and_infinity() -> None:
    facts = step(np.array([1, 3, np.nan, -np.inf], np.float32)).facts
    assert facts == {"min": 1, "max": 3, "mean": 2, "std": 1}


def test_without_a_finite_number_there_are_no_statistics() -> None:
    assert step(np.array([np.nan])).facts["min"] is None


def test_statistics_of_complex_numbers_are_of_their_magnitudes() -> None:
    assert step([3 + 4j]).facts["max"] == 5


def test_the_terminal_shows_lines_flags_values_and_heat_maps(run: Run, place: Path) -> None:
    shown = run("trace", "3", "--values", "--heatmap", cwd=place).stdout
    assert "  41  weights = softmax(scores) * keep\n" in shown
    assert "! rows sum to" in shown
    assert "(@@ is " in shown
    assert "keep      [[True, True, False]" in shown
    assert shown.endswith("next: python -m checker kata03\n")


def test_an_unknown_case_is_a_usage_error(run: Run) -> None:
    assert run("trace", "3", "--case", "wild").stderr.startswith("error: there is no case 'wild'")


def test_json_has_a_schema_and_every_step(run: Run, place: Path) -> None:
    data = json.loads(run("trace", "3", "--json", "--case", "extreme", cwd=place).stdout)
    assert (data["schema"], data["kata"]) == ("attention-katas/trace/v2", "kata03")
    assert {"name", "line", "shape", "min", "flags", "array"} <= data["steps"][0].keys()


@pytest.mark.parametrize("sent", [
    "[(1, 2), ('x',) * 10, None]", "7", "[np.zeros(3, np.uint8)]",
    "[np.frombuffer(b'{\"calls\": [[1, 2, 3, 4]], \"steps\": [], \"left_out\": []}', np.uint8)]",
])  # fmt: skip
def test_forged_steps_are_dropped(sent: str, tmp_path: Path) -> None:
    """A subject can change the tracer, which runs in the same process."""
    source = (
        "import gc\nimport numpy as np\n\ndef attention(q, k, v, keep):\n"
        "    for one in gc.get_objects():\n"
        "        if type(one).__name__ == 'Tracer':\n"
        f"            one.sent = lambda: {sent}\n"
        "    return v, q\n"
    )
    seen = traced(source, tmp_path)
    assert (seen.steps, seen.left_out) == ([], ["what was traced cannot be read"])


def test_whole_numbers_are_shown_whole_and_long_doubles_named(run: Run, tmp_path: Path) -> None:
    source = (ROOT / "solutions/kata03.py").read_text()
    added = "    ids = np.array([123456, 149999])\n    wide = np.longdouble(1)\n    weights ="
    (tmp_path / "a.py").write_text(source.replace("    weights =", added))
    shown = run("trace", "3", "--file", str(tmp_path / "a.py")).stdout
    assert "[123456, 149999]" in shown
    assert "returned[1]" in shown  # what follows the long double is there
