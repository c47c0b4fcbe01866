"""Where WARC files lie: folders, and a store on loopback that checks signatures and rights."""

import os
import sys

import pytest
from tests.s3_server import Login, use

from thresher.errors import BadInput, Missing, NoAnswer, ThresherError
from thresher.warc import file_places
from thresher.warc.file_places import FilePlace, S3Store, WarcFolder, place_of, this_machine


def test_what_is_put_into_a_store_is_read_back_range_by_range(s3, tmp_path):
    store = place_of(f"s3://{s3.bucket}/some/prefix/")
    store.prepare()
    content = os.urandom(100_000)
    (tmp_path / "a.warc.gz").write_bytes(content)
    store.take(tmp_path / "a.warc.gz")
    assert store.read("a.warc.gz", 70_000, 1234) == content[70_000:71_234]
    assert store.sizes() == {".thresher-warcs": 0, "a.warc.gz": 100_000}
    assert s3.objects("some/prefix")["a.warc.gz"] == content


def test_a_long_file_goes_in_pieces_and_arrives_as_one(s3, tmp_path):
    store = place_of(f"s3://{s3.bucket}/long")
    content = os.urandom(1 << 20) * 40
    (tmp_path / "a.warc.gz").write_bytes(content)
    store.take(tmp_path / "a.warc.gz")
    assert s3.objects("long")["a.warc.gz"] == content


def test_a_file_that_grew_shorter_takes_the_place_of_the_longer_one(s3, tmp_path):
    store = place_of(f"s3://{s3.bucket}/shorter")
    for content in (b"what no commit names is cut off", b"what no commit names"):
        (tmp_path / "a.warc.gz").write_bytes(content)
        store.take(tmp_path / "a.warc.gz")
    assert s3.objects("shorter")["a.warc.gz"] == b"what no commit names"


def test_a_file_that_is_not_there_has_no_size(s3):
    assert place_of(f"s3://{s3.bucket}/empty").size("a.warc.gz") is None
    assert not place_of(f"s3://{s3.bucket}/empty").is_there()


def test_a_place_in_the_table_is_read_as_it_was_written(tmp_path, s3):
    folder = WarcFolder(tmp_path / "with space#and%sign")
    assert FilePlace.of(folder.name).at.path == folder.path
    at, bound_for = FilePlace.of(f"{folder.name}#s3://{s3.bucket}/iris")
    assert (at.path, at.machine, bound_for.name) == (folder.path, this_machine(), f"s3://{s3.bucket}/iris")
    assert FilePlace.of(f"s3://{s3.bucket}/iris").at is bound_for


def test_the_folder_of_another_machine_is_not_the_one_of_the_same_path_here(tmp_path):
    WarcFolder(tmp_path).prepare()
    assert WarcFolder(tmp_path).is_there()
    assert not WarcFolder(tmp_path, "elsewhere").is_there()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ThresherError, match=f"cannot write pages into {tmp_path}/file/warcs"):
        WarcFolder(tmp_path / "file" / "warcs").prepare()


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("gs://bucket/iris", "a folder or to s3://BUCKET/PREFIX, but not to gs://"),
        ("ftp://anna:hunter2@host/iris", "but not to ftp://"),
        ("s3://KEYID:hunter2@bucket/iris", "the address of a store has no credentials"),
        ("s3://", "write s3://BUCKET/PREFIX"),
        ("s3://b/iris", "write s3://BUCKET/PREFIX"),
        ("s3://bucket/iris?secret=hunter2", "write s3://BUCKET/PREFIX"),
        ("s3://bucket/ir\nis", "write s3://BUCKET/PREFIX"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused_in_one_sentence(address, why):
    with pytest.raises(BadInput) as refused:
        place_of(address)
    assert why in str(refused.value)
    assert "hunter2" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_the_extra_one_is_told_how_to_get_it(monkeypatch):
    file_places._store.cache_clear()
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(Missing, match=r"need s3fs .*: pip install .*\[s3\]"):
        place_of("s3://bucket/iris")


def refusal(bucket):
    """What is said when a worker begins, and does not go on."""
    with pytest.raises(ThresherError) as refused:
        place_of(f"s3://{bucket}/iris").prepare()
    assert "\n" not in str(refused.value)
    return refused.value


def test_a_wrong_key_and_a_wrong_secret_are_told_without_them(s3, monkeypatch):
    for login in (Login("AKIANOBODYHASTHISKEY", "hunter2"), Login(s3.login.key, "hunter2")):
        use(s3, monkeypatch, login)
        said = refusal(s3.bucket)
        assert isinstance(said, BadInput)
        assert "the store refuses the credentials" in str(said)
        assert "hunter2" not in str(said)
        assert login.key not in str(said)


def test_missing_rights_a_missing_bucket_and_missing_credentials_are_told(s3, monkeypatch, tmp_path):
    use(s3, monkeypatch, s3.reader)
    assert "these credentials may not write there" in str(refusal(s3.bucket))
    use(s3, monkeypatch)
    assert "there is no bucket nobody-has-it" in str(refusal("nobody-has-it"))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    file_places._store.cache_clear()
    assert "needs credentials: set AWS_ACCESS_KEY_ID" in str(refusal(s3.bucket))


def test_a_store_that_does_not_answer_is_named_without_its_password(s3, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://anna:hunter2@127.0.0.1:9")
    said = refusal(s3.bucket)
    assert isinstance(said, NoAnswer)
    assert "does not answer at http://127.0.0.1:9" in str(said)
    assert "hunter2" not in str(said)


def test_credentials_are_neither_in_the_name_nor_in_what_python_shows(s3):
    store = place_of(f"s3://{s3.bucket}/iris")
    store.prepare()
    assert isinstance(store, S3Store)
    assert s3.login.secret not in f"{store!r} {store.name} {vars(store)}"
