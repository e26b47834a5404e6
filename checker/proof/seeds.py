"""Luck: files whose verdict depends on the seed of the random inputs."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from checker.judge.grading import grade_all
from checker.judge.job import Job
from checker.kata.catalog import Kata
from checker.proof import mutation
from checker.proof.cases import alternatives

SAMPLE: Final = 5  # every so many mutants are graded, too


def unsteady(kata: Kata, seeds: Sequence[int]) -> list[str]:
    """The near misses and mutants that pass with one of the seeds, and right files that do not."""
    with tempfile.TemporaryDirectory() as folder:
        equivalent = mutation.equivalents(kata)
        planted = mutation.plant(kata, Path(folder))[::SAMPLE]
        mutants = [one.file for one in planted if one.mutant.name not in equivalent]
        wrong = [*kata.near_misses, *mutants]
        right = [kata.reference, *alternatives(kata)]
        return [line for seed in seeds for line in _lines(kata, seed, wrong, right)]


def _lines(kata: Kata, seed: int, wrong: list[Path], right: list[Path]) -> Iterator[str]:
    jobs = [Job(kata, file) for file in (*wrong, *right)]
    verdicts = grade_all(jobs, seed=seed)
    for number, verdict in enumerate(verdicts):
        passed = verdict.status == "pass"
        if passed == (number < len(wrong)):
            name = Path(verdict.file).name
            yield f"{kata.name}: {name} gives {verdict.status} with seed {seed}"
