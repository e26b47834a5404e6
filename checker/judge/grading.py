"""Grading: ask each subject every invariant of its kata, and say what came of it."""

import os
import sys
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest
import pytest_timeout  # noqa: F401 (pytest loads it by name; where it is missing, say so here)

from checker.errors import NotGraded
from checker.judge import messages
from checker.judging import Broken
from checker.kata.catalog import Kata
from checker.kata.source import Refused, read
from checker.kata.verdict import Check, Isolation, Verdict, score
from checker.sandbox.host.doctor import PROBES
from checker.sandbox.host.session import Handle, Lost, Raised, Session

SECONDS: Final = 2.0  # for an invariant, or for running the file itself
SLACK: Final = 20.0  # times what the reference takes, where that is more
BACKSTOP: Final = 120.0  # pytest-timeout, should the grader itself hang
DRAWS: Final = 2  # random inputs an invariant; what matters is in their shapes and sizes

# Pytest as a loop over functions: no configuration, plugin or cache of the person's own.
UNUSED: Final = """
    assertion cacheprovider capture debugging doctest faulthandler junitxml legacypath logging
    monkeypatch pastebin recwarn setuponly setupplan skipping stepwise subtests terminal
    threadexception tmpdir unittest unraisableexception warnings
""".split()  # noqa: SIM905 (a table)
PYTEST: Final = [
    *("-c", os.devnull, "--noconftest", "--import-mode=importlib", "-p", "pytest_timeout"),
    *(word for name in UNUSED for word in ("-p", f"no:{name}")),
]


@dataclass(frozen=True)
class Job:
    """A file to grade as a kata, and the name that it is shown by."""

    kata: Kata
    path: Path
    name: str = ""

    def __str__(self) -> str:
        return self.name or str(self.path)


def grade(kata: Kata, path: Path, *, seed: int = 0, isolation: str = "auto") -> Verdict:
    """The verdict on one file; see `grade_all`."""
    return grade_all([Job(kata, path)], seed=seed, isolation=isolation)[0]


def grade_all(jobs: Sequence[Job], *, seed: int = 0, isolation: str = "auto") -> list[Verdict]:
    """A verdict for each job, each from a fresh worker.

    A subject that runs out of time is measured against the reference on this machine, now, before
    that is held against it; where there is no reference, it is at once. Nothing that is in a file
    raises. Where a worker cannot be had, the status is `not-graded`; `NotGraded` is raised where
    the invariants themselves do not run.
    """
    verdicts = Judge(seed, isolation, SECONDS).run(jobs)
    for i, job in enumerate(jobs):
        if verdicts[i].reason == "time-limit" and job.kata.has("reference"):
            patient = Judge(seed, isolation, SLACK * SECONDS)
            (reference,) = patient.run([Job(job.kata, job.kata.reference)])
            seconds = SLACK * max(check.duration_ms for check in reference.checks) / 1000
            if seconds > SECONDS:
                (verdicts[i],) = Judge(seed, isolation, seconds).run([job])
    return verdicts


def rehearse(kata: Kata, isolation: str = "auto") -> None:
    """Grade a file that is known to be right and one that is known to be wrong.

    Raises `NotGraded` where a verdict is not as it has to be: then nothing else should be graded.
    """
    right, wrong = grade_all([Job(kata, kata.reference), Job(kata, PROBES)], isolation=isolation)
    if right.status != "pass" or wrong.status != "error" or wrong.score:
        found = f"{right.status} for a right file, {wrong.status} for a wrong one"
        raise NotGraded(right.message or wrong.message or found)


class Judge:
    """The pytest plugin that asks the invariants: one session of pytest, one worker a job."""

    def __init__(self, seed: int, isolation: str, seconds: float) -> None:
        self.seed, self.isolation, self.seconds = seed, isolation, seconds
        self.jobs: Sequence[Job] = ()
        self.verdicts: list[Verdict] = []
        self.session: Session | None = None
        self.ready: Session | None = None
        self.begun = 0
        self.interrupted = False
        self.failing: tuple[str, Any] | None = None  # the first statement that broke, and the call
        self.trouble = self.failure = ""  # of the checker's own: for all jobs, for this one

    def run(self, jobs: Sequence[Job]) -> list[Verdict]:
        """The verdicts on the jobs. Raises `NotGraded`, and `KeyboardInterrupt` on Ctrl-C."""
        self.jobs = jobs
        self.verdicts = [
            Verdict(job.kata.name, job.kata.title, str(job), None, "not-graded", seed=self.seed)
            for job in jobs
        ]
        files = sorted({str(job.kata.invariants) for job in jobs})
        with _pytest_alone(), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            code = pytest.main([*PYTEST, f"--timeout={BACKSTOP}", *files], plugins=[self])
        if self.ready:  # the last file was not read, or the person has had enough
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
        """Remember that the person has had enough: pytest itself does not pass it on."""
        self.interrupted = excinfo.type is KeyboardInterrupt  # and not one of pytest's own

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[None]
    ) -> None:
        """Take down a failure of the checker's own: it costs one verdict, or all."""
        assert call.excinfo
        told = call.excinfo.exconly()
        if not isinstance(node, pytest.Function):
            self.trouble = told.splitlines()[-1].removeprefix("E").strip()
        elif (verdict := self._verdict(node)).status == "not-graded":
            verdict.reason, verdict.message = "sandbox", f"the checker failed: {told}"

    @pytest.fixture
    def rngs(self, request: pytest.FixtureRequest) -> list[np.random.Generator]:
        """Generators of random inputs: the same for a seed, others for every invariant.

        What a subject has seen once it does not see again, so that it gains nothing by memory.
        """
        name = zlib.crc32(request.function.__name__.encode())
        return [np.random.default_rng([self.seed, name, draw]) for draw in range(DRAWS)]

    @pytest.fixture(scope="module")
    def subject(self, request: pytest.FixtureRequest) -> Iterator[Handle]:
        """The subject's module, in a worker of its own."""
        verdict, job = self.verdicts[request.param], self.jobs[request.param]
        started = time.monotonic()
        self.failure = ""
        self.session = self._open(verdict, job)
        try:
            if not self.session:
                pytest.skip(f"{job} cannot be asked")
            yield self.session.subject
            if self.failure:
                verdict.reason, verdict.message = "sandbox", self.failure
            elif not verdict.reason:  # else the checker itself has failed, see below
                _conclude(verdict, job.kata, self.session)
        finally:
            if self.session:
                self.session.close()
                verdict.stdout = self.session.printed
            verdict.duration_ms = round(1000 * (time.monotonic() - started))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Iterator[None]:
        """Take down every invariant of a job, asked or not."""
        statement = (item.function.__doc__ or "").strip().partition("\n")[0]
        self.check = Check(item.originalname.removeprefix("test_"), statement)
        self._verdict(item).checks.append(self.check)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Ask one invariant, within its time, and take down what came of it.

        The exception stops here: pytest would take longer to describe it than we to ask.
        """
        assert self.session
        asked = self.session.lost is None
        started = time.monotonic()
        self.session.allow(self.seconds)
        try:
            yield
            self.check.status = "kept" if asked else "skipped"
        except NotGraded as error:
            self.failure = str(error)
        except Exception as error:
            if asked:
                _record(self.check, error)
                self.failing = self.failing or (self.check.statement, self.session.asked)
        finally:
            self.check.duration_ms = round(1000 * (time.monotonic() - started))

    def _verdict(self, item: pytest.Function) -> Verdict:
        return self.verdicts[cast(int, item.callspec.params["subject"])]

    def _worker(self) -> Session:
        """A worker for this job; the one for the next job settles while this one is asked."""
        session, self.ready = self.ready or Session(self.isolation), None
        session.settle()
        self.begun += 1
        if self.begun < len(self.jobs):
            with suppress(NotGraded):  # the next job will find out by itself
                self.ready = Session(self.isolation)
        return session

    def _open(self, verdict: Verdict, job: Job) -> Session | None:
        """A session in which the subject has been loaded; where that fails the verdict says why."""
        session = None
        try:
            source = read(job.path)
            verdict.sha256 = source.sha256
            session = self._worker()
            verdict.isolation = Isolation(session.level, session.layers, session.missing)
            session.allow(self.seconds)
            session.load(verdict.file, source.text)
            return session
        except (Raised, Refused, Lost) as error:
            messages.enter(verdict, error)
            if verdict.reason == "time-limit":
                verdict.message = f"running the file {_too_long(job.kata)}"
        except NotGraded as error:
            verdict.reason, verdict.message = "sandbox", str(error)
        except BaseException:
            if session:
                session.close()
            raise
        if session:
            session.close()
            verdict.stdout = session.printed
        return None


def _conclude(verdict: Verdict, kata: Kata, session: Session) -> None:
    """Say what all checks come to."""
    verdict.score = score(verdict.checks, kata.roles)
    if any(check.duration_ms >= 1000 * BACKSTOP for check in verdict.checks):
        verdict.reason, verdict.message = "sandbox", "an invariant of the checker's own hung"
    elif session.lost:
        verdict.status, verdict.reason = "error", session.lost.reason
        verdict.message = session.lost.message
        if verdict.reason == "time-limit":
            verdict.message = f"an invariant {_too_long(kata)}"
    else:
        verdict.status = "pass" if verdict.kept else "fail"


def _too_long(kata: Kata) -> str:
    measured = f", and {SLACK:g} times what the reference takes" if kata.has("reference") else ""
    return f"takes more than {SECONDS:g} s{measured}"


def _record(check: Check, error: Exception) -> None:
    match error:
        case Broken():
            check.status, check.message = "broken", str(error)
            check.where, check.got, check.want = error.where, error.got, error.want
        case Raised():
            check.status, check.message = "error", messages.of_a_call(error)
        case Lost():
            check.status = "timeout" if error.reason == "time-limit" else "error"
            check.message = error.message
        case _:  # the invariant stumbled over what it was given
            check.status = "error"
            check.message = f"cannot be asked of what came back ({type(error).__name__}: {error})"


@contextmanager
def _pytest_alone() -> Iterator[None]:
    """Keep the person's own pytest settings out, and put everything back."""
    before, path = dict(os.environ), list(sys.path)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        sys.path[:] = path
        for name in os.environ.keys() | before:
            if os.environ.get(name) != before.get(name):
                os.environ.pop(name, None)
                os.environ.update({name: before[name]} if name in before else {})
