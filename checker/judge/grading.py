"""Grading: ask each subject every invariant of its kata, and record the verdict."""

import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest

from checker.errors import NotGraded
from checker.judge import messages
from checker.judge.alone import run_alone
from checker.judge.example import STATEMENT, first_difference
from checker.judge.job import Job
from checker.judge.loading import loaded
from checker.judging import Broken
from checker.judging.domain import Domain
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.verdict import Check, Verdict, score
from checker.sandbox.host.calls import Caller, Handle, Lost, Raised
from checker.sandbox.host.doctor import PROBES
from checker.sandbox.host.session import BUDGET, OUT_OF_BUDGET, Session
from checker.sandbox.host.session import SECONDS as ALLOWED

SECONDS: Final = ALLOWED  # for running the file, and for each check
CHECKS: Final = BUDGET / SECONDS  # a subject has the time of this many checks for all of them
SLACK: Final = 20.0  # times the reference's own time, if that is more than `SECONDS`
BACKSTOP: Final = 120.0  # seconds; pytest-timeout, in case the grader itself hangs
TOO_MUCH: Final = "what it returned takes more memory than a comparison may"
DRAWS: Final = 2  # random inputs per invariant; their shapes and sizes matter more than numbers

Failure = tuple[Check, list[tuple[str, Any]]]  # with the names and inputs of calls


def grade(kata: Kata, path: Path, *, seed: int = 0, isolation: str = "auto") -> Verdict:
    """The verdict on one file; see `grade_all`."""
    return grade_all([Job(kata, path)], seed=seed, isolation=isolation)[0]


def grade_all(jobs: Sequence[Job], *, seed: int = 0, isolation: str = "auto") -> list[Verdict]:
    """A verdict for each job, each from a fresh worker.

    A subject has `SECONDS` for each check, and `BUDGET` for all. One that runs out of time is
    graded again with `SLACK` times what the reference takes on
    this machine at this moment, if that is more. Nothing in a file raises. If no worker can start,
    the status is `not-graded`; `NotGraded` is raised if the invariants themselves do not run.
    """
    verdicts = Judge(seed, isolation, SECONDS).run(jobs)
    for i, job in enumerate(jobs):
        if verdicts[i].reason == "time-limit" and job.kata.has("reference"):
            patient = Judge(seed, isolation, SLACK * SECONDS, BACKSTOP)
            (reference,) = patient.run([Job(job.kata, job.kata.reference)])
            taken = [SLACK * check.duration_ms / 1000 for check in reference.checks]
            if max(taken) > SECONDS:
                budget = max(CHECKS * SECONDS, sum(taken))
                (verdicts[i],) = Judge(seed, isolation, max(taken), budget).run([job])
    return verdicts


def rehearse(kata: Kata, isolation: str = "auto") -> None:
    """Grade a file known to be right and one known to be wrong.

    Raises `NotGraded` if a verdict is not as expected: then nothing else should be graded.
    """
    right, wrong = grade_all([Job(kata, kata.reference), Job(kata, PROBES)], isolation=isolation)
    if right.status != "pass" or wrong.status != "error" or wrong.score:
        found = f"{right.status} for a right file, {wrong.status} for a wrong one"
        raise NotGraded(right.message or wrong.message or found)


def first_failure(kata: Kata, path: Path, isolation: str = "auto") -> Failure | None:
    """The first invariant that breaks, and the calls it made, of which one was wrong."""
    judge = Judge(0, isolation, SECONDS)
    judge.run([Job(kata, path)])
    return judge.failing


@cache
def domain_of(kata: Kata) -> Domain:
    """The domain of a kata, read once."""
    return Domain(kata.domain)


class Judge:
    """The pytest plugin that asks the invariants: one pytest session, one worker per job."""

    check: Check  # the one that is asked now

    def __init__(
        self, seed: int, isolation: str, seconds: float, budget: float | None = None
    ) -> None:
        self.seed, self.isolation, self.seconds = seed, isolation, seconds
        self.budget = CHECKS * seconds if budget is None else budget
        self.jobs: Sequence[Job] = ()
        self.verdicts: list[Verdict] = []
        self.session: Caller | None = None
        self.ready: Session | None = None
        self.begun = 0
        self.interrupted = False
        self.failing: Failure | None = None  # the first
        self.trouble = self.failure = ""  # the checker's own: for all jobs, for this one

    def run(self, jobs: Sequence[Job]) -> list[Verdict]:
        """The verdicts on the jobs. Raises `NotGraded`, and `KeyboardInterrupt` on Ctrl-C."""
        self.jobs = jobs
        self.verdicts = [
            Verdict(job.kata.name, job.kata.title, str(job), None, "not-graded", seed=self.seed)
            for job in jobs
        ]
        files = sorted({str(job.kata.invariants) for job in jobs})
        code = run_alone([f"--timeout={BACKSTOP}", *files], self)
        if self.ready:  # the last file could not be read, or the run was interrupted
            self.ready.close()
        if self.interrupted:
            raise KeyboardInterrupt
        if self.trouble or not all(verdict.checks for verdict in self.verdicts):
            raise NotGraded(f"the invariants do not run: {self.trouble or code}")
        return self.verdicts

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Ask each invariant of every job of its kata; pytest keeps those of a job together."""
        name = metafunc.definition.path.stem
        numbers = [i for i, job in enumerate(self.jobs) if job.kata.name == name]
        metafunc.parametrize("subject", numbers, indirect=True, scope="module")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Remember Ctrl-C, which pytest does not pass on."""
        self.interrupted = excinfo.type is KeyboardInterrupt  # not one of pytest's own exceptions

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[None]
    ) -> None:
        """Record a failure of the checker itself, which affects one verdict or all of them."""
        assert call.excinfo
        text = call.excinfo.exconly()
        if not isinstance(node, pytest.Function):
            self.trouble = text.splitlines()[-1].removeprefix("E").strip()
        elif (verdict := self._verdict(node)).status == "not-graded":
            verdict.reason, verdict.message = "sandbox", f"the checker failed: {text}"

    @pytest.fixture
    def rngs(self, request: pytest.FixtureRequest) -> list[np.random.Generator]:
        """Generators of random inputs: the same for a seed, different for every invariant.

        A subject never sees the same numbers twice, so it gains nothing by remembering them.
        """
        name = zlib.crc32(request.function.__name__.encode())
        return [np.random.default_rng([self.seed, name, draw]) for draw in range(DRAWS)]

    @pytest.fixture(name="seed")
    def fixture_seed(self) -> int:
        """The seed of all random inputs."""
        return self.seed

    @pytest.fixture
    def domain(self, request: pytest.FixtureRequest) -> Domain:
        """The domain of the kata."""
        return domain_of(catalog.katas()[request.path.stem])

    @pytest.fixture(scope="module")
    def subject(self, request: pytest.FixtureRequest) -> Iterator[Handle]:
        """The subject's module, in a worker of its own."""
        verdict, job = self.verdicts[request.param], self.jobs[request.param]
        self.failure = ""
        with self._loaded(verdict, job) as self.session:
            if verdict.reason == "time-limit":
                verdict.message = f"running the file {_too_long(job.kata)}"
            example = Check("example", STATEMENT)
            verdict.checks.insert(0, example)
            if not self.session:
                pytest.skip(f"{job} cannot be asked")
            with self._asking(example):  # first what a learner can try alone
                if broken := first_difference(job.kata, self.session.subject):
                    raise Broken(broken)
            yield self.session.subject
            if self.failure:
                verdict.reason, verdict.message = "sandbox", self.failure
            elif not verdict.reason:  # or the checker itself failed: pytest_exception_interact
                _conclude(verdict, job.kata, self.session)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Iterator[None]:
        """Record every invariant of a job, whether or not it is asked."""
        statement = (item.function.__doc__ or "").strip().partition("\n")[0]
        self.check = Check(item.originalname.removeprefix("test_"), statement)
        self._verdict(item).checks.append(self.check)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Ask one invariant, within its time limit, and record the result.

        Exceptions stop here: pytest would take longer to describe them than the check took.
        """
        with self._asking(self.check):
            yield

    @contextmanager
    def _asking(self, check: Check) -> Iterator[None]:
        """Give a check its time, and record how it ends."""
        assert self.session
        asked = self.session.lost is None
        started = time.monotonic()
        self.session.allow(self.seconds)
        self.session.calls = []
        try:
            yield
            check.status = "kept" if asked else "skipped"
        except NotGraded as error:
            self.failure = str(error)
        except Exception as error:
            if isinstance(error, MemoryError):  # ours, over what it returned
                error = self.session.lose(Lost("memory-limit", TOO_MUCH))
            if asked:
                _record(check, error)
                known = vars(error).get("call")
                self.failing = self.failing or (check, [known] if known else self.session.calls)
        finally:
            check.duration_ms = round(1000 * (time.monotonic() - started))

    def _verdict(self, item: pytest.Function) -> Verdict:
        return self.verdicts[cast(int, item.callspec.params["subject"])]

    def _loaded(self, verdict: Verdict, job: Job) -> AbstractContextManager[Caller | None]:
        return loaded(verdict, job.source, self._worker, self.seconds)

    def _worker(self) -> Session:
        """A worker for this job; the next job's worker starts while this one is asked."""
        ready, self.ready = self.ready, None
        if ready and not ready.process.is_watched:  # the file before it ended its fork server
            ready.close()
            ready = None
        session = ready or self._start()
        session.settle()
        self.begun += 1
        if self.begun < len(self.jobs):
            with suppress(NotGraded):  # the next job will report it
                self.ready = self._start()
        return session

    def _start(self) -> Session:
        return Session(self.isolation, self.budget)


def _conclude(verdict: Verdict, kata: Kata, session: Caller) -> None:
    """Enter score, status and reason, once every check has been asked."""
    verdict.score = score(verdict.checks, kata.roles)
    if any(check.duration_ms >= 1000 * BACKSTOP for check in verdict.checks):
        verdict.reason, verdict.message = "sandbox", "one of the checker's invariants hung"
    elif session.lost:
        verdict.status, verdict.reason = "error", session.lost.reason
        verdict.message = session.lost.message
        if verdict.reason == "time-limit" and verdict.message != OUT_OF_BUDGET:
            verdict.message = f"an invariant {_too_long(kata)}"
    else:
        verdict.status = "pass" if verdict.kept else "fail"


def _too_long(kata: Kata) -> str:
    measured = f" and {SLACK:g} times the reference's time" if kata.has("reference") else ""
    return f"took more than {SECONDS:g} s{measured}"


def _record(check: Check, error: Exception) -> None:
    match error:
        case Broken():
            check.status, check.message = "broken", str(error)
            check.where, check.got, check.want = error.where, error.got, error.want
        case Raised() if error.is_impure:
            check.status, check.message = "broken", messages.with_notes(error.text, error)
        case Raised():
            check.status = "error"
            check.message = messages.with_notes(messages.of_a_call(error), error)
        case Lost():
            check.status = "timeout" if error.reason == "time-limit" else "error"
            check.message = error.message
        case _:  # the invariant could not use what was returned
            check.status = "error"
            check.message = f"the returned value is unusable ({type(error).__name__}: {error})"
