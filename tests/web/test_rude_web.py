"""Whatever a server does, fetching it is a value with a name."""

import pytest

from tests.web.rudeness import RUDENESSES
from thresher.fetch import HttpFetcher
from thresher.model import Failed, Refused, Response, Url


@pytest.fixture
async def fetcher():
    fetcher = HttpFetcher(user_agent="rude-test", connect=1.0, read=0.4, total=0.9)
    yield fetcher
    await fetcher.close()


def name_of(fetched):
    match fetched:
        case Response(status=status):
            return f"http-{status}"
        case Refused(why=why) | Failed(why=why):
            return why


@pytest.mark.parametrize("path", RUDENESSES)
async def test_every_rudeness_has_its_name(rude_web, fetcher, path):
    fetched = await fetcher.fetch(Url(rude_web.url + path[1:]))
    assert name_of(fetched) == RUDENESSES[path].outcome, fetched
    assert [asked.path for asked in rude_web.log] == [path], "one fetch is one request"
