"""Grade portions in parallel: in processes of this machine, or on the workers of a cluster."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from checker.classroom.run.portion import Portion, to_json, work
from checker.errors import NotGraded
from checker.kata.verdict import Json
from checker.sandbox import linux
from checker.sandbox.program import program

TRIES: Final = 3  # for a portion whose process crashed
SECONDS: Final = 900.0  # for a portion on a cluster
CONNECT: Final = "10s"


def local(portions: list[Portion], processes: int | None = None) -> Iterator[list[Json]]:
    """The records of each portion as they arrive, from processes of this machine.

    When a process crashes, the unfinished portions are graded again, one submission at a time.
    A submission that crashes each of them is in error. Raises `NotGraded` if a right file does too.
    """
    number = processes or os.cpu_count() or 1
    left = list(portions)
    for _ in range(TRIES):
        left = yield from _in_one_pool(left, number)
        if not left:
            return
        left = [part for portion in left for part in portion.split()]
    for portion in left:  # alone, in a process that also grades a right file
        if (yield from _in_one_pool([portion], 1)):
            if not list(_in_one_pool([portion.right()], 1)):
                names = ", ".join(one.name for portion in left for one in portion.submissions)
                raise NotGraded(f"the grading processes kept crashing, most recently on {names}")
            yield portion.crashed()


def _in_one_pool(
    portions: list[Portion], number: int
) -> Generator[list[Json], None, list[Portion]]:
    """The records of the portions; returns those left when a process crashed."""
    context = multiprocessing.get_context("spawn")
    left = dict[Future[list[Json]], Portion]()
    with ProcessPoolExecutor(number, context, _start_process) as pool:
        try:
            left = {pool.submit(work, portion): portion for portion in portions}
            waiting = set(left)
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    records = future.result()
                    del left[future]
                    yield records
        except BrokenProcessPool:
            return list(left.values())
        except (KeyboardInterrupt, GeneratorExit):  # do not wait for unfinished portions
            for process in multiprocessing.active_children():
                process.kill()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return []


def _start_process() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    linux.follow_parent()
    parent = multiprocessing.parent_process()
    if not parent or os.getppid() != parent.pid:  # it has ended already
        os._exit(1)


def on_cluster(portions: list[Portion], address: str) -> Iterator[list[Json]]:
    """The records of each portion as they arrive, from the workers of a `distributed` scheduler.

    A portion whose worker is lost goes to another one. Raises `NotGraded` if a worker cannot grade
    or there is no scheduler.
    """
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=CONNECT)  # type: ignore[no-untyped-call, unused-ignore]
    except (OSError, ValueError) as error:
        raise NotGraded(f"there is no scheduler at {address}: {error}") from None
    with client:
        texts = [to_json(portion) for portion in portions]
        futures = client.map(in_subprocess, texts, pure=False, retries=TRIES)
        done = as_completed(futures, with_results=True)  # type: ignore[no-untyped-call, unused-ignore]
        for _, records in done:
            yield records


def in_subprocess(text: str) -> list[Json]:
    """The records of a portion, from a process of its own: a cluster's worker has threads."""
    command = [sys.executable, "-P", "-c", program("checker.classroom.run.portion")]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        *_, last = done.stderr.splitlines() or ["no output"]
        raise NotGraded(f"a worker cannot grade: {last}")
    records: list[Json] = json.loads(done.stdout)
    return records
