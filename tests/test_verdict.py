"""The verdict: how points are distributed, and its JSON."""

import json
import math
from typing import cast

import pytest

from checker.kata.verdict import Check, CheckStatus, Role, Verdict, score

TARGETS: dict[str, Role] = {"a": "target", "b": "guard", "c": "target", "d": "guard", "e": "target"}


def checks(statuses: str) -> list[Check]:
    words = {"k": "kept", "b": "broken", "e": "error", "t": "timeout", "s": "skipped"}
    return [
        Check(name, name.upper(), status=cast(CheckStatus, words[status]))
        for name, status in zip(TARGETS, statuses, strict=True)
    ]


@pytest.mark.parametrize(
    ("statuses", "points"),
    [
        ("kkkkk", [25, 0, 25, 0, 50]),
        ("bkbkb", [0, 0, 0, 0, 0]),
        ("kkbkb", [25, 0, 0, 0, 0]),
        ("kbkkk", [25, -10, 25, 0, 50]),
        ("kekte", [25, -10, 25, -10, 0]),
        ("bbbbb", [0, -10, 0, -10, 0]),
        ("essss", [0, -10, 0, -10, 0]),
    ],
)
def test_kept_targets_earn_points_and_broken_guards_cost_points(
    statuses: str, points: list[int]
) -> None:
    asked = checks(statuses)
    total = score(asked, TARGETS)
    assert [check.points for check in asked] == points
    assert total == max(0, sum(points))
    assert sum(check.max_points for check in asked) == 100


@pytest.mark.parametrize("targets", range(1, 12))
def test_points_add_up_to_100_and_the_last_target_earns_most(targets: int) -> None:
    roles: dict[str, Role] = {f"t{i}": "target" for i in range(targets)}
    asked = [Check(name, name, status="kept") for name in roles]
    assert score(asked, roles) == 100
    shares = [check.points for check in asked]
    assert shares[-1] == max(shares)
    assert all(shares)


def test_numbers_that_json_lacks_are_strings() -> None:
    verdict = Verdict("kata03", "T", "f.py", None, "fail", checks=checks("bbbbb"))
    values = math.nan, math.inf, -math.inf, 1.5, 1j
    for check, value in zip(verdict.checks, values, strict=True):
        check.got = cast(float, value)
    data = json.loads(json.dumps(verdict.to_json(), allow_nan=False))
    assert [check["got"] for check in data["checks"]] == ["nan", "inf", "-inf", 1.5, "1j"]
