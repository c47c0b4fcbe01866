import io
import time

import pytest
from rich.console import Console

from thresher.cli.terminal import patience


def terminal(*, watched=True):
    return Console(file=io.StringIO(), force_terminal=watched, width=60)


def test_what_takes_a_moment_is_told_while_it_lasts():
    console = terminal()
    with patience("reading the crawl", console, moment=0.01):
        time.sleep(0.2)
        assert "reading the crawl" in console.file.getvalue()


def test_what_is_over_at_once_is_not_told():
    console = terminal()
    with patience("reading the crawl", console, moment=30):
        pass
    assert console.file.getvalue() == ""


def test_where_nobody_watches_nothing_is_told():
    console = terminal(watched=False)
    with patience("reading the crawl", console, moment=0.01):
        time.sleep(0.05)
    assert console.file.getvalue() == ""


def late():
    time.sleep(0.1)
    raise KeyError


def test_an_error_ends_it_too():
    console = terminal()
    with pytest.raises(KeyError), patience("reading the crawl", console, moment=0.01):
        late()
    before = console.file.getvalue()
    time.sleep(0.2)
    assert console.file.getvalue() == before
