"""The stories: their torch code gives what they say, and what they refer to exists."""

import ast
import doctest
import re
import warnings

import pytest

from checker.commands.explore import DEMOS
from checker.kata import catalog
from checker.kata.catalog import Kata

EVERY_KATA = pytest.mark.parametrize(
    "kata", catalog.katas().values(), ids=lambda kata: str(kata.name)
)


def story(kata: Kata) -> str:
    return ast.get_docstring(ast.parse(kata.reference.read_text(encoding="utf-8"))) or ""


def torch_code(kata: Kata) -> doctest.DocTest:
    """The examples of the last paragraph, which show the wrong version and the right one."""
    last = story(kata).partition("\nIn PyTorch\n")[2]
    return doctest.DocTestParser().get_doctest(last, {}, kata.name, str(kata.reference), 0)


@EVERY_KATA
def test_a_story_ends_with_a_few_lines_of_torch(kata: Kata) -> None:
    examples = torch_code(kata).examples
    assert 2 <= sum(example.source.count("\n") for example in examples) <= 6
    printed = "".join(example.want for example in examples).splitlines()
    assert len(set(printed)) > 1


@EVERY_KATA
def test_the_torch_code_gives_what_the_story_says(kata: Kata) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    code = torch_code(kata)
    code.globs = {"torch": torch, "F": torch.nn.functional}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a missing `dim` warns, says kata 02
        results = doctest.DocTestRunner(verbose=False).run(code)
    assert results.attempted > 1
    assert results.failed == 0


def test_stories_refer_to_every_demonstration_by_its_name() -> None:
    named = {
        name
        for kata in catalog.katas().values()
        for name in re.findall(r"python -m checker show (\w+)", story(kata))
    }
    assert named == set(DEMOS)
