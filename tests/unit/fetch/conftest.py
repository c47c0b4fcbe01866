import ssl

import pytest
import trustme
from aiohttp import connector


@pytest.fixture
def trusted(monkeypatch):
    """The TLS of a server named some.example, which fetchers of this test trust."""
    authority = trustme.CA()
    server, client = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("some.example", "other.example", "::1", "127.0.0.1").configure_cert(server)
    authority.configure_trust(client)
    # aiohttp makes its own when it is loaded; whom it trusts cannot be said later.
    monkeypatch.setattr(connector, "_SSL_CONTEXT_VERIFIED", client)
    return server
