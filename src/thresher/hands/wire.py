"""What brain and hand say to each other: frames of MessagePack behind their length.

MessagePack and not pickle: decoding it makes values of the types below and nothing else, whatever the bytes are. msgspec checks the
types while it decodes, and takes a third of the time that pickle needs for the same page.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import msgspec

from thresher.language.word_numbers import counted_by_now
from thresher.model import Evidence, Failed, Fetched, Judgement, Later, Link, Page, Refused, Rendition, Response, Url
from thresher.ports import Fetcher, Judge, Parser

MOST_BYTES = 256 << 20
"""A longer frame is no answer of ours."""
LEARN = -1
"""In place of an order's number: labels, or hosts that are left out, have changed."""
_LENGTH = 4
_new = tuple.__new__

WireLink = tuple[str, int, int, int, str, bool]
"""A link: target, where its anchor begins and ends, the number of its heading, rel, and whether it stands in navigation."""


class HandParts(NamedTuple):
    """What a hand fetches, parses and judges with."""

    fetcher: Fetcher
    parser: Parser
    judge: Judge | None
    """None if the brain judges, because the judge is an object of the user's own."""
    learnt: Callable[[], Judge | None] | None = None
    """Makes the judge anew, with what a person has said by now of pages and of hosts to leave out."""


class Setup(msgspec.Struct, array_like=True):
    """The first frame: what a hand is made of."""

    maker: str
    """`module:function`, which makes the parts of a hand from the text below."""
    text: str
    descriptors: tuple[int, ...] = ()
    """Open files that the text speaks of, which a hand inherits."""


class Order(msgspec.Struct, array_like=True):
    """Fetch a url; number 0 asks only for a sign of life, and `LEARN` says that a person has labelled pages or left hosts out."""

    number: int
    url: str


class WirePage(msgspec.Struct, array_like=True):
    """A page without what the brain knows already, and each heading and text once."""

    title: str
    description: str
    language: str
    text: str
    main: str
    headings: list[str]
    above: list[str]
    """The headings that stand above links, each once."""
    links: list[WireLink]
    canonical: str | None
    refresh: str | None
    follow: bool
    index: bool
    bold: list[str]
    kinds: list[str]
    """The kinds of the last links; all before them have none."""
    form: str
    facts: list[tuple[str, str]]


class WireResponse(msgspec.Struct, array_like=True):
    """An answer; the body only where it is not as received."""

    url: str
    status: int
    headers: list[tuple[bytes, bytes]]
    raw: bytes
    body: bytes | None
    request: bytes
    at: float
    elapsed: float
    address: str
    rendition: tuple[bytes, str] | None
    notes: list[tuple[str, str]]


class WireJudgement(msgspec.Struct, array_like=True):
    """A judgement."""

    relevance: float
    relevant: bool
    evidence: list[tuple[str, str, int | float]]
    """A whole number stays one: it is written as such in the catalogue."""


class HandAnswer(msgspec.Struct, array_like=True):
    """What came of an order. One of the four answers is there; none of them is a sign of life."""

    number: int
    response: WireResponse | None = None
    refused: tuple[str, str, bool] | None = None
    failed: tuple[str, str, bool, bool] | None = None
    later: tuple[str, float | None, float | None, bool, str, tuple[str, ...]] | None = None
    page: WirePage | None = None
    judgement: WireJudgement | None = None
    words: bytes | None = None
    """The numbers of the words of the page's main text, if the hand counted them: the strategy needs not count them again."""
    error: str = ""
    """Why the hand cannot work at all."""


_encode = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(HandAnswer).decode
decode_order = msgspec.msgpack.Decoder(Order).decode
decode_setup = msgspec.msgpack.Decoder(Setup).decode


def encode(message: msgspec.Struct) -> bytes:
    """A message as bytes. Half characters, which UTF-8 cannot hold, are replaced; few pages have any."""
    try:
        return _encode(message)
    except UnicodeEncodeError:
        return _encode(_whole(message))


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case list() | tuple():
            return type(value)(map(_whole, value))
        case msgspec.Struct():
            return type(value)(*(_whole(getattr(value, name)) for name in value.__struct_fields__))
        case _:
            return value


def answer_of(
    number: int, fetched: Fetched, page: Page | None = None, judgement: Judgement | None = None
) -> HandAnswer:
    """An answer for the wire."""
    match fetched:
        case Response():
            return HandAnswer(
                number,
                response=_wire_response(fetched),
                page=None if page is None else _wire_page(page),
                judgement=None if judgement is None else _wire_judgement(judgement),
                words=None if page is None else counted_by_now(page.main),
            )
        case Refused(why, detail, asked):
            return HandAnswer(number, refused=(why, detail, asked))
        case Failed(why, detail, retry, strain):
            return HandAnswer(number, failed=(why, detail, retry, strain))
        case Later(why, seconds, delay, strain, detail, sitemaps):
            return HandAnswer(number, later=(why, seconds, delay, strain, detail, sitemaps))


def fetched_of(answer: HandAnswer) -> Fetched:
    """The answer as the crawl knows it."""
    if answer.response is not None:
        said = answer.response
        body = said.raw if said.body is None else said.body
        headers = tuple(said.headers)
        rendition = None if said.rendition is None else Rendition(*said.rendition)
        sent = said.request, said.at, said.elapsed, said.address
        return Response(Url(said.url), said.status, headers, body, said.raw, *sent, rendition, tuple(said.notes))
    if answer.refused is not None:
        return Refused(*answer.refused)
    if answer.later is not None:
        why, seconds, delay, strain, detail, sitemaps = answer.later
        return Later(why, seconds, delay, strain, detail, tuple(map(Url, sitemaps)))
    return Failed(*(answer.failed or ("hand-lost",)))


def page_of(said: WirePage, url: Url) -> Page:
    """The page as the crawl knows it."""
    text, above = said.text, said.above
    links = [
        _new(Link, (url, target, text, start, end, above[heading], position, rel, navigation, ""))
        for position, (target, start, end, heading, rel, navigation) in enumerate(said.links)
    ]
    if said.kinds:
        first = len(links) - len(said.kinds)
        links[first:] = [link._replace(kind=kind) for link, kind in zip(links[first:], said.kinds, strict=False)]
    return Page(
        url,
        said.title,
        said.description,
        said.language,
        text,
        said.main,
        tuple(said.headings),
        tuple(links),
        None if said.canonical is None else Url(said.canonical),
        None if said.refresh is None else Url(said.refresh),
        said.follow,
        said.index,
        tuple(said.bold),
        said.form,
        tuple(said.facts),
    )


def judgement_of(said: WireJudgement) -> Judgement:
    """The judgement as the crawl knows it."""
    return Judgement(said.relevance, said.relevant, tuple([Evidence(*each) for each in said.evidence]))


def _wire_response(response: Response) -> WireResponse:
    body = None if response.body is response.raw or response.body == response.raw else response.body
    return WireResponse(
        response.url,
        response.status,
        list(response.headers),
        response.raw,
        body,
        response.request,
        response.at,
        response.elapsed,
        response.address,
        response.rendition,
        list(response.notes),
    )


def _wire_page(page: Page) -> WirePage:
    numbers: dict[str, int] = {}
    number_of = numbers.setdefault
    links: list[WireLink] = [
        (link[1], link[3], link[4], number_of(link[5], len(numbers)), link[7], link[8]) for link in page.links
    ]
    return WirePage(
        page.title,
        page.description,
        page.language,
        page.text,
        page.main,
        list(page.headings),
        list(numbers),
        links,
        page.canonical,
        page.refresh,
        page.follow,
        page.index,
        list(page.bold),
        _kinds(page.links),
        page.form,
        list(page.facts),
    )


def _kinds(links: Sequence[Link]) -> list[str]:
    """The kinds of the links from the first that has one. They stand behind those of the text, so nearly always there are none to send."""
    if not links or not links[-1].kind:
        return []
    kinds = [link.kind for link in links]
    return kinds[next(number for number, kind in enumerate(kinds) if kind) :]


def _wire_judgement(judgement: Judgement) -> WireJudgement:
    return WireJudgement(
        judgement.relevance, judgement.relevant, [(what, where, amount) for what, where, amount in judgement.evidence]
    )


def _end_of_frame(said: memoryview, at: int) -> int:
    """Where the frame ends that begins there; where its length does, if that has not come yet."""
    begin = at + _LENGTH
    return begin if begin > len(said) else begin + int.from_bytes(said[at:begin], "big")


class Frames(asyncio.Protocol):
    """One end of the socket: whole frames in, whole frames out."""

    def __init__(self, take: Callable[[memoryview], None], lost: Callable[[], None]) -> None:
        self._take, self._lost = take, lost
        self._beginning = bytearray()
        """Of a frame whose end has not come yet."""
        self._wanted = _LENGTH
        """How long it must be before it is looked at again."""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The other end is there."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own is none by class

    def data_received(self, data: bytes) -> None:
        """Hand on each frame that is whole, without a copy where it came in one piece, and keep the beginning of the next."""
        if self._beginning:
            self._beginning += data
            if len(self._beginning) < self._wanted:
                return
            data = bytes(self._beginning)
            self._beginning.clear()
        said, at = memoryview(data), 0
        while (end := _end_of_frame(said, at)) <= len(said):
            self._take(said[at + _LENGTH : end])
            at = end
        if end - at > MOST_BYTES:
            self.close()
            return
        self._beginning += said[at:]
        self._wanted = end - at

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - however it ended
        """The other end is gone."""
        self._lost()

    def send(self, message: msgspec.Struct) -> None:
        """Send one message; nothing happens if the other end is gone."""
        frame = encode(message)
        if self._transport is not None and not self._transport.is_closing():
            self._transport.writelines((len(frame).to_bytes(_LENGTH, "big"), frame))

    def close(self) -> None:
        """End the conversation."""
        if self._transport is not None:
            self._transport.close()
