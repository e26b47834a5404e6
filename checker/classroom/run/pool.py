"""Who does the work: processes of this machine, or the workers of a cluster."""

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

from checker.classroom.run.portion import Json, Portion, to_json, work
from checker.errors import NotGraded
from checker.sandbox import linux

TRIES: Final = 3  # for a portion whose process has died
SECONDS: Final = 900.0  # for a portion on a cluster
CONNECT: Final = "10s"


def here(portions: list[Portion], processes: int | None = None) -> Iterator[list[Json]]:
    """The records of each portion as they come, from some processes of this machine.

    A process that dies takes no result of another portion with it: what was under way is begun
    again, one text at a time. Raises `NotGraded` where one text has ended several processes.
    """
    number = processes or os.cpu_count() or 1
    left = list(portions)
    for _ in range(TRIES):
        left = yield from _once(left, number)
        if not left:
            return
        left = [Portion([text], one.seed, one.isolation) for one in left for text in one.texts]
    names = ", ".join(f"{text.kata} {text.content[:12]}" for one in left for text in one.texts)
    raise NotGraded(f"the processes that grade have died, the last ones over {names}")


def _once(portions: list[Portion], number: int) -> Generator[list[Json], None, list[Portion]]:
    """The records of the portions; what is returned is what was left when a process died."""
    context = multiprocessing.get_context("spawn")
    left = dict[Future[list[Json]], Portion]()
    with ProcessPoolExecutor(number, context, _begin) as pool:
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
        except (KeyboardInterrupt, GeneratorExit):  # enough: what is under way is not waited for
            for process in multiprocessing.active_children():
                process.kill()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return []


def _begin() -> None:
    """Leave Ctrl-C to the process that has started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    linux.follow_parent()
    if os.getppid() == 1:
        os._exit(1)


def cluster(portions: list[Portion], address: str) -> Iterator[list[Json]]:
    """The records of each portion as they come, from the workers of a `distributed` scheduler.

    A portion whose worker is lost is sent to another one. Raises `NotGraded` where a worker cannot
    judge, or where there is no scheduler.
    """
    from distributed import Client, as_completed

    try:
        client = Client(address, timeout=CONNECT)  # type: ignore[no-untyped-call, unused-ignore]
    except (OSError, ValueError) as error:
        raise NotGraded(f"there is no scheduler at {address}: {error}") from None
    with client:
        texts = [to_json(portion) for portion in portions]
        futures = client.map(elsewhere, texts, pure=False, retries=TRIES)
        done = as_completed(futures, with_results=True)  # type: ignore[no-untyped-call, unused-ignore]
        for _, records in done:
            yield records


def elsewhere(text: str) -> list[Json]:
    """The records of a portion, from a process of its own: a cluster's worker has threads."""
    command = [sys.executable, "-m", "checker.classroom.run.portion"]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        raise NotGraded(f"a worker cannot judge: {(done.stderr.splitlines() or ['no word'])[-1]}")
    records: list[Json] = json.loads(done.stdout)
    return records
