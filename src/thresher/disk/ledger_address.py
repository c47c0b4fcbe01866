"""Where a crawl is kept that several machines share: the address of a PostgreSQL database, and the name of the crawl in it.

    postgresql://anna:secret@db.example:5432/crawls?schema=iris

The password is for the server alone: as text an address has none.
"""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode

from thresher.errors import BadInput

_SCHEMES = ("postgresql://", "postgres://")
_SECRET = {"password", "sslpassword", "passfile"}


@dataclass(frozen=True)
class LedgerAddress:
    """The address of a crawl in PostgreSQL."""

    url: str = field(repr=False)
    """As the server's own library reads it, password included."""
    schema: str = "thresher"
    """The name of the crawl: several share a database."""

    @classmethod
    def of(cls, text: str) -> "LedgerAddress | None":
        """The address that a text is; None if it is none, but the name of a folder."""
        if not text.startswith(_SCHEMES):
            return None
        place, _, options = text.partition("?")
        named = parse_qsl(options, keep_blank_values=True)
        schemas = [value for key, value in named if key == "schema"]
        if len(schemas) > 1:
            raise BadInput(f"{cls(text)} names {len(schemas)} crawls by schema=: name one")
        rest = urlencode([pair for pair in named if pair[0] != "schema"], quote_via=quote)
        return cls(f"{place}?{rest}" if rest else place, *schemas)

    @property
    def name(self) -> str:
        """What files that are made of the crawl are called after."""
        return self.schema

    @property
    def whole(self) -> str:
        """The address with its password, for another process of ours."""
        return f"{self.url}{'&' if '?' in self.url else '?'}schema={self.schema}"

    def __str__(self) -> str:
        scheme, _, rest = self.url.partition("://")
        place, _, options = rest.partition("?")
        login, at, where = place.rpartition("@")
        shown = f"{scheme}://{login.partition(':')[0]}{at}{where}"
        kept = [pair for pair in parse_qsl(options) if pair[0] not in _SECRET]
        if self.schema != "thresher":
            kept.append(("schema", self.schema))
        return f"{shown}?{urlencode(kept, quote_via=quote)}" if kept else shown
