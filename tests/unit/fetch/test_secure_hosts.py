"""Hosts that want https alone are asked over https alone."""

import time

import pytest

from thresher.fetch.secure_hosts import _REMEMBERED, SecureHosts
from thresher.model import Host, Url
from thresher.outcomes import redirect_target
from thresher.urls import host_of


def led(hosts, url):
    found = hosts.redirect(Url(url), host_of(Url(url)))
    return found and redirect_target(found)


def noted(said, host="example.org"):
    hosts = SecureHosts()
    hosts.note(Host(host), said)
    return hosts


@pytest.mark.parametrize(
    "said", ["max-age=100", "Max-Age=100; preload", 'includeSubDomains ; max-age="100"', "max-age=1" + "0" * 50]
)
def test_an_http_url_of_such_a_host_leads_to_https(said):
    hosts = noted(said)
    assert led(hosts, "http://example.org/a?b=c") == "https://example.org/a?b=c"
    assert led(hosts, "http://example.org:8080/a") == "https://example.org:8080/a", "as RFC 6797 has it: the port stays"
    assert led(hosts, "https://example.org/a") is None
    assert led(hosts, "http://example.com/") is led(hosts, "http://notexample.org/") is None


def test_names_below_only_if_it_says_so():
    assert led(noted("max-age=9"), "http://a.example.org/") is None
    assert led(noted("max-age=9; includeSubDomains"), "http://a.b.example.org/") == "https://a.b.example.org/"
    assert led(noted("max-age=9; includeSubDomains", "a.example.org"), "http://example.org/") is None


@pytest.mark.parametrize(
    "said", ["", "max-age", "max-age=-1", "max-age=²", "includeSubDomains", "max-age=1; max-age=2", "=" * 9]
)
def test_what_makes_no_sense_is_not_heeded(said):
    assert led(noted(said), "http://example.org/") is None


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]", "localhost"])
def test_an_address_cannot_ask_for_it(host):
    assert led(noted("max-age=9", host), f"http://{host}/") is None


def test_it_ends_with_its_time_or_when_the_host_says_so(monkeypatch):
    hosts = noted("max-age=100")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 200)
    assert led(hosts, "http://example.org/") is None
    monkeypatch.undo()
    assert led(hosts, "http://example.org/")
    hosts.note(Host("example.org"), "max-age=0")
    assert led(hosts, "http://example.org/") is None


def test_only_so_many_hosts_are_remembered():
    hosts = SecureHosts()
    for number in range(_REMEMBERED + 10):
        hosts.note(Host(f"h{number}.org"), "max-age=9")
    assert led(hosts, "http://h0.org/") is None
    assert led(hosts, f"http://h{_REMEMBERED + 9}.org/")
