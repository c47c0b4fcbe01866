import pytest

from thresher.disk.atomic_file import whole_file, write_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("content", ["ä line\n", b"\x00bytes"])
def test_a_file_is_written_and_written_anew(tmp_path, content):
    path = tmp_path / "file"
    for _ in range(2):
        write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == ["file"]


def test_until_it_is_whole_readers_see_the_old_file(tmp_path):
    path = tmp_path / "file"
    write_whole(path, "old")
    with whole_file(path) as made:
        made.write_text("half of the new")
        assert path.read_text() == "old"
    assert path.read_text() == "half of the new"


def fail(path):
    with whole_file(path) as made:
        made.write_text("half")
        made.with_suffix(".beside").write_text("what a library leaves")
        raise ValueError("no")


def test_whoever_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    write_whole(path, "old")
    with pytest.raises(ValueError, match="no"):
        fail(path)
    assert (path.read_text(), names(tmp_path)) == ("old", ["file"])


def test_a_file_has_the_mode_of_any_other(tmp_path):
    other = tmp_path / "other"
    other.write_text("x")
    write_whole(tmp_path / "file", "x")
    assert (tmp_path / "file").stat().st_mode == other.stat().st_mode
