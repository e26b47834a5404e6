"""Collecting submissions: every layout, and everything that a name or a zip can try."""

import io
import os
import random
import re
import stat
import string
import sys
import unicodedata
import warnings
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.classroom.collect import entries, folders, shares, zips
from checker.classroom.collect.collector import collect
from checker.classroom.collect.entries import Unusable, ignored
from checker.classroom.collect.metadata import parse_time
from checker.classroom.collect.names import display_path, safe_name
from checker.classroom.collect.roster import Roster, read_roster
from checker.classroom.collect.submission import Collected
from checker.kata.source import MAX_BYTES

Files = Mapping[str, "bytes | Files"]  # a mapping under a name that ends in .zip is a zip

METADATA = b"""---
submission_111:
  :submitters:
  - :name: Alice Doe
    :sid: 0012
    :email: alice@x.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone 2026-11-30 13:00:00.123456789 +01:00
  :score: 7.0
submission_222:
  :submitters:
  - :name: Bob Roe
    :sid: '13'
    :email: bob@x.edu
  - :name: Cy Poe
    :sid:
    :email: cy@x.edu
  :created_at: 2026-11-29 08:00:00.000000000 Z
"""


fifos = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no fifos on this system")


def zipped(files: Files) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, bytes) else zipped(content))
    return memory.getvalue()


def lay(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else zipped(content))
    return folder


def hand_in(folder: Path, files: Files) -> Path:
    """The files as one zip."""
    file = folder / "export.zip"
    file.write_bytes(zipped(files))
    return file


def contents(collected: Collected) -> dict[tuple[str, str], bytes]:
    return {(each.student, each.kata): each.data for each in collected.submissions}


def students(collected: Collected) -> list[str]:
    return sorted({each.student for each in collected.submissions})


A3 = ("alice", "kata03")
B3 = ("bob", "kata03")

LAYOUTS: dict[str, tuple[Files, dict[tuple[str, str], bytes]]] = {
    "one folder per student": (
        {"alice/kata03.py": b"a", "alice/kata04.py": b"a4", "bob/kata03.py": b"b"},
        {A3: b"a", ("alice", "kata04"): b"a4", B3: b"b"},
    ),
    "nested folders": (
        {"alice/homework/one/kata03.py": b"a", "bob/kata03.py": b"b"},
        {A3: b"a", B3: b"b"},
    ),
    "one student": ({"alice/kata03.py": b"a"}, {A3: b"a"}),
    "a wrapping folder": ({"ps1/alice/kata03.py": b"a", "ps1/bob/kata03.py": b"b"},
                          {A3: b"a", B3: b"b"}),
    "a wrapping folder around one student": ({"ps1/alice/kata03.py": b"a"}, {A3: b"a"}),
    "a wrapping folder next to a class list": (
        {"ps1/alice/kata03.py": b"a", "ps1/bob/kata03.py": b"b", "grades.csv": b""},
        {A3: b"a", B3: b"b"},
    ),
    "one zip per student": (
        {"alice.zip": {"kata03.py": b"a"}, "bob.ZIP": {"hw/kata03.py": b"b"}},
        {A3: b"a", B3: b"b"},
    ),
    "a zip in a folder": (
        {"alice/homework.zip": {"kata03.py": b"a"}, "bob/kata03.py": b"b"},
        {A3: b"a", B3: b"b"},
    ),
    "a zip in a zip": (
        {"alice/a.zip": {"b.zip": {"kata03.py": b"a"}}, "bob/kata03.py": b"b"},
        {A3: b"a", B3: b"b"},
    ),
    "a zip of all with a wrapping folder": (
        {"class.zip": {"ps1/alice/kata03.py": b"a", "ps1/bob/kata03.py": b"b"}},
        {A3: b"a", B3: b"b"},
    ),
    "Canvas": (
        {"doealice_12345_678901_kata03.py": b"a", "roebob_LATE_12346_678902_kata03-1.py": b"b"},
        {("doealice_12345", "kata03"): b"a", ("roebob_12346", "kata03"): b"b"},
    ),
    "Canvas, the same name twice": (
        {"doealice_12345_678901_kata03.py": b"a", "doealice_99999_678902_kata03.py": b"b"},
        {("doealice_12345", "kata03"): b"a", ("doealice_99999", "kata03"): b"b"},
    ),
    "Canvas, zips": (
        {"doealice_12345_678901_hw.zip": {"kata03.py": b"a"},
         "roebob_12346_678902_my_hw_1_2.zip": {"hw/kata03.py": b"b"}},
        {("doealice_12345", "kata03"): b"a", ("roebob_12346", "kata03"): b"b"},
    ),
    "Canvas, without names": (
        {"anon_aB3x9_678901_kata03.py": b"a", "LATE_anon_q7Zt1_678902_kata03.py": b"b"},
        {("anon_aB3x9", "kata03"): b"a", ("anon_q7Zt1", "kata03"): b"b"},
    ),
    "Moodle": (
        {"Alice Doe_98765_assignsubmission_file_/kata03.py": b"a",
         "Bob Roe_98766_assignsubmission_file/hw.zip": {"kata03.py": b"b"}},
        {("Alice Doe_98765", "kata03"): b"a", ("Bob Roe_98766", "kata03"): b"b"},
    ),
    "Moodle, without folders": (
        {"Alice Doe_98765_assignsubmission_file_kata03.py": b"a",
         "Bob Roe_98766_assignsubmission_file_hw.zip": {"kata03.py": b"b"}},
        {("Alice Doe_98765", "kata03"): b"a", ("Bob Roe_98766", "kata03"): b"b"},
    ),
    "Gradescope": (
        {"assignment_9_export/submission_metadata.yml": METADATA,
         "assignment_9_export/submission_111/kata03.py": b"a",
         "assignment_9_export/submission_222/sub/kata03.py": b"b"},
        {("alice@x.edu", "kata03"): b"a", ("bob@x.edu", "kata03"): b"b",
         ("cy@x.edu", "kata03"): b"b"},
    ),
    "Gradescope, without names": (
        {"submission_111/kata03.py": b"a"}, {("submission_111", "kata03"): b"a"}
    ),
    "nbgrader": (
        {"submitted/alice/ps1/kata03.py": b"a", "submitted/bob/ps1/kata03.py": b"b"},
        {A3: b"a", B3: b"b"},
    ),
    "nbgrader, one student": ({"submitted/alice/ps1/kata03.py": b"a"}, {A3: b"a"}),
    "nbgrader, a whole course": (
        {"course/submitted/alice/ps1/kata03.py": b"a", "course/source/ps1/kata03.py": b"s",
         "course/release/ps1/kata03.py": b"r"},
        {A3: b"a"},
    ),
    "clones": (
        {"ps1-alice/katas/kata03.py": b"a", "ps1-alan/katas/kata03.py": b"b"},
        {A3: b"a", ("alan", "kata03"): b"b"},
    ),
    "whole clones": (
        {f"ps1-{who}/{what}": who.encode() + (b"" if what.startswith("katas/") else b" no")
         for who in ("alice", "bob") for what in (
             "katas/kata03.py", "solutions/kata03.py", "checker/invariants/kata03.py",
             "tests/kata03.py", "backup/kata03.py", "kata03.py", "README.md")},
        {A3: b"alice", B3: b"bob"},
    ),
    "folders that look like clones next to another": (
        {"li-wei/katas/kata03.py": b"a", "li-na/katas/kata03.py": b"b", "wei/kata03.py": b"c"},
        {("li-wei", "kata03"): b"a", ("li-na", "kata03"): b"b", ("wei", "kata03"): b"c"},
    ),
    "one clone": ({"ps1-alice/katas/kata03.py": b"a"}, {("ps1-alice", "kata03"): b"a"}),
    "a zip with a folder of its own name": (
        {"alice.zip": {"alice/kata03.py": b"a"}, "bob.zip": {"bob/kata03.py": b"b"}},
        {A3: b"a", B3: b"b"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", [lay, hand_in])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_is_recognised(layout: str, way: object, tmp_path: Path) -> None:
    files, want = LAYOUTS[layout]
    source = lay(tmp_path, files) if way is lay else hand_in(tmp_path, files)
    assert contents(collect(source)) == want


def test_a_name_says_where_the_file_was_found(tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, {"alice/hw.zip": {"kata03.py": b"a"}}))
    assert [each.name for each in found.submissions] == ["export.zip/alice/hw.zip/kata03.py"]


NAMES = {
    "kata03.py": "kata03",
    "Kata3.PY": "kata03",
    "KATA03.py.txt": "kata03",
    "kata03.py.TXT": "kata03",
    "kata03 (1).py": "kata03",
    "kata03(12).py": "kata03",
    "kata03-1.py": "kata03",
    "kata03-1.py.txt": "kata03",
    "kata_3.py": "kata03",
    "kata-03.py": "kata03",
    "kata 3.py": "kata03",
    "kata003.py": "kata03",
    "kata3": None,
    "kata03.pyc": None,
    "kata03.txt": None,
    "kata03.py.bak": None,
    "kata03.ipynb": None,
    "kata03.mine-1.py": None,
    "mykata03.py": None,
    "kata.py": None,
    "\N{KELVIN SIGN}ata03.py": None,
    "kata\N{ARABIC-INDIC DIGIT THREE}.py": None,
    "kata0.py": None,
    "kata999.py": None,
    "kata03.py\n": None,
    "kata" + "0" * 100 + "3.py": None,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_kata_is_known_by_its_name(name: str, tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {f"alice/{name}": b"x", "alice/notes.txt": b""}))
    kata = NAMES[name]
    assert contents(found) == ({("alice", kata): b"x"} if kata else {})
    assert len(found.skipped) == 2 - len(found.submissions)


def test_an_unknown_kata_is_named(tmp_path: Path) -> None:
    (skip,) = collect(lay(tmp_path, {"alice/kata99.py": b""})).skipped
    assert skip[0] == "alice/kata99.py"
    assert skip[1].startswith("there is no kata '99'")


NEWEST: dict[str, tuple[Files, bytes]] = {
    "Canvas's number": (
        {"doealice_1_20_kata03.py": b"new", "doealice_1_3_kata03-7.py": b"old"}, b"new"
    ),
    "a copy": ({"alice/kata03 (2).py": b"new", "alice/kata03-1.py": b"old",
                "alice/kata03.py": b"old"}, b"new"),
    "a copy of ten": ({"alice/kata03-10.py": b"new", "alice/kata03-9.py": b"old"}, b"new"),
    "Gradescope's number": (
        {"submission_metadata.yml": METADATA.replace(b"_222", b"_9").replace(b"bob@", b"alice@"),
         "submission_111/kata03.py": b"new", "submission_9/kata03 (4).py": b"old"}, b"new"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NEWEST)
def test_the_newest_wins(case: str, tmp_path: Path) -> None:
    files, want = NEWEST[case]
    found = collect(hand_in(tmp_path, files))
    assert found.submissions[0].data == want
    assert found.superseded
    assert {each.data for each in found.superseded} == {b""}  # only the newest is kept in memory


def test_the_later_time_wins(tmp_path: Path) -> None:
    lay(tmp_path, {"alice/a/kata03.py": b"new", "alice/b/kata03.py": b"old", "bob/x/y.txt": b""})
    os.utime(tmp_path / "alice/a/kata03.py", (2e9, 2e9))
    os.utime(tmp_path / "alice/b/kata03.py", (1e9, 1e9))
    assert contents(collect(tmp_path)) == {A3: b"new"}


def test_the_older_ones_are_kept_apart(tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {f"alice/kata03-{n}.py": bytes([n]) for n in (1, 3, 2)}))
    assert [each.name for each in found.superseded] == ["alice/kata03-2.py", "alice/kata03-1.py"]


def test_submissions_are_in_order(tmp_path: Path) -> None:
    files = {f"{who}/{kata}.py": b"" for who in "cab" for kata in ("kata04", "kata03")}
    order = [(each.student, each.kata) for each in collect(hand_in(tmp_path, files)).submissions]
    assert order == sorted(order)
    assert len(order) == 6


def test_gradescope_says_when(tmp_path: Path) -> None:
    files = {"submission_metadata.yml": METADATA, "submission_111/kata03.py": b"a"}
    (found,) = collect(lay(tmp_path, files)).submissions
    assert found.when == datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2026-11-30 12:00:00.000000000 Z", "2026-11-30T12:00:00+00:00"),
        ("2026-11-30T07:00:00-05:00", "2026-11-30T12:00:00+00:00"),
        ("2026-11-30 12:00:00 UTC", "2026-11-30T12:00:00+00:00"),
        ("2026-11-30 12:00:00", None),
        ("2026-13-30 12:00:00 Z", None),
        ("0001-01-01 00:00:00 +23:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_time_is_in_utc_or_is_none(text: str, want: str | None) -> None:
    found = parse_time(text)
    assert (found and found.isoformat()) == want


BROKEN_METADATA = {
    "not YAML": b"a: [",
    "a list": b"- a",
    "nothing": b"",
    "not text": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "a tag that runs code": b"!!python/object/apply:os._exit [3]",
}


@pytest.mark.parametrize("case", BROKEN_METADATA)
def test_with_broken_metadata_only_the_names_are_lost(case: str, tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {
        "submission_metadata.yml": BROKEN_METADATA[case], "submission_111/kata03.py": b"a",
    }))  # fmt: skip
    assert students(found) == ["submission_111"]
    assert [name for name, _ in found.skipped] == ["submission_metadata.yml"]


@pytest.mark.parametrize("record", [
    b"3", b"{}", b"{':submitters': 3}", b"{':submitters': [3, {}]}",
    b"{':submitters': [{':name': [1]}], ':created_at': {}}",
])  # fmt: skip
def test_with_a_malformed_record_only_its_names_are_lost(record: bytes, tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {
        "submission_metadata.yml": METADATA.partition(b"submission_222")[0]
        + b"submission_7: " + record + b"\n",
        "submission_111/kata03.py": b"a", "submission_7/kata03.py": b"a",
    }))  # fmt: skip
    assert students(found) == ["alice@x.edu", "submission_7"]


def test_without_pyyaml_names_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    files = {"submission_metadata.yml": METADATA, "submission_111/kata03.py": b"a"}
    found = collect(lay(tmp_path, files))
    assert students(found) == ["submission_111"]
    assert "pip install 'attention-katas[classroom]'" in found.skipped[0][1]


def test_metadata_handed_in_by_a_student_is_not_used(tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {
        "submission_111/submission_metadata.yml": METADATA,
        "submission_111/submission_222/kata03.py": b"forged", "submission_333/kata03.py": b"c",
    }))  # fmt: skip
    assert students(found) == ["submission_111", "submission_333"]


@pytest.mark.parametrize("inside", [
    "doebob_1_2_kata03.py", "Bob_1_assignsubmission_file_kata03.py", "../bob/kata03.py",
    "doebob_1_2_x.zip/kata03.py", "submitted/bob/kata03.py", "submission_222/kata03.py",
    "bob/katas/kata03.py",
])  # fmt: skip
def test_a_student_cannot_hand_in_for_another(inside: str, tmp_path: Path) -> None:
    shape: Files = {"alice.zip": {inside: b"forged"}, "bob/kata03.py": b"b"}
    found = collect(hand_in(tmp_path, shape))
    assert set(students(found)) <= {"alice", "bob"}
    assert contents(found)[B3] == b"b"


SAME = {
    "Canvas": "doealice_12345_678901_roebob_12346_678902_kata03.py",
    "Moodle": "Alice_1_assignsubmission_file_Bob_2_assignsubmission_file_kata03.py",
}


@pytest.mark.parametrize("platform", SAME)
def test_a_file_name_chosen_by_a_student_does_not_identify_anyone(
    platform: str, tmp_path: Path
) -> None:
    found = collect(lay(tmp_path, {SAME[platform]: b"forged"}))
    assert not found.submissions
    assert len(found.skipped) == 1


WITHOUT_OWNER: dict[str, Files] = {
    "loose files": {"kata03.py": b"", "kata04.py": b""},
    "a clone that is the source": {
        "katas/kata03.py": b"", "solutions/kata03.py": b"", "checker/x.py": b""},
    "a name of blanks": {"   /kata03.py": b"", "x/y.txt": b""},
    "a zip without a name": {"a/b.txt": b"", " .zip": {"kata03.py": b""}},
    "a name as long as a story": {"n" * 300 + "/kata03.py": b"", "x/y.txt": b""},
}  # fmt: skip


@pytest.mark.parametrize("case", WITHOUT_OWNER)
def test_a_file_without_an_owner_is_skipped(case: str, tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, WITHOUT_OWNER[case]))
    assert not found.submissions
    assert "cannot tell which student this belongs to" in {why for _, why in found.skipped}


def test_other_folders_of_a_clone_are_listed_once(tmp_path: Path) -> None:
    files = {f"alice/{folder}/kata0{n}.py": b"" for n in range(1, 9)
             for folder in ("katas", "solutions", "tests")}  # fmt: skip
    assert collect(lay(tmp_path, files)).skipped == [
        ("alice/solutions", "in a clone of the repository only katas/ is graded"),
        ("alice/tests", "in a clone of the repository only katas/ is graded"),
    ]


@pytest.mark.parametrize("name", ["solutions", "tests", "katas", "con", "index", "-rf", "kata03"])
def test_a_student_may_have_any_name(name: str, tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {f"{name}/kata03.py": b"", "bob/kata03.py": b""}))
    assert students(found) == sorted([name, "bob"])


IGNORED = ["__MACOSX/alice/._kata03.py", ".DS_Store", "alice/.DS_Store", "alice/._kata03.py",
           "alice/.git/config", "alice/__pycache__/kata03.py", "alice/.idea/kata03.py",
           "Thumbs.db", "alice/desktop.ini"]  # fmt: skip


@pytest.mark.parametrize("name", IGNORED)
def test_files_written_by_software_are_ignored(name: str, tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, {name: b"x", "alice/kata03.py": b"a"}))
    assert (contents(found), found.skipped) == ({A3: b"a"}, [])


def test_another_kind_of_archive_is_skipped(tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {"alice/hw.tar.gz": b"", "bob/kata03.py": b""}))
    assert found.skipped == [
        ("alice/hw.tar.gz", "this kind of archive is not supported: ask for a zip")
    ]


HOSTILE = ["new\nline", "\x1b[2Jgone", "\u202egnp.exe", "tab\there", "\U0001f40d", "\x7f",
           "back\\slash", "a\u200db", "line\u2028end", "'; DROP TABLE", "<script>", "${HOME}",
           "n" * 200, "\U000e0041"]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_cannot_control_the_terminal(name: str, tmp_path: Path) -> None:
    found = collect(lay(tmp_path, {f"{name}/kata03.py": b"", f"{name}/x{name[:50]}": b"",
                                   "bob/kata03.py": b""}))  # fmt: skip
    texts = [*students(found), *(each.name for each in found.submissions), *sum(found.skipped, ())]
    assert len(students(found)) == 2
    assert not any(unicodedata.category(char)[0] == "C" for text in texts for char in text)
    assert not any(char in text for text in texts for char in "\n\u2028")


def test_students_whose_names_look_alike_stay_apart(tmp_path: Path) -> None:
    names = ["a\nb", r"a\nb", r"a\\nb", "a\tb", "a    b", "A\nb", "a b"]
    files = {f"{name}/kata03.py": b"" for name in names}
    assert len(students(collect(lay(tmp_path, files)))) == len(names)


def test_two_unicode_forms_of_a_name_are_one_student(tmp_path: Path) -> None:
    files = {"Jos\u00e9/kata03.py": b"", "Jose\u0301/kata04.py": b""}
    assert students(collect(hand_in(tmp_path, files))) == ["Jos\u00e9"]


def test_names_that_differ_in_case_are_two_students(tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, {"Alice/kata03.py": b"A", "alice/kata03.py": b"a"}))
    assert students(found) == ["Alice", "alice"]


def test_a_name_that_is_not_utf8_is_shown_escaped(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("this file system allows only UTF-8 names")
    Path(os.fsdecode(folder), "kata03.py").write_bytes(b"")
    assert students(collect(tmp_path)) == [r"caf\udce9"]


@pytest.mark.parametrize("name", ["../kata03.py", "/etc/kata03.py", "alice/../../kata03.py",
                                  "C:\\kata03.py", "..\\kata03.py", "C:kata03.py",
                                  "../.ssh/authorized_keys"])  # fmt: skip
def test_a_path_that_leads_out_of_a_zip_is_skipped(name: str, tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, {"bob/kata03.py": b"b", name: b"evil"}))
    assert contents(found) == {B3: b"b"}
    assert [why for _, why in found.skipped] == ["its path leads out of the zip"]
    assert os.listdir(tmp_path) == ["export.zip"]


def test_backslashes_in_a_zip_are_folders(tmp_path: Path) -> None:
    found = collect(hand_in(tmp_path, {"alice\\kata03.py": b"a", "bob\\hw\\kata03.py": b"b"}))
    assert contents(found) == {A3: b"a", B3: b"b"}


def test_an_undeclared_utf8_name_is_read(tmp_path: Path) -> None:
    data = zipped({"Jos\u00e9/kata03.py": b"a"})
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.index(header) + flags + 1
        data = data[:at] + bytes([data[at] & ~8]) + data[at + 1 :]
    (tmp_path / "a.zip").write_bytes(data)
    assert students(collect(tmp_path / "a.zip")) == ["Jos\u00e9"]


def test_the_last_of_two_members_with_the_same_name_wins(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in (b"first", b"last"):
            archive.writestr(zipfile.ZipInfo("alice/kata03.py"), data)
    found = collect(tmp_path / "a.zip")
    assert (contents(found), len(found.superseded)) == ({A3: b"last"}, 1)


def with_mode(mode: int) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        info = zipfile.ZipInfo("kata03.py")
        info.create_system, info.external_attr = 3, mode << 16
        archive.writestr(info, "/etc/passwd")
    return memory.getvalue()


def encrypted() -> bytes:
    data = bytearray(zipped({"kata03.py": b"a"}))
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(header) + flags] |= 1
    return bytes(data)


def compressed(method: int) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as archive:
        archive.writestr("kata03.py", bytes(10_000_000))
    return memory.getvalue()


def damaged() -> bytes:
    data = bytearray(zipped({"kata03.py": random.Random(0).randbytes(1000)}))
    data[100:900] = bytes(800)
    return bytes(data)


def deep(levels: int) -> bytes:
    data = b"x"
    for level in range(levels):
        data = zipped({"a.zip" if level else "kata03.py": data})
    return data


BAD_ZIPS = {
    "not a zip": (b"Rar!", "not a zip, or damaged"),
    "empty": (b"", "not a zip, or damaged"),
    "cut short": (zipped({"kata03.py": b"a" * 99})[:-30], "not a zip, or damaged"),
    "damaged": (damaged(), "damaged"),
    "encrypted": (encrypted(), "encrypted: ask for a zip without a password"),
    "a symbolic link": (with_mode(stat.S_IFLNK | 0o777), "a symbolic link: not followed"),
    "a device": (with_mode(stat.S_IFCHR | 0o666), "not a regular file"),
    "bzip2": (compressed(zipfile.ZIP_BZIP2), "unsupported compression"),
    "LZMA": (compressed(zipfile.ZIP_LZMA), "unsupported compression"),
    "a name of dots": (zipped({".": b""}), "it has no name"),
    "too deep": (zipped({"a/" * 50 + "kata03.py": b""}), "nested too deeply"),
    "zips in zips in zips": (deep(5), "zips nested more than 4 deep are not opened"),
    "a large zip": (zipped({"a.zip": bytes(zips.MAX_ARCHIVE + 1)}), "more than 16 MiB in total"),
}


@pytest.mark.parametrize("case", BAD_ZIPS)
@pytest.mark.parametrize("way", [lay, hand_in])
def test_a_bad_zip_affects_only_its_own_student(case: str, way: object, tmp_path: Path) -> None:
    data, reason = BAD_ZIPS[case]
    files = {"alice/hw.zip": data, "bob/kata03.py": b"b"}
    found = collect(lay(tmp_path, files) if way is lay else hand_in(tmp_path, files))
    assert contents(found) == {B3: b"b"}
    assert len(found.skipped) == 1
    assert reason in found.skipped[0][1]


@pytest.mark.parametrize("way", [lay, hand_in])
@pytest.mark.parametrize("size", [MAX_BYTES + 1, 50_000_000])
def test_a_file_that_is_too_large_is_not_read(
    size: int, way: Callable[[Path, Files], Path], tmp_path: Path
) -> None:
    (found,) = collect(way(tmp_path, {"alice/kata03.py": bytes(size)})).submissions
    assert (found.data, found.size) == (b"", size)


def test_files_that_are_too_large_differ_by_their_size(tmp_path: Path) -> None:
    sizes = {"alice": MAX_BYTES + 1, "bob": MAX_BYTES + 2}
    files = {f"{who}/kata03.py": bytes(size) for who, size in sizes.items()}
    assert len({each.sha256 for each in collect(lay(tmp_path, files)).submissions}) == 2


def test_the_size_of_a_nested_zip_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zips, "MAX_ARCHIVE", entries.MiB)
    large = {"x": random.Random(0).randbytes(entries.MiB)}
    found = collect(lay(tmp_path, {"alice.zip": {"hw.zip": large}, "bob/kata03.py": b"b"}))
    assert found.skipped == [("alice.zip/hw.zip", "the zip is larger than 1 MiB: not opened")]


def test_what_is_read_from_one_zip_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zips, "MAX_FREE", 4 * entries.MiB)
    bomb = {f"{n}.zip": {"x": bytes(1), f"{n}": bytes(2)} for n in range(3000)}
    found = collect(hand_in(tmp_path, {"alice.zip": bomb, "bob/kata03.py": b"b"}))
    assert contents(found)[B3] == b"b"
    (why,) = (why for path, why in found.skipped if path == "export.zip/alice.zip")
    assert re.fullmatch("more than [4-9] MiB in total: the rest is skipped", why)


def bombs(name: str = "aaron/{}.zip") -> dict[str, bytes | Files]:
    """Zips of zips: little to store, much to read."""
    return {name.format(n): {"a.zip": bytes(900_000), "b.zip": bytes(900_000)} for n in range(9)}


M = "{}_1_assignsubmission_file_"
HARMLESS: dict[str, tuple[Files, str]] = {
    "folders": ({**bombs(), "bob/kata03.py": b"b"}, "aaron"),
    "one zip per student": (
        {"aaron.zip": bombs("{}.zip"), "bob.zip": {"kata03.py": b"b"}}, "aaron"
    ),
    "a wrapping folder": ({**bombs("ps1/aaron/{}.zip"), "ps1/bob/kata03.py": b"b"}, "aaron"),
    "a wrapping zip and folder": (
        {"all.zip": {**bombs("ps1/aaron/{}.zip"), "ps1/bob/kata03.py": b"b"}}, "aaron"
    ),
    "Canvas": ({**bombs("aaron_1_2{}_x.zip"), "bob_2_30_kata03.py": b"b"}, "aaron_1"),
    "Moodle": (
        {**bombs(f"{M.format('A B')}/{{}}.zip"), f"{M.format('C D')}/kata03.py": b"b"}, "A B_1"
    ),
    "Gradescope": (
        {**bombs("submission_1/{}.zip"), "submission_2/kata03.py": b"b"}, "submission_1"
    ),
    "nbgrader": (
        {**bombs("x/submitted/aaron/ps1/{}.zip"), "x/submitted/bob/ps1/kata03.py": b"b",
         "x/source/ps1/kata03.py": b"s"}, "aaron"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMLESS)
@pytest.mark.parametrize("way", [lay, hand_in])
def test_one_students_files_cost_no_other_student(
    case: str,
    way: Callable[[Path, Files], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shares, "MAX_STUDENT", 4 * entries.MiB)
    files, student = HARMLESS[case]
    found = collect(way(tmp_path, files))
    assert [each.data for each in found.submissions] == [b"b"]
    assert {(one.student, one.kata) for one in found.left_out} == {(student, None)}
    assert any("more than 4 MiB in total" in why for _, why in found.skipped)


def test_a_spent_budget_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MAX_STUDENT", entries.MiB)
    many = {f"aaron/{n}.txt": b"" for n in range(3000)}
    found = collect(hand_in(tmp_path, {**many, "bob/kata03.py": b"b"}))
    assert sum("in total" in why for _, why in found.skipped) == 1


def test_too_much_around_all_students_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MAX_WRAPPERS", 100)
    files: Files = {"all.zip": {"alice/kata03.py": b"a", "bob/kata03.py": b"b"}}
    with pytest.raises(Unusable, match="more than 0 MiB in total: the rest is skipped; unpack it"):
        collect(hand_in(tmp_path, files))


def test_many_copies_take_the_memory_of_one(tmp_path: Path) -> None:
    files = {f"alice/{n}/kata03.py": bytes(MAX_BYTES) for n in range(99)}
    found = collect(hand_in(tmp_path, {**files, "bob/x.txt": b""}))
    kept = sum(len(each.data) for each in [*found.submissions, *found.superseded])
    assert (kept, len(found.superseded)) == (MAX_BYTES, 98)


LEFT_OUT: dict[str, tuple[Files, str | None]] = {
    "a damaged zip": ({"alice/hw.zip": b"x"}, None),
    "a damaged zip of a student": ({"alice.zip": b"x"}, None),
    "another archive": ({"alice/hw.tar.gz": b"x"}, None),
    "another archive of a student": ({"alice.rar": b"x"}, None),
    "a zip that is nested too deeply": (
        {"alice/a.zip": {"b.zip": {"c.zip": {"d.zip": {"e.zip": {"kata03.py": b""}}}}}},
        None,
    ),
    "a file that is nested too deeply": ({"alice.zip": {"a/" * 50 + "kata03.py": b""}}, "kata03"),
    "a damaged file": (
        {"alice.zip": damaged()},
        "kata03",
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_was_not_read_is_left_out_and_not_missing(case: str, tmp_path: Path) -> None:
    files, kata = LEFT_OUT[case]
    found = collect(lay(tmp_path, {**files, "bob/kata03.py": b"b"}))
    assert contents(found) == {B3: b"b"}
    assert [(one.student, one.kata) for one in found.left_out] == [("alice", kata)]


def test_an_older_file_does_not_stand_in_for_one_that_is_damaged(tmp_path: Path) -> None:
    new = zipped({"kata03 (2).py": bytes(range(256))}).replace(b"\7\x08", b"\x08\7")
    found = collect(lay(tmp_path, {"alice/kata03.py": b"old", "alice/a.zip": new, "bob/x": b""}))
    assert (found.submissions, found.left_out[0].kata) == ([], "kata03")


@pytest.mark.parametrize("name", ["notes.txt", "data.bin", "kata99.py"])
def test_other_files_leave_nothing_out(name: str, tmp_path: Path) -> None:
    assert collect(lay(tmp_path, {f"alice/{name}": b"x", "bob/kata03.py": b""})).left_out == []


def test_the_number_of_members_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MAX_FREE", entries.MiB)
    monkeypatch.setattr(zips, "MAX_RATIO", 1)
    many = {f"{n}.txt": b"" for n in range(3000)}
    found = collect(lay(tmp_path, {"alice.zip": many, "bob/kata03.py": b"b"}))
    assert contents(found) == {B3: b"b"}
    assert len(found.skipped) < 3000
    assert any("the rest is skipped" in why for _, why in found.skipped)


def test_the_size_of_a_table_of_contents_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zips, "MAX_CONTENTS", 100_000)
    many = {f"{n}.txt": b"" for n in range(3000)}
    found = collect(lay(tmp_path, {"alice.zip": many, "bob/kata03.py": b"b"}))
    assert ("alice.zip", "not a zip, or damaged: its table of contents is too long"
            ) in found.skipped  # fmt: skip


def test_deeply_nested_zips_are_not_opened(tmp_path: Path) -> None:
    layer = zipped({"kata03.py": b"x"})
    for _ in range(6):
        layer = zipped({f"{n}.zip": layer for n in range(6)})
    found = collect(lay(tmp_path, {"alice/hw.zip": layer, "bob/kata03.py": b"b"}))
    assert contents(found) == {B3: b"b"}
    assert {why for _, why in found.skipped} == {"zips nested more than 4 deep are not opened"}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"secret")
    source = lay(tmp_path / "class", {"bob/kata03.py": b"b"})
    (source / "alice").mkdir()
    (source / "alice/kata03.py").symlink_to(secret)
    (source / "alice/more").symlink_to(source)
    (source / "alice/hw.zip").symlink_to(secret)
    found = collect(source)
    assert contents(found) == {B3: b"b"}
    assert found.skipped == [(f"alice/{name}", "a symbolic link: not followed")
                             for name in ("hw.zip", "kata03.py", "more")]  # fmt: skip


@fifos
def test_a_fifo_is_not_opened(tmp_path: Path) -> None:
    lay(tmp_path, {"bob/kata03.py": b"b", "alice/x.txt": b""})
    for name in ("kata03.py", "hw.zip"):
        os.mkfifo(tmp_path / "alice" / name)
    found = collect(tmp_path)
    assert contents(found) == {B3: b"b"}
    assert ("alice/kata03.py", "not a regular file") in found.skipped
    assert ("alice/hw.zip", "not a regular file") in found.skipped


def test_a_folder_that_cannot_be_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, {"alice/kata03.py": b"a", "bob/ps1/kata03.py": b"b"})
    scandir = os.scandir

    def refused(folder: str | Path) -> object:
        if os.path.basename(folder) == "alice":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refused)
    found = collect(tmp_path)
    assert contents(found) == {B3: b"b"}
    assert found.skipped == [("alice/", "the folder cannot be read: Permission denied")]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can read every file"
)
def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    lay(tmp_path, {"alice/kata03.py": b"a", "bob/kata03.py": b"b"})
    (tmp_path / "alice/kata03.py").chmod(0)
    assert collect(tmp_path).skipped == [("alice/kata03.py", "cannot be read: Permission denied")]


@fifos
def test_a_file_replaced_by_a_fifo_does_not_block(tmp_path: Path) -> None:
    lay(tmp_path, {"alice/kata03.py": b"a"})
    walked = iter(folders.walk(tmp_path))
    entry = next(walked)
    (tmp_path / "alice/kata03.py").unlink()
    os.mkfifo(tmp_path / "alice/kata03.py")
    with pytest.raises(entries.Unread, match="not a regular file"):
        entry.read(9)


def test_an_empty_folder_is_not_an_error(tmp_path: Path) -> None:
    assert collect(tmp_path) == Collected([], [], [])


def test_an_empty_zip_is_not_an_error(tmp_path: Path) -> None:
    assert collect(hand_in(tmp_path, {})) == Collected([], [], [])


@pytest.mark.parametrize("name", ["nothing", "text.zip", "nul\0"])
def test_an_unusable_source_is_a_one_line_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_bytes(b"text")
    with pytest.raises(Unusable) as error:
        collect(tmp_path / name)
    assert "\n" not in str(error.value)


@fifos
def test_a_fifo_is_not_a_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(Unusable, match="is neither a folder nor a zip"):
        collect(tmp_path / "fifo")


SAFE = ["alice", "Alice", "ALICE", "alice ", " alice", "alice.", "", ".", "..", "../..", "/", "con",
        "CON", "con.txt", "nul", "com1", "index", "-rf", "a/b", "a\\b", "a:b", "a\nb", "a\x00b",
        "Jos\u00e9", "Jose", "\u674e", "\u738b", "\U0001f40d", "\u202ea", "\ud800", "a" * 80,
        "a" * 81, "a" * 82, "alice--0123456789abcdef0123", "doealice_12345", "a@x.edu"]  # fmt: skip


def test_safe_names_differ_even_without_case() -> None:
    assert len({safe_name(name).lower() for name in SAFE}) == len(SAFE)


@pytest.mark.parametrize("name", SAFE)
def test_a_safe_name_is_portable(name: str) -> None:
    safe = safe_name(name)
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", safe)
    assert not safe.endswith(".")
    assert safe.partition(".")[0] not in {"con", "nul", "com1", "index"}


def test_a_plain_name_stays_as_it_is() -> None:
    assert safe_name("doealice_12345") == "doealice_12345"


def test_a_student_cannot_take_the_safe_name_of_another() -> None:
    assert safe_name(safe_name("Alice")) != safe_name("Alice")


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(), unique=True, max_size=20))
def test_safe_names_are_unique(names: list[str]) -> None:
    assert len({safe_name(name) for name in names}) == len(names)


ROSTERS = {
    "our own": ("id,name\nalice,Alice Doe\nbob,Bob Roe\n", ["alice", "bob"]),
    "Canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        '"Doe, Alice",12345,s1,alice,1\n"Roe, Bob",12346,s2,bob,1\n"Student, Test",9,,t,1\n',
        ["alice", "bob"],
    ),
    "Moodle": (
        "First name,Last name,ID number,Email address\nAlice,Doe,17,alice@x\nBob,Roe,18,bob@x\n",
        ["17", "18"],
    ),
    "Moodle's worksheet": (
        "Identifier,Full name,Email address\nParticipant 98765,Alice Doe,alice@x\n"
        "Participant 98766,Bob Roe,bob@x\n",
        ["alice@x", "bob@x"],
    ),
    "Gradescope": (
        "First Name,Last Name,SID,Email,Role\nAlice,Doe,0012,alice@x,Student\n"
        "Bob,Roe,13,bob@x,Student\nT,A,,ta@x,TA\n",
        ["0012", "13"],
    ),
    "names alone": ("NAME\nAlice Doe\nBob Roe\n", ["Alice Doe", "Bob Roe"]),
    "semicolons": ("login;name\nalice;Alice Doe\nbob;Bob Roe\n", ["alice", "bob"]),
    "tabs and CRLF": ("Username\tName\r\nalice\tAlice Doe\r\nbob\tBob Roe\r\n", ["alice", "bob"]),
    "a mark, blanks and an empty line": ("\ufeff Login , Name\n alice ,Alice Doe\n,\nbob,Bob Roe\n",
                                         ["alice", "bob"]),
    "a line twice": ("login,name\nalice,Alice Doe\nalice,Alice Doe\nbob,Bob Roe\n",
                     ["alice", "bob"]),
    "a login twice": ("login,email,name\nx,alice@x,Alice Doe\nx,bob@x,Bob Roe\n",
                      ["alice@x", "bob@x"]),
}  # fmt: skip


def roster(folder: Path, text: str, encoding: str = "utf-8") -> Roster:
    file = folder / "roster.csv"
    file.write_bytes(text.encode(encoding))
    return read_roster(file)


@pytest.mark.parametrize("kind", ROSTERS)
def test_a_roster_has_names(kind: str, tmp_path: Path) -> None:
    text, want = ROSTERS[kind]
    listed = roster(tmp_path, text)
    assert listed.missing([]) == want
    assert [listed.name(each).replace("Doe, Alice", "Alice Doe").replace("Roe, Bob", "Bob Roe")
            for each in want] == ["Alice Doe", "Bob Roe"]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_roster_is_read_in_the_encodings_of_spreadsheets(encoding: str, tmp_path: Path) -> None:
    assert roster(tmp_path, "login,name\njo,Jos\u00e9\n", encoding).name("jo") == "Jos\u00e9"


def test_a_student_who_is_not_on_the_roster_keeps_the_identifier(tmp_path: Path) -> None:
    assert roster(tmp_path, "login,name\nalice,Alice\n").name("zoe") == "zoe"


UNUSABLE = {
    "empty": "",
    "blank": "\n",
    "other headings": "points,grade\n1,2\n",
    "two of a login and a name": "login,name,id\nx,Al,1\nx,Al,2\ny,Bo,1\ny,Bo,2\n",
    "two of a name": "name\nAlice\nalice\n",
    "a cell as long as a book": "login\n" + "x" * 200_000,
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_roster_is_a_one_line_error(case: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"\A[^\n]+\Z"):
        roster(tmp_path, UNUSABLE[case])


@pytest.mark.parametrize("name", ["nothing.csv", "", "nul\0"])
def test_a_missing_roster_is_a_one_line_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be read"):
        read_roster(tmp_path / name)


CANVAS = ROSTERS["Canvas"][0]
KNOWN: dict[str, tuple[str, Files, list[str]]] = {
    "Canvas, by number": (CANVAS, {"doealice_12345_1_kata03.py": b""}, ["alice"]),
    "Canvas, by name": (
        "login,name\nalice,Alice Doe\n", {"doealice_7_1_kata03.py": b""}, ["alice"]
    ),
    "Canvas, a number that is another's": (
        "id,name\n12345,Zoe Poe\n", {"doealice_12345_1_kata03.py": b""}, ["doealice_12345"]
    ),
    "Canvas, one name and two numbers": (
        "login,name\nalice,Alice Doe\n",
        {"doealice_7_1_kata03.py": b"", "doealice_8_2_kata03.py": b""},
        ["doealice_7", "doealice_8"],
    ),
    "Canvas, a namesake of one who is known": (
        CANVAS, {"doealice_12345_1_kata03.py": b"", "doealice_8_2_kata03.py": b""},
        ["alice", "doealice_8"],
    ),
    "Canvas, a name in several words": (
        "login,name\nal,Alice van der Doe\n", {"vanderdoealice_7_1_kata03.py": b""}, ["al"]
    ),
    "Moodle, by number": (
        ROSTERS["Moodle's worksheet"][0],
        {"Somebody_98765_assignsubmission_file_/kata03.py": b""}, ["alice@x"],
    ),
    "Moodle, by name": (
        ROSTERS["Moodle"][0], {"Alice Doe_1_assignsubmission_file_/kata03.py": b""}, ["17"]
    ),
    "Gradescope": (
        ROSTERS["Gradescope"][0],
        {"submission_metadata.yml": METADATA, "submission_111/kata03.py": b""}, ["0012"],
    ),
    "a folder in other letters": ("login\nAlice\n", {"alice/kata03.py": b""}, ["Alice"]),
    "a folder by name": ("login,name\nad1,Alice Doe\n", {"Doe, Alice/kata03.py": b""}, ["ad1"]),
    "a folder by mail": ("sid,email\n1,alice@x\n", {"alice/kata03.py": b""}, ["1"]),
    "two of a name": (
        "login,name\na1,Alice Doe\na2,Alice Doe\n", {"Alice Doe/kata03.py": b""}, ["Alice Doe"]
    ),
    "a lone student in a folder": (
        "login\nalice\n", {"alice/homework/kata03.py": b""}, ["alice"]
    ),
    "a clone": (
        "login\nalice\nps1-bob\n",
        {"ps1-alice/katas/kata03.py": b"", "ps1-bob/katas/kata03.py": b""}, ["alice", "ps1-bob"],
    ),
    "clones with hyphens in their names": (
        "login\nli-wei\nli-na\nwei\n",
        {"ps1-li-wei/katas/kata03.py": b"", "ps1-li-na/katas/kata03.py": b""}, ["li-na", "li-wei"],
    ),
    "nobody": ("login\nzoe\n", {"alice/kata03.py": b""}, ["alice"]),
}  # fmt: skip


@pytest.mark.parametrize("case", KNOWN)
def test_a_roster_identifies_students(case: str, tmp_path: Path) -> None:
    text, files, want = KNOWN[case]
    (tmp_path / "class").mkdir()
    found = collect(lay(tmp_path / "class", files), roster(tmp_path, text))
    assert students(found) == want


def test_a_roster_shows_who_is_missing(tmp_path: Path) -> None:
    listed = roster(tmp_path, "login\nalice\nbob\ncy\n")
    assert listed.missing({"bob", "zoe"}) == ["alice", "cy"]


in_one_folder = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)
PIECES = st.one_of(
    st.sampled_from([
        "alice", "bob", "kata03.py", "kata4-1.py", "KATA05 (2).py.txt", "katas", "solutions",
        "submitted", "submission_12", "doe_1_2_kata03.py", "A_1_assignsubmission_file_",
        "a.zip", "b.ZIP", "..", ".", "", "__MACOSX", ".git", "submission_metadata.yml", "x.txt",
    ]),
    st.text("aK3.\\: \t\n\x1b\u00e9\u0301\u202e\U0001f40d", max_size=6),
)  # fmt: skip
PATHS = (
    st.lists(PIECES, min_size=1, max_size=5)
    .map("/".join)
    .filter(lambda path: set(path.split("/")) - {"", "."})
)
TREES = st.dictionaries(PATHS, st.binary(max_size=4), max_size=8)


def normal(path: str) -> str:
    """The path without empty and `.` parts."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def everything(prefix: str, files: Files) -> list[str]:
    """The paths of all files, including those in zips."""
    paths = []
    for name, content in files.items():
        here = prefix + name
        paths += [here] if isinstance(content, bytes) else everything(here + "/", content)
    return paths


@in_one_folder
@given(st.dictionaries(PATHS, st.one_of(st.binary(max_size=4), TREES), max_size=8))
def test_every_file_is_graded_or_superseded_or_skipped(
    tmp_path: Path, tree: dict[str, Files]
) -> None:
    files = {name if isinstance(content, bytes) else f"{name}.zip": content
             for name, content in tree.items()}  # fmt: skip
    found = collect(hand_in(tmp_path, files))
    named = [each.name for each in [*found.submissions, *found.superseded]]
    named += [name for name, _ in found.skipped]
    for path in everything("export.zip/", files):
        parts = path.replace("\\", "/").split("/")
        hidden = any(ignored(part) for part in parts if part not in (".", ".."))
        around = {normal(display_path(tuple(parts[:end]))) for end in range(2, len(parts) + 1)}
        assert hidden or not parts[-1] or around.intersection(map(normal, named)), (path, named)


@in_one_folder
@given(st.randoms(use_true_random=False))
def test_a_corrupted_zip_does_not_affect_others(tmp_path: Path, chance: random.Random) -> None:
    data = bytearray(zipped({"kata03.py": b"import numpy\n" * 9, "b.zip": {"kata04.py": b"b"}}))
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    found = collect(hand_in(tmp_path, {"alice.zip": bytes(data), "bob/kata03.py": b"b"}))
    assert contents(found)[B3] == b"b"


@in_one_folder
@given(TREES)
def test_two_runs_give_the_same_result(tmp_path: Path, tree: dict[str, bytes]) -> None:
    source = hand_in(tmp_path, tree)
    assert collect(source) == collect(source)


LETTERS = string.printable + "\u00e9\u202e\U0001f40d"


@in_one_folder
@given(st.text(st.sampled_from(LETTERS + ',;\t\n"'), max_size=80))
def test_any_text_is_a_roster_or_unusable(tmp_path: Path, text: str) -> None:
    try:
        listed = roster(tmp_path, "login,name,email,id\n" + text)
    except Unusable:
        return
    assert len(set(listed.missing([]))) == len(listed.people)
