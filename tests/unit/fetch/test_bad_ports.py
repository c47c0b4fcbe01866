import pytest

from thresher.clock import FakeClock
from thresher.fetch import HttpFetcher
from thresher.fetch.connect import BAD_PORTS, bad_port
from thresher.model import Host, Refused, Url
from thresher.polite.robots import PoliteFetcher


@pytest.mark.parametrize("host", ["a.test:25", "[2606:4700::1111]:6000", "127.0.0.1:6667", "a.test:0", "a.test:10080"])
async def test_a_port_of_something_else_is_refused_before_robots_txt_is_asked_for(host):
    asked = []
    fetcher = HttpFetcher(guard=lambda *dialled: not asked.append(dialled))
    polite = PoliteFetcher(fetcher, HttpFetcher(types=(), beside=fetcher), clock=FakeClock())
    refused = await polite.fetch(Url(f"http://{host}/"))
    await polite.close()
    assert isinstance(refused, Refused)
    assert (refused.why, refused.asked, asked) == ("bad-port", False, [])


@pytest.mark.parametrize(
    "host", ["a.test", "a.test:8080", "a.test:443", "[2606:4700::1111]", "[::25]", "127.0.0.1:8000"]
)
def test_other_ports_are_not(host):
    assert bad_port(Host(host)) is None


def test_the_list_has_what_browsers_have():
    assert len(BAD_PORTS) == 83
    assert {21, 22, 23, 25, 110, 143, 587, 3659, 5060, 6000, 6665, 6697} <= BAD_PORTS
    assert BAD_PORTS.isdisjoint({80, 443, 8000, 8080, 8443, 9200})
