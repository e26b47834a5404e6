"""The levels of isolation: what each blocks, and what happens where one is not available."""

import ast
import os
import platform
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from checker.errors import NotGraded
from checker.judge import grading
from checker.judge.job import Job
from checker.judging.domain import Domain
from checker.kata import catalog
from checker.kata.verdict import Verdict
from checker.sandbox import linux
from checker.sandbox.guest import confine
from checker.sandbox.host import doctor, processes, session
from checker.sandbox.host.calls import Raised
from checker.sandbox.host.session import Session

from .conftest import ROOT, Judge, Run

ORDINARY = hasattr(os, "geteuid") and os.geteuid() != 0
LIMITED = "at every level an ordinary user has a limit on processes"
RIGHT = ROOT / "solutions/kata03.py"

strict_here = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="strict is Linux on x86-64"
)


def right(isolation: str = "auto") -> Verdict:
    return grading.grade(catalog.find("kata03"), RIGHT, isolation=isolation)


@strict_here
def test_the_best_level_is_taken() -> None:
    verdict = right()
    assert (verdict.status, verdict.isolation.level) == ("pass", "strict")
    assert {"process", "rlimits", "no-new-privileges", "seccomp"} <= set(verdict.isolation.layers)
    assert ("user" in verdict.isolation.layers) == (os.geteuid() == 0)


def test_process_is_a_level_of_its_own() -> None:
    verdict = right("process")
    assert (verdict.status, verdict.isolation.level) == ("pass", "process")


@strict_here
@pytest.mark.parametrize("probe", doctor.TRIES)
def test_strict_refuses(probe: str) -> None:
    assert doctor.refuses(probe)


def unconfined(probe: str, *inputs: str) -> object:
    """What a probe gets at the level that blocks only crashes and delays."""
    with Session("process") as session:
        session.load("probes.py", doctor.PROBES.read_text())
        return getattr(session.subject, probe)(*inputs)


@strict_here
@pytest.mark.parametrize(
    ("probe", "kind"),
    [
        ("open_a_socket", int),
        pytest.param("start_a_thread", str, marks=pytest.mark.skipif(ORDINARY, reason=LIMITED)),
        ("signal_the_parent", type(None)),
        ("hand_on_signals", int),
    ],
)
def test_the_probe_succeeds_without_confinement(probe: str, kind: type) -> None:
    assert isinstance(unconfined(probe), kind)


@pytest.mark.skipif(not ORDINARY, reason="root has no limit on processes")
def test_an_ordinary_user_cannot_start_a_thread_at_any_level() -> None:
    with pytest.raises(Raised, match="can't start new thread"):
        unconfined("start_a_thread")


def test_files_can_be_read_without_confinement() -> None:
    assert str(unconfined("read_a_file", str(RIGHT))).startswith('"""Kata 03')


@strict_here
def test_strict_is_refused_where_a_layer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    start = processes.start_worker
    monkeypatch.setattr(
        session, "start_worker", lambda level, folder, output: start("process", folder, output)
    )
    verdict = right("strict")
    assert (verdict.status, verdict.reason) == ("not-graded", "sandbox")
    assert str(verdict.message).startswith("no strict isolation on this machine")
    assert right("auto").isolation.level == "process"


HIDING = """

class Hiding(tuple):
    def __getitem__(self, place):
        return () if isinstance(place, slice) else tuple.__getitem__(self, place)


right = attention


def attention(q, k, v, keep):
    out, weights = right(q, k, v, keep)
    return Hiding((out * (not q.flags.writeable), weights))
"""


def test_a_result_cannot_hide_from_the_second_round_of_calls(tmp_path: Path) -> None:
    """Inputs are writable in that round; a tuple of the file's own says that it is empty."""
    kata = catalog.find("kata03")
    file = tmp_path / "kata03.py"
    file.write_text(kata.reference.read_text() + HIDING)
    (check,) = (one for one in grading.grade(kata, file).checks if one.status != "kept")
    assert "in other memory or after other calls, give another result" in str(check.message)


def test_a_verdict_that_needs_a_missing_layer_is_exit_status_3(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = processes.start_worker
    monkeypatch.setattr(
        session, "start_worker", lambda level, folder, output: start("process", folder, output)
    )
    assert run("kata03", "--isolation", "strict").returncode == 3


@pytest.mark.parametrize("layer", sorted(session.ESSENTIAL))
def test_without_an_essential_layer_a_session_is_not_strict(layer: str) -> None:
    with Session("auto") as one:
        one.layers, one.missing = sorted(session.ESSENTIAL), []
        assert one._is_strict()
        one.layers.remove(layer)
        assert not one._is_strict()
        one.layers, one.missing = sorted(session.ESSENTIAL), ["user: not changed"]
        assert not one._is_strict()


def test_an_unsupported_machine_lists_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    plan = confine.plan("strict")
    assert any(line.startswith("seccomp: not available on") for line in plan.missing)
    assert confine.SECCOMP not in plan.layers


def test_a_layer_that_fails_is_reported_and_the_others_kept() -> None:
    def fail() -> None:
        raise OSError(1, "not here")

    plan = confine.Plan({"one": lambda: None, "two": fail, "three": lambda: None}, ("four",))
    assert plan.apply() == (["one", "three"], ["four", "two: [Errno 1] not here"])


def test_a_worker_can_be_spawned_where_there_is_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = right()
    monkeypatch.setattr(processes, "FORKS", False)
    spawned = right()
    assert (spawned.status, spawned.isolation.level) == (forked.status, forked.isolation.level)
    assert set(spawned.isolation.layers) == set(forked.isolation.layers) - {confine.PROCESS_IDS}


def test_a_spawned_worker_is_ended(monkeypatch: pytest.MonkeyPatch, judge: Judge) -> None:
    monkeypatch.setattr(processes, "FORKS", False)
    assert judge("import time; time.sleep(60)").reason == "time-limit"
    assert judge("import os; os._exit(3)").message == "it ended the process (exit status 3)"


@strict_here
def test_a_fork_server_that_dies_between_files_costs_nothing() -> None:
    right()
    os.kill(processes.fork_server().popen.pid, signal.SIGKILL)
    assert right().status == "pass"


def test_a_rehearsal_notices_a_judge_that_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    grading.rehearse(catalog.find("kata03"))
    monkeypatch.setattr(Session, "load", lambda self, file, source, seconds: None)
    with pytest.raises(NotGraded):
        grading.rehearse(catalog.find("kata03"))


@strict_here
def test_a_fork_server_that_dies_in_a_call_costs_one_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeps = tmp_path / "sleeps.py"
    sleeps.write_text("import time\ndef attention(*inputs): time.sleep(30)\n")
    kata = catalog.find("kata03")
    right()
    server = processes.fork_server().popen
    ask = Session.ask

    def killed_in_a_call(self: Session, header: Any, payload: bytes) -> Any:
        if "call" in header:
            threading.Timer(0.2, server.kill).start()
        return ask(self, header, payload)

    monkeypatch.setattr(Session, "ask", killed_in_a_call)
    jobs = [Job(kata, sleeps), Job(kata, RIGHT), Job(kata, RIGHT)]
    verdicts = grading.grade_all(jobs)
    assert verdicts[0].status == "not-graded"
    assert "does not answer" in str(verdicts[0].message)
    assert [verdict.status for verdict in verdicts[1:]] == ["pass", "pass"]


def test_a_failure_of_ours_costs_one_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Session.load

    def fails_once(self: Session, file: str, source: str, seconds: float) -> None:
        if file == "second":
            raise RuntimeError("ours")
        load(self, file, source, seconds)

    monkeypatch.setattr(Session, "load", fails_once)
    kata = catalog.find("kata03")
    jobs = [Job(kata, RIGHT, name) for name in ("first", "second", "third")]
    verdicts = grading.grade_all(jobs)
    assert [verdict.status for verdict in verdicts] == ["pass", "not-graded", "pass"]
    assert verdicts[1].message == "the checker failed: RuntimeError: ours"


def test_invariants_that_do_not_run_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "kata03.py").write_text("def test_it(:\n")
    monkeypatch.setattr(catalog.Kata, "invariants", tmp_path / "kata03.py")
    monkeypatch.delitem(sys.modules, "kata03", raising=False)  # others, already imported
    with pytest.raises(NotGraded, match="the invariants do not run: SyntaxError: invalid syntax"):
        right()


@strict_here
def test_the_environment_does_not_reach_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    processes.close()
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    with Session("process") as session:
        session.load("env.py", "import os\ndef names(): return sorted(os.environ)")
        names = session.subject.names()
    assert "SECRET_TOKEN" not in names
    assert "HOME" not in names


@strict_here
def test_a_worker_that_grew_descriptors_leaves_none(judge: Judge) -> None:
    right()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        assert judge("import os; os._exit(0)").status == "error"
        assert right().status == "pass"
    assert len(os.listdir("/proc/self/fd")) <= before


def test_no_folder_is_left(judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(os.listdir(tmp_path))
    judge("open('left.txt', 'w').write('x')", isolation="process")
    assert set(os.listdir(tmp_path)) - before == {"subject.py"}


@pytest.mark.parametrize("depth", [1, 500, 1400, 1472, 1490, 5000, 9990])
def test_a_worker_can_send_only_text_as_text(depth: int) -> None:
    nested: object = "x"
    for _ in range(depth):
        nested = [nested]
    raised = Raised(
        {"type": nested, "text": nested, "frames": [[nested, nested]], "memory": nested}
    )
    assert (raised.type, raised.text, raised.frames, raised.is_memory) == ("", "", [(0, "")], False)


EARLY = """
import os, threading
HEADER = b'{"value":{"v":1}}'
def speak(): os.write(3, b"KATA" + len(HEADER).to_bytes(4, "little") + bytes(8) + HEADER)
def attention(*inputs):
    speak()
    return inputs[0]
"""


def test_an_answer_before_its_call_is_rejected(judge: Judge) -> None:
    for _ in range(10):
        verdict = judge(EARLY)
        assert (verdict.status, verdict.reason) == ("error", "crashed")
        assert verdict.message == "the worker's answer made no sense"


def test_the_checker_never_unpickles() -> None:
    """What comes from a worker is data; no module that would run it is even imported."""
    found = set()
    for path in (ROOT / "checker").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
                found |= {name.partition(".")[0] for name in names}
            if isinstance(node, ast.keyword):
                assert node.arg != "allow_pickle"
    assert "json" in found
    assert not found & {"pickle", "dill", "cloudpickle", "marshal", "shelve", "jsonpickle"}


STATEFUL = """
class Counter:
    def __init__(self, start): self.n = start
    def add(self, array):
        self.n += int(array.sum())
        return self.n
    def twin(self): return Counter(self.n)
    def same(self, other): return other.n == self.n

def total(counter): return counter.n
"""


def test_objects_stay_in_the_worker() -> None:
    import numpy as np

    with Session("auto") as session:
        session.load("stateful.py", STATEFUL)
        counter = session.subject.Counter(1)
        assert counter.add(np.ones(3)) == 4
        twin = counter.twin()
        assert twin.add(np.ones(2)) == 6
        assert session.subject.total(counter) == 4
        assert counter.same(twin) is False
        assert (counter.kind, twin.kind) == ("Counter", "Counter")


@strict_here
def test_a_grading_process_has_a_memory_limit() -> None:
    program = (
        "import resource, numpy; from checker.judge.start import warm_up; warm_up(); "
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert int(done.stdout) == linux.MEMORY


def test_a_grader_that_runs_out_of_memory_charges_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def take_all(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Domain, "assert_agrees", take_all)
    verdict = right()
    assert (verdict.status, verdict.reason) == ("error", "memory-limit")


def test_a_batch_can_be_asked_once() -> None:
    source = "seen = []\ndef f(x):\n    seen.append(x)\n    return x + len(seen)\n"
    with Session("auto") as session:
        session.load("count.py", source + "def count():\n    return len(seen)\n")
        results = session.subject.f.each([(0.0,), (0.0,)], once=True)
        assert [*map(float, results), session.subject.count()] == [1, 2, 2]
