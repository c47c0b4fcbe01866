"""The sections of a report that say what a crawl found: headline, harvest, best pages, hosts, trouble, what waits, and the topic."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from thresher.results.plain_text import day, evidence_line, told_priority
from thresher.results.report.charts import HarvestLine, both_widths
from thresher.results.report.html_pieces import (
    HeadCell,
    Html,
    bar,
    columns,
    element,
    grid,
    joined,
    listed,
    opened,
    relevance_mark,
    section,
    strange,
    text,
    web_link,
)
from thresher.results.report.report_facts import BestTold, ReportFacts
from thresher.results.watch.trouble import LostPage, TroubleKind
from thresher.store.overview import HostFound

_MOST_HOSTS, _BARREN, _KINDS = 25, 5, 20
_MOST_TERMS, _MOST_NAMES = 40, 60
_REASONS = 3
_SHORT = 12
"""Best pages that stand open; the others can be opened."""


def number(value: float) -> str:
    """A count: `1,234`."""
    return f"{value:,.0f}"


def times(value: float, word: str) -> str:
    """A count with its word: `1 page`, `2 pages`."""
    return f"{value:,.0f} {word}{'s' * (round(value) != 1)}"


# ── headline ──


def headline(facts: ReportFacts) -> Html:
    """The figures, and what they mean in a sentence."""
    cards = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in _cards(facts))
    return joined(element("p", *_meaning(facts), kind="lead"), Html(f'\n<dl class="cards">\n{cards}\n</dl>\n'))


def _cards(facts: ReportFacts) -> Iterator[tuple[str, str]]:
    found = facts.counts
    yield "relevant pages", number(found.relevant)
    yield "urls fetched", number(found.fetched)
    yield "harvest rate", f"{found.harvest:.1%}"
    yield "hosts", number(found.hosts)
    yield "urls waiting", number(facts.waiting)
    if facts.expected_precision is not None:
        yield "expected precision", f"{facts.expected_precision:.0%}"
    if facts.by_hand is not None:
        yield "labelled by hand", number(facts.by_hand.labels)


def _meaning(facts: ReportFacts) -> Iterator[str | Html]:
    found = facts.counts
    if not found.fetched:
        yield "This crawl has fetched nothing yet."
        return
    one_in = found.fetched / found.relevant if found.relevant else 0
    rate = f"about one fetch in {one_in:.0f}" if one_in >= 1.5 else "nearly every fetch" if one_in else "no fetch"
    yield f"Of {times(found.fetched, 'url')} that were fetched, {number(found.relevant)} were on topic and new: {rate} paid."
    if found.duplicates or found.near:
        yield f" {times(found.duplicates + found.near, 'answer')} repeated what others had said, and did not count."
    if facts.expected_precision is not None:
        yield f" By the judge's own scores, about {facts.expected_precision:.0%} of the relevant pages are truly so."
    if facts.running:
        yield " The crawl was still running when this was written."


# ── harvest ──


def harvest(facts: ReportFacts) -> Html:
    """The curve, beside what is known of breadth-first."""
    if len(facts.curve) < 2:
        return section("harvest", "Harvest", element("p", "There is too little to draw a curve yet."))
    lines = [HarvestLine("this crawl", [(each.fetched, each.relevant) for each in facts.curve])]
    told = [_pace(facts)]
    if (other := facts.breadth_first) is not None:
        end = min(other.fetched, facts.counts.fetched)
        corners = [(at, other.at(at)) for at in sorted({min(other.seeds, end), end})]
        lines.append(HarvestLine("breadth-first, estimated", corners))
        told.append(_beside(facts, end))
    title = "Relevant pages found, over the pages fetched"
    figure = joined(both_widths(title, lines), element("figcaption", *_key(lines)))
    return section("harvest", "Harvest", element("figure", figure), *(element("p", each) for each in told))


def _key(lines: Sequence[HarvestLine]) -> Iterator[str | Html]:
    yield element("span", "this crawl", kind="key one")
    if len(lines) > 1:
        yield " "
        yield element("span", "what breadth-first would have found with its first fetches, estimated", kind="key two")


def _pace(facts: ReportFacts) -> str:
    end, begin = facts.curve[-1], facts.curve[0]
    before = next(each for each in reversed(facts.curve) if each.fetched <= end.fetched * 0.8 or each == begin)
    late, of = end.relevant - before.relevant, end.fetched - before.fetched
    steeper = "The steeper the curve, the more of what was fetched was on topic."
    if not of:
        return steeper
    were = "was" if round(late) == 1 else "were"
    latest = f"Of the latest {of:,} fetched, {number(late)} {were} relevant ({late / of:.0%})"
    return f"{steeper} {latest}; of all, {facts.counts.harvest:.0%}."


def _beside(facts: ReportFacts, end: int) -> str:
    other = facts.breadth_first
    assert other is not None
    own = next((each.relevant for each in facts.curve if each.fetched >= end), facts.curve[-1].relevant)
    return (
        "Breadth-first, which follows links in the order in which it finds them, would have begun with "
        f"{times(other.seeds, 'seed')} and the {times(other.links, 'url')} that they link to: about "
        f"{times(other.at(end), 'relevant page')} in {number(end)} fetches, where this crawl had {number(own)}. {other.seen:.0%} of these "
        "urls were fetched here too, so it is known what they are; the others count as pages of the same priority did. What breadth-first "
        "would have found after that, nobody knows without crawling."
    )


# ── best pages ──


def best_pages(facts: ReportFacts) -> Html:
    """The most relevant pages with the strongest reasons."""
    if not facts.best:
        return section("best", "Best pages", element("p", "No relevant page was found yet."))
    pages = [_best(page) for page in facts.best]
    more = len(pages) - _SHORT
    # The numbers go on in the second list.
    rest = Html(listed(pages[_SHORT:], "ol", "best").replace("<ol", f'<ol start="{_SHORT + 1}"', 1))
    return section(
        "best",
        "Best pages",
        element(
            "p", "The most relevant pages, with the reasons that counted most. Pages that repeat others are left out."
        ),
        listed(pages[:_SHORT], "ol", "best"),
        opened(f"{times(more, 'more page')}", rest) if more > 0 else "",
    )


def _best(told: BestTold) -> Html:
    page = told.page
    host = page.page.url.split("/", 3)[2] if page.page.url.count("/") > 1 else ""
    why = evidence_line(told.evidence, most=_REASONS)
    state = (
        f"gone since {day(page.gone)}"
        if page.gone
        else f"changed since, now {page.relevance:.2f}"
        if page.changed
        else ""
    )
    return joined(
        relevance_mark(page.page.relevance, relevant=page.relevant and not page.gone),
        " ",
        web_link(page.page.url, page.page.title),
        element("span", " ", strange(host, 60), kind="quiet"),
        element("span", f" {state}", kind="warn") if state else "",
        element("div", text(why, 200), kind="why") if why else "",
    )


# ── hosts ──


def hosts(facts: ReportFacts) -> Html:
    """The hosts with the most relevant pages."""
    shown = [*(each for each in facts.hosts if each.relevant), *_barren(facts)][:_MOST_HOSTS]
    rows = [
        (
            strange(each.host, 60),
            number(each.fetched),
            number(each.relevant),
            joined(f"{each.relevant / each.fetched:.0%} ", bar(each.relevant / each.fetched)),
        )
        for each in shown
    ]
    more = facts.counts.hosts - len(shown)
    return section(
        "hosts",
        "Hosts by harvest",
        grid("The hosts that gave most", columns("host", "fetched,relevant,harvest"), rows)
        if rows
        else element("p", "None yet."),
        element("p", f"and {times(more, 'more host')}.", kind="quiet") if more > 0 else "",
    )


def _barren(facts: ReportFacts) -> list[HostFound]:
    """The hosts of which most was fetched for nothing."""
    return [each for each in facts.hosts if not each.relevant][:_BARREN]


# ── trouble ──


def trouble(facts: ReportFacts) -> Html:
    """What could not be read, and why."""
    found = facts.troubles
    parts = [element("p", f"{found.retries_told} What is listed below are final outcomes, not tries.")]
    if found.kinds:
        heads = (HeadCell("what happened"), HeadCell("urls", number=True), HeadCell("most of them on"))
        parts.append(grid("Urls that gave no page, by what happened", heads, map(_kind, found.kinds[:_KINDS])))
    else:
        parts.append(element("p", "Every url that was fetched could be read."))
    if found.promising:
        parts.append(opened("The most promising urls that could not be read", listed(map(_lost, found.promising))))
    return section("trouble", "Trouble", *parts)


def _kind(kind: TroubleKind) -> tuple[Html, str, Html]:
    means = f" {kind.means}{', left out on purpose' * kind.on_purpose}"
    what = joined(element("code", text(kind.outcome, 40)), element("span", means, kind="quiet"))
    where = Html(", ".join(joined(strange(host, 50), f" ({number(count)})") for host, count in kind.hosts))
    return what, number(kind.times), joined(where, kind.and_more)


def _lost(page: LostPage) -> Html:
    detail = element("span", " ", text(page.detail, 80), kind="quiet") if page.detail else ""
    found = (
        [element("span", " a seed", kind="quiet")] if page.found_on is None else _found_on(page.found_on, page.anchor)
    )
    return joined(element("code", text(page.outcome, 40)), " ", web_link(page.address), detail, *found)


# ── what waits ──


def still_waiting(facts: ReportFacts) -> Html:
    """What would be fetched next."""
    if not facts.waiting:
        return section(
            "waiting",
            "Still waiting",
            element("p", "Nothing is left: every url that was found and is in scope was fetched."),
        )
    rows = [(strange(each.host, 60), number(each.waiting)) for each in facts.queues]
    best = [
        joined(
            element("code", told_priority(each.priority)), " ", web_link(each.url), *_found_on(each.parent, each.anchor)
        )
        for each in facts.next_up
    ]
    told = f"{times(facts.waiting, 'url')} were found and not fetched. The same command continues the crawl with the best of them."
    return section(
        "waiting",
        "Still waiting",
        element("p", told),
        opened("What would be fetched next, in this order", listed(best)) if best else "",
        opened("Where most waits", grid("Waiting urls by host", columns("host", "waiting"), rows)) if rows else "",
    )


def _found_on(parent: str | None, anchor: str) -> list[Html]:
    said = joined(" “", strange(anchor, 60), "”") if anchor.strip() else Html("")
    return [element("span", said, *([" on ", web_link(parent)] if parent else []), kind="quiet")]


# ── the topic ──


def topic(facts: ReportFacts) -> Html:
    """What was looked for, and on how many pages it was found."""
    found = facts.found
    parts: list[Html] = []
    if facts.terms:
        parts.append(
            grid("What was looked for", columns("name,relation", "weight,relevant pages with it"), _term_rows(facts))
        )
        if len(facts.terms) > _MOST_TERMS:
            parts.append(element("p", f"and {times(len(facts.terms) - _MOST_TERMS, 'more name')}.", kind="quiet"))
    if found.pages and not (facts.terms and found.names):
        parts.append(
            element(
                "p",
                "Words that counted most for a page, with the relevant pages that have them: ",
                *_names(found.pages),
            )
        )
    if found.against:
        parts.append(
            element("p", "Words that spoke against a page, with the pages that have them: ", *_names(found.against))
        )
    if facts.looked_at > 1:
        parts.append(element("p", f"Counted on every {facts.looked_at:,}th page.", kind="quiet"))
    return section(
        "topic",
        "The topic",
        *(parts or [element("p", "Its words are not known here: what it was made of is missing.")]),
    )


def _term_rows(facts: ReportFacts) -> Iterator[tuple[Html, str, str, str]]:
    seen = {name.lower(): count for names in facts.found.tiers().values() for name, count in names.items()}
    heaviest = sorted(facts.terms, key=lambda term: -term.weight)[:_MOST_TERMS]
    for term in heaviest:
        yield strange(term.label, 60), term.tier, f"{term.weight:g}", number(seen.get(term.label.lower(), 0))


def _names(pages: Mapping[str, int]) -> Iterator[str | Html]:
    shown = list(islice(pages.items(), _MOST_NAMES))
    for place, (name, count) in enumerate(shown):
        yield from (", " if place else "", strange(name, 40), element("span", f" {number(count)}", kind="quiet"))
    if len(pages) > len(shown):
        yield f" and {number(len(pages) - len(shown))} more"
