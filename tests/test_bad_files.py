"""What a student's file can be and do, and the one-line reason it gets."""

import os
import sys
from pathlib import Path

import pytest

from checker.judge import grading
from checker.kata import catalog
from checker.kata.verdict import MAX_SCORE
from checker.sandbox.host import processes

from .attacks.bench import left_running
from .conftest import ROOT, Judge
from .processes import descendants

RIGHT = (ROOT / "solutions/kata03.py").read_text()
BODY = RIGHT[RIGHT.index("import numpy") :]
SPOILT = "import numpy as np\n\ndef attention(q, k, v, keep):\n    "

NOT_RUN = {
    "empty": (b"", "unreadable", "the file is empty"),
    "blank": (b"\n \n", "unreadable", "the file is empty"),
    "NUL": (b"a = 1\nb = '\0'\n", "unreadable", "line 2 has a NUL byte"),
    "Latin-1": (b"a = 1\n# caf\xe9\n", "unreadable", "line 2 is not UTF-8"),
    "UTF-16": ("a = 1\n".encode("utf-16"), "unreadable", "line 1 is not UTF-8"),
    "another coding": (b"# coding: utf-7\n", "unreadable", "declares utf-7"),
    "10 MB": (b"#" * 10_000_000, "too-large", "10,000,000 bytes"),
    "syntax": (b"x = 1\ny = (x\n", "syntax-error", "line 2: '(' was never closed"),
    "tabs and spaces": (b"if 1:\n\tx = 1\n        y = 1\n", "syntax-error", "line 3: "),
    "not installed": (b"import torch\n", "import-error", "No module named 'torch'; only numpy"),
    "fails on import": (
        b"x = 1 / 0\n",
        "import-error",
        "line 1, x = 1 / 0: ZeroDivisionError: division by zero",
    ),
    "missing function": (b"def attend(): ...\n", "missing-name", "it defines no attention"),
    "deep": (b"x = " + b"(" * 5000 + b")" * 5000 + b"\n", "syntax-error", "line 1: "),
    "exits on import": (b"import sys; sys.exit(0)\n", "exited", "(exit status 0)"),
    "loops on import": (
        b"while True: pass\n",
        "time-limit",
        "running the file took more than 2 s and 20",
    ),
}


@pytest.mark.parametrize("name", NOT_RUN)
def test_a_file_that_does_not_run_has_a_reason(name: str, judge: Judge) -> None:
    source, reason, message = NOT_RUN[name]
    verdict = judge(source)
    assert (verdict.status, verdict.reason, verdict.score) == ("error", reason, 0)
    assert message in str(verdict.message)
    assert {check.status for check in verdict.checks} <= {"skipped", "error"}
    assert len(verdict.checks) == 10


STOPS = {
    "sys.exit": ("import sys; sys.exit(0)", "exited", "(exit status 0)"),
    "os._exit": ("import os; os._exit(0)", "exited", "(exit status 0)"),
    "sleeps": (
        "import time; time.sleep(60)",
        "time-limit",
        "an invariant took more than 2 s and 20",
    ),
    "loops in C": ("sum(range(10**13))", "time-limit", "an invariant took more than 2 s and 20"),
    "50 GB": ("np.ones(50 * 2**30 // 8)", "memory-limit", "Unable to allocate 50.0 GiB"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "crashed", "(SIGSEGV)"),
    "closes the pipe": ("import os; os.close(3); os.close(4)", "exited", "it ended the process"),
    "forges an answer": ("import os; os.write(3, b'KATA' + bytes(12))", "crashed", "no sense"),
}


@pytest.mark.parametrize("name", STOPS)
def test_a_call_that_ends_the_worker_has_a_reason(name: str, judge: Judge) -> None:
    line, reason, message = STOPS[name]
    verdict = judge(SPOILT + line)
    assert (verdict.status, verdict.reason, verdict.score) == ("error", reason, 0)
    assert message in str(verdict.message)
    first, *others = [check.status for check in verdict.checks]
    assert first == ("timeout" if reason == "time-limit" else "error")
    assert set(others) == {"skipped"}


WRONG = {
    "None": ("pass", "returned None, want (out, weights)"),
    "a scalar": ("return 1.0", "returned a float, want (out, weights)"),
    "one array": ("return q", "returned one array, want (out, weights)"),
    "lists": ("return [1.0], [2.0]", "returned a list of 1 for out, want an array"),
    "a generator": ("return (x for x in (q, k))", "returned a generator, want (out, weights)"),
    "a matrix": ("return np.matrix([[1.0]]), q", "returned a matrix for out, want an array"),
    "objects": ("return np.array([None]), q", "returned an array of object for out, want an array"),
    "a shape": ("return q, q", "out has shape (3, 4), want (3, 6)"),
    "a dtype": (
        "return np.ones((3, 6), 'f4'), np.ones((3, 5))",
        "out is float32, want float64",
    ),
    "complex": (
        "return np.ones((3, 6), complex), np.ones((3, 5))",
        "out is complex128, want float64",
    ),
    "recursion": (
        "return attention(q, k, v, keep)",
        "line 4, return attention(q, k, v, keep): RecursionError: ",
    ),
    "a write": (
        "q += 1",
        "line 4, q += 1: ValueError: output array is read-only (inputs are read-only",
    ),
    "an interrupt": (
        "raise KeyboardInterrupt",
        "line 4, raise KeyboardInterrupt: KeyboardInterrupt",
    ),
    "a skip": (
        "import unittest; raise unittest.SkipTest('x')",
        "line 4, import unittest; raise unittest.SkipTest('x'): SkipTest: x",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_named(name: str, judge: Judge) -> None:
    line, message = WRONG[name]
    verdict = judge(SPOILT + line)
    assert (verdict.status, verdict.score) == ("fail", 0)
    assert str(verdict.checks[1].message).startswith(message)


def test_a_wrong_signature_is_named(judge: Judge) -> None:
    verdict = judge("def attention(q, k, v): ...")
    assert verdict.checks[1].message == (
        "TypeError: attention() takes 3 positional arguments but 4 were given"
    )


def test_nan_breaks_an_invariant(judge: Judge) -> None:
    verdict = judge(BODY.replace("return weights @ v,", "return weights @ v * np.nan,"))
    assert verdict.status == "fail"
    messages = [check.message or "" for check in verdict.checks]
    assert any("got nan, want " in message for message in messages)


LIAR = """
import numpy as np

class Liar(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __array__(self, *a, **k): return np.ones(self.shape)
    __le__ = __lt__ = __ne__ = __eq__

def attention(q, k, v, keep):
    return np.ones((2, 3, 6)).view(Liar), np.ones((2, 3, 5)).view(Liar)
"""


def test_an_array_subclass_is_rejected(judge: Judge) -> None:
    verdict = judge(LIAR)
    assert verdict.checks[1].message == "returned a Liar for out, want an array"
    assert {check.status for check in verdict.checks} == {"broken"}


PATCHES = """
import builtins, sys
import numpy as np
import numpy.testing
np.allclose = np.array_equal = lambda *a, **k: True
np.testing.assert_allclose = lambda *a, **k: None
builtins.AssertionError = builtins.all = builtins.abs = lambda *a: True
np.random.default_rng = None
sys.modules["pytest"] = None

def attention(q, k, v, keep):
    return np.ones((2, 3, 6)), np.ones((2, 3, 5))
"""


def test_patches_stay_in_the_worker(judge: Judge) -> None:
    verdict = judge(PATCHES)
    assert verdict.status == "fail"
    assert judge(RIGHT).status == "pass"


PASSES = {
    "as it is": RIGHT.encode(),
    "a byte-order mark": b"\xef\xbb\xbf" + RIGHT.encode(),
    "CRLF": RIGHT.replace("\n", "\r\n").encode(),
    "tabs": RIGHT.replace("    ", "\t").encode(),
    "a coding line": b"# -*- coding: utf-8 -*-\n" + RIGHT.encode(),
    "a main block": RIGHT.encode() + b"\nif __name__ == '__main__':\n    raise SystemExit\n",
    "prints 100 MB": RIGHT.encode() + b"\nfor _ in range(1000): print('x' * 100_000)\n",
    "warns": RIGHT.encode() + b"\nimport warnings; warnings.warn('hm')\n",
    "annotations": b"from __future__ import annotations\n" + BODY.encode(),
    "a dataclass": BODY.encode()
    + b"\nfrom dataclasses import dataclass\n\n@dataclass\nclass Shape:\n    size: int = 1\n",
}


@pytest.mark.parametrize("name", PASSES)
def test_formatting_does_not_fail_a_right_file(name: str, judge: Judge) -> None:
    verdict = judge(PASSES[name])
    assert (verdict.message, verdict.status, verdict.score) == (None, "pass", MAX_SCORE)


def test_printed_output_is_separate_and_truncated(judge: Judge) -> None:
    verdict = judge("print('first')\nfor _ in range(1000): print('x' * 100_000)\n" + BODY)
    assert verdict.stdout.startswith("first\nxxx")
    assert verdict.stdout.endswith("... (the rest of the output is not kept)\n")
    assert len(verdict.stdout) < 5000


def test_output_before_a_crash_is_kept(judge: Judge) -> None:
    assert judge("print('here')\nimport ctypes; ctypes.string_at(0)\n").stdout == "here\n"


def test_a_syntax_error_has_its_line_and_caret(judge: Judge) -> None:
    verdict = judge("def attention(q):\n\treturn q @@ q\n")
    assert verdict.excerpt == ["    return q @@ q", "              ^"]


def graded(path: Path) -> tuple[str | None, str | None]:
    verdict = grading.grade(catalog.find("kata03"), path)
    return verdict.reason, verdict.message


def test_a_folder_is_not_read(tmp_path: Path) -> None:
    assert graded(tmp_path) == ("unreadable", "the file cannot be read: it is a folder")


@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_a_special_file_is_not_read(kind: str, tmp_path: Path) -> None:
    if sys.platform == "win32":
        return
    path = Path("/dev/zero")
    if kind == "fifo":
        path = tmp_path / "fifo"
        os.mkfifo(path)
    assert graded(path) == ("unreadable", "the file cannot be read: it is not a regular file")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    reason, message = graded(tmp_path / "nothing.py")
    assert (reason, message) == (
        "unreadable",
        "the file cannot be read: No such file or directory",
    )


def test_a_thread_or_process_of_its_own_is_refused(judge: Judge) -> None:
    started = judge(SPOILT + "import os; os.fork()", isolation="strict")
    assert "PermissionError: " in str(started.checks[1].message)
    threaded = judge(SPOILT + "import threading; threading.Thread(target=int).start()")
    assert "RuntimeError: can't start new thread" in str(threaded.checks[1].message)


LEAVES = """
import os, time
def attention(q, k, v, keep):
    for _ in range(3):
        if not os.fork():
            os.setsid()
            if os.fork():
                os._exit(0)
            while True:
                time.sleep(0.1)
    os.write(1, str(os.getpid()).encode())
    return q, q
"""


def test_children_of_a_worker_end_with_it(judge: Judge) -> None:
    processes.fork_server()
    before = descendants()
    assert judge(LEAVES, isolation="process").status == "fail"
    assert left_running(before) == []


FORGED = {
    "a number too large": '{"raised":{"frames":[[1e999,"b"]]}}',
    "no object": '{"raised":[]}',
    "a line too many": '{"raised":{"syntax":[1,1,"x\\\\nPASS: all 9 invariants hold"]}}',
    "no answer": "{}",
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_answer_to_the_source_earns_nothing(name: str, judge: Judge) -> None:
    source = f"import os\nheader = b'''{FORGED[name]}'''\n" + (
        "os.write(3, b'KATA' + len(header).to_bytes(4, 'little') + bytes(8) + header)\n"
    )
    verdict = judge(source)
    assert verdict.status in ("error", "fail")
    assert verdict.score == 0


LARGE = """
import os
def attention(*inputs):
    size = 2 ** 26
    header = b'{"value":{"t":[{"a":["|i1",[%d,1],0]},{"a":["|i1",[1],0]}]}}' % size
    os.write(3, b"KATA" + len(header).to_bytes(4, "little") + size.to_bytes(8, "little") + header)
    for _ in range(64):
        os.write(3, bytes(2 ** 20))
"""


def test_a_large_forged_answer_is_not_taken(judge: Judge) -> None:
    verdict = judge(LARGE)
    assert (verdict.status, verdict.reason) == ("error", "crashed")


ODD_EXCEPTIONS = {
    "a name that is none": "class M(type): __name__ = 3\nclass E(Exception, metaclass=M): ...\n"
    "raise E",
    "a text that raises": "class E(Exception):\n    def __str__(self): raise self\nraise E",
    "a line that is none": "e = SyntaxError('m')\ne.lineno = 'x'\nraise e",
    "a name without end": "raise type('E' * 10**6, (Exception,), {})('x' * 10**6)",
}


@pytest.mark.parametrize("name", ODD_EXCEPTIONS)
def test_an_odd_exception_is_an_import_error(name: str, judge: Judge) -> None:
    verdict = judge(ODD_EXCEPTIONS[name])
    assert (verdict.status, verdict.reason) == ("error", "import-error")
    assert verdict.stdout == ""
    assert len(str(verdict.message)) < 1200


def test_an_exception_shows_its_own_line(judge: Judge) -> None:
    verdict = judge("x = 1\n\x0c\n\x0c\ny = '\x85 \u2028'\nraise ValueError('here')\n")
    assert verdict.message == "line 5, raise ValueError('here'): ValueError: here"


def test_a_syntax_error_of_other_code_is_an_exception(judge: Judge) -> None:
    verdict = judge("import ast\nast.literal_eval('1 +')\n")
    assert (verdict.reason, verdict.excerpt) == ("import-error", [])


@pytest.mark.parametrize("module", ["numpy.py", "numpy", "subject.py", "os.py"])
def test_the_name_of_a_file_does_not_matter(module: str, tmp_path: Path) -> None:
    (tmp_path / module).write_text(RIGHT)
    assert grading.grade(catalog.find("kata03"), tmp_path / module).status == "pass"


def test_a_named_tuple_is_a_tuple(judge: Judge) -> None:
    source = "from collections import namedtuple\nR = namedtuple('R', 'out weights')\n" + BODY
    assert (
        judge(
            source.replace("return weights @ v, weights", "return R(weights @ v, weights)")
        ).status
        == "pass"
    )


def test_standard_output_can_be_reconfigured(judge: Judge) -> None:
    lines = (
        "import sys\nsys.stdout.reconfigure(line_buffering=True)\nsys.stdout.buffer.write(b'raw')\n"
    )
    verdict = judge(lines + BODY)
    assert (verdict.status, verdict.stdout) == ("pass", "raw")


DEEP = """
import os
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
"""


def test_deep_folders_are_removed(
    judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    judge(DEEP, isolation="process")
    assert os.listdir(tmp_path) == ["subject.py"]


def test_an_unnamed_signal_is_shown_by_number(judge: Judge) -> None:
    verdict = judge("import os; os.kill(os.getpid(), 40)", isolation="process")
    assert (verdict.reason, verdict.message) == (
        "crashed",
        "it crashed the interpreter (signal 40)",
    )


def test_late_imports_work_at_every_level(judge: Judge) -> None:
    for line in (
        "import wave, queue, uuid, asyncio",
        "from numpy import *",
        "import numpy.testing",
    ):
        assert judge(f"{line}\n{RIGHT}").message is None
