"""The atomic write and the zip writer."""

import errno
import io
import os
import zipfile
from pathlib import Path

import pytest

from checker.files import write, zipped


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "result.json").mkdir()
    with pytest.raises(OSError, match=r"result\.json"):
        write(tmp_path / "result.json", "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"result\.json") as caught:
        write(tmp_path / "result.json", "{}")
    assert caught.value.filename == str(tmp_path / "result.json")


def test_a_file_with_this_text_is_not_written_again(tmp_path: Path) -> None:
    write(tmp_path / "a", "text")
    before = (tmp_path / "a").stat()
    write(tmp_path / "a", "text")
    assert (tmp_path / "a").stat() == before


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write(tmp_path / "link", "new")
    assert ((tmp_path / "target").read_text(), (tmp_path / "link").is_symlink()) == ("old", False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no fifos here")
def test_a_fifo_is_replaced_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    write(tmp_path / "fifo", "")
    assert (tmp_path / "fifo").read_text() == ""


def test_folders_are_created(tmp_path: Path) -> None:
    write(tmp_path / "a/b/c", "text")
    assert (tmp_path / "a/b/c").read_text() == "text"


def test_text_that_utf_8_cannot_hold_is_escaped(tmp_path: Path) -> None:
    write(tmp_path / "a", "\ud800")
    assert (tmp_path / "a").read_text() == "\\ud800"


def test_equal_files_give_equal_zips_in_any_order() -> None:
    assert zipped({"a": b"1", "b": b"2"}) == zipped({"b": b"2", "a": b"1"})


def test_a_zip_keeps_content_and_permissions() -> None:
    data = zipped({"run.sh": b"#!", "a": b"1"}, lambda name: 0o755 if name == "run.sh" else 0o644)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in archive.infolist()}
        assert (archive.read("a"), modes) == (b"1", {"a": 0o644, "run.sh": 0o755})
