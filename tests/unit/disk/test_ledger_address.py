"""Addresses of crawls in PostgreSQL: what is read of them, and that their passwords are never shown."""

import pytest

from thresher.disk.crawl_home import place_of
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput

WHOLE = "postgresql://anna:s%40cret@db.example:5432/crawls?sslmode=require&schema=iris"


def test_the_name_of_the_crawl_is_ours_and_the_rest_is_for_the_server():
    address = LedgerAddress.of(WHOLE)
    assert address == LedgerAddress("postgresql://anna:s%40cret@db.example:5432/crawls?sslmode=require", "iris")


def test_without_a_name_it_has_one():
    assert LedgerAddress.of("postgres://db/crawls") == LedgerAddress("postgres://db/crawls", "thresher")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (WHOLE, "postgresql://anna@db.example:5432/crawls?sslmode=require&schema=iris"),
        ("postgresql://anna:pass@word@db/crawls", "postgresql://anna@db/crawls"),
        ("postgresql://db/crawls?user=anna&password=secret&sslpassword=secret", "postgresql://db/crawls?user=anna"),
        ("postgresql:///crawls", "postgresql:///crawls"),
    ],
)
def test_a_password_is_never_shown(text, shown):
    address = LedgerAddress.of(text)
    assert str(address) == shown
    assert "secret" not in repr(address)
    assert "cret" not in f"{address!r} {address}"


@pytest.mark.parametrize("text", [WHOLE, "postgresql://db/crawls", "postgresql://db/crawls?password=a%26b"])
def test_another_process_gets_the_same_address(text):
    address = LedgerAddress.of(text)
    assert LedgerAddress.of(address.whole) == address


def test_a_second_name_is_refused_without_the_password():
    with pytest.raises(BadInput, match="names 2 crawls") as refused:
        LedgerAddress.of("postgresql://a:secret@db/x?schema=one&schema=two")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("text", ["iris", "./postgresql", "/srv/postgresql://x", "http://db/x"])
def test_anything_else_is_a_folder(text):
    assert LedgerAddress.of(text) is None
    assert place_of(text).name == text.rpartition("/")[2]
