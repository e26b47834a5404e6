"""Random input for all readers and writers: frames, files, and text from a student."""

import io
import json
import random
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.kata import catalog
from checker.kata.source import BadSource, Source, read
from checker.kata.verdict import Check, Verdict
from checker.learner.text import render
from checker.sandbox import wire

FRAMES = 100_000
UNPRINTABLE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f]"
)


def sound_frames() -> list[bytes]:
    frames = []
    for value in [(np.ones((2, 3)), None), [1, 2.5, "x"], np.zeros((0, 4)), float("nan"), ((),)]:
        payload = bytearray()
        tree = wire.encode(value, payload, lambda other: {"o": "other"})
        frames.append(wire.frame({"value": tree}, bytes(payload)))
    return frames


def spoil(rng: random.Random, frame: bytes) -> bytes:
    """The frame with some bytes changed, cut, doubled or exchanged for digits and brackets."""
    data = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(5):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randint(1, 8)]
            case 2:
                data[at:at] = data[at : at + rng.randint(1, 8)]
            case 3:
                data[at : at + 1] = rng.choice([b"9", b"-", b"[", b"]", b"{", b"1e999", b"null"])
            case 4:
                data[at : at + 8] = rng.randbytes(8)
        if not data:
            break
    return bytes(data)


def test_corrupted_frames_are_read_or_rejected() -> None:
    rng, frames, read_ = random.Random(0), sound_frames(), 0
    for number in range(FRAMES):
        stream = io.BytesIO(spoil(rng, frames[number % len(frames)]))
        try:
            header, payload = wire.read_frame(stream.read)
            value = wire.decode(header.get("value"), payload, lambda node: node)
        except (wire.WireError, EOFError):
            continue
        read_ += 1
        if isinstance(value, np.ndarray):
            assert value.dtype in wire.NAMES
            assert value.nbytes <= len(payload)
    assert 0 < read_ < FRAMES / 2


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
@settings(deadline=None, max_examples=500, suppress_health_check=[HealthCheck.differing_executors])
def test_any_file_is_accepted_or_rejected(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.py"
    path.write_bytes(data)
    try:
        taken: Source | BadSource = read(path)
    except BadSource as refused:
        taken = refused
    if isinstance(taken, BadSource):
        assert taken.reason in ("unreadable", "too-large")
        assert len(taken.message) < 200
    else:
        assert "\0" not in taken.text


ANY = st.text(st.characters(), max_size=60)


def verdict_of(words: list[str]) -> Verdict:
    name, message, printed, excerpt, statement, note = words
    check = Check("c", statement, status="broken", message=message, got=float("nan"))
    return Verdict(
        "kata03", "Title", name, None, "error", "crashed", note, [excerpt], checks=[check],
        stdout=printed,
    )  # fmt: skip


@given(st.lists(ANY, min_size=6, max_size=6))
@settings(deadline=None, max_examples=500)
def test_student_text_cannot_control_the_terminal(words: list[str]) -> None:
    words[4] = "A promise."  # the statement is the suite's own
    text = "\n".join(render(verdict_of(words), catalog.find("kata03")))
    assert not UNPRINTABLE.search(text)
    assert text.encode()
    assert "\nPASS" not in text


@given(st.lists(ANY, min_size=6, max_size=6))
@settings(deadline=None, max_examples=300)
def test_json_is_ascii_and_round_trips(words: list[str]) -> None:
    data = verdict_of(words).to_json()
    text = json.dumps(data, allow_nan=False)
    assert text.isascii()
    assert not UNPRINTABLE.search(text)
    assert json.loads(text)["stdout"] == words[2]


@pytest.mark.parametrize("text", ["x" * 10**6, "y\n" * 10**5, "\x1b[2J" * 10**5])
def test_long_text_is_truncated(text: str) -> None:
    output = "\n".join(
        render(verdict_of(["f.py", text, text, text, "A.", text]), catalog.find("kata03"))
    )
    assert len(output) < 60_000
    assert max(map(len, output.split("\n"))) < 2_000
