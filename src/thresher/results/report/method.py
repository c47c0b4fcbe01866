"""The sections of a report that say how a crawl was made, and what may be done with what it found."""

from collections.abc import Iterator
from importlib.metadata import version

from thresher import plugins
from thresher.results.plain_text import day
from thresher.results.report.html_pieces import (
    Html,
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
from thresher.results.report.report_facts import ReportFacts
from thresher.results.told_settings import knowledge_told, part_told, threshold_told
from thresher.settings import Manners

_MOST_SEEDS, _MOST_RULES = 60, 6


def method(facts: ReportFacts) -> Html:
    """The settings that matter, and the seeds."""
    rows = [(name, text(value, 300)) for name, value in _rows(facts) if value]
    return section("method", "Method", grid("How the crawl was made", columns("setting,value"), rows), *_seeds(facts))


def _rows(facts: ReportFacts) -> Iterator[tuple[str, str]]:
    settings = facts.settings
    yield "topic", settings.topic
    yield from knowledge_told(settings)
    yield "strategy", part_told(settings.strategy)
    yield "judge", part_told(settings.judge)
    yield "threshold of relevance", threshold_told(settings)
    yield "calibration", _calibration(facts)
    if facts.judged is not None:
        yield (
            "judged anew",
            f"on {day(facts.judged.done)} by {facts.judged}; pages that came later, as the crawl judged them",
        )
    if (hand := facts.by_hand) is not None:
        yield (
            "labels by hand",
            f"{hand.labels:,}, {hand.relevant:,} of them relevant; F1 of the judge on them {hand.before.f1:.2f}",
        )
    yield "budget", _budget(facts)
    yield "scope", _scope(facts)
    yield "manners", _manners(facts)
    if facts.span is not None:
        first, last = map(day, facts.span)
        yield "fetched", f"{first} to {last}" if first != last else first
    yield (
        "time under way",
        f"{facts.seconds / 3600:.1f} hours" if facts.seconds > 5400 else f"{facts.seconds / 60:.1f} minutes",
    )
    yield "received", f"{facts.counts.bytes / 1e6:,.1f} MB"
    yield "end", facts.ended
    yield "made with", f"Thresher {version('thresher')}, this report on {day(facts.made)}"


def _calibration(facts: ReportFacts) -> str:
    if facts.expected_precision is None:
        return "none: relevance is a score, which puts pages in order"
    return f"relevance is a probability, by curves fitted on other topics; expected precision {facts.expected_precision:.0%}"


def _budget(facts: ReportFacts) -> str:
    named = {"pages": "pages", "relevant": "relevant pages", "minutes": "minutes a run", "bytes": "bytes"}
    known = facts.budget
    said = [f"{getattr(known, key):,} {words}" for key, words in named.items() if getattr(known, key) is not None]
    dry = (
        f"until less than {known.dry_share:.1%} of {known.dry_window:,} fetches is relevant" if known.dry_share else ""
    )
    return ", ".join([*said, dry] if dry else said) or "none"


def _scope(facts: ReportFacts) -> str:
    told = []
    for key, value in facts.settings.scope.items():
        values = [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]
        more = f" and {len(values) - _MOST_RULES} more" if len(values) > _MOST_RULES else ""
        told.append(f"{key}: {', '.join(values[:_MOST_RULES])}{more}")
    return "; ".join(told) or "the whole web"


def _manners(facts: ReportFacts) -> str:
    manners: Manners = plugins.construct(Manners, facts.settings.polite, "[polite]")
    robots = "robots.txt obeyed" if manners.robots else "robots.txt not asked"
    at_once = f", {manners.per_host} at a time" if manners.per_host > 1 else ""
    return f"at least {manners.delay:g} seconds between two requests to a host{at_once}, {robots}"


def _seeds(facts: ReportFacts) -> Iterator[Html]:
    seeds = facts.settings.seeds
    if not seeds:
        return
    if facts.seeds:
        rows = [
            (
                web_link(each.url, each.title),
                _state(each.outcome, each.relevance, relevant=each.relevant),
                f"{each.led_to:,}",
            )
            for each in facts.seeds[:_MOST_SEEDS]
        ]
        shown = grid("Where the crawl began", columns("seed,relevance", "relevant pages it led to"), rows)
    else:
        shown = listed(web_link(url) for url in seeds[:_MOST_SEEDS])
    more = (
        element("p", f"and {len(seeds) - _MOST_SEEDS:,} more.", kind="quiet") if len(seeds) > _MOST_SEEDS else Html("")
    )
    yield opened(f"{len(seeds):,} seed{'s' * (len(seeds) != 1)}", shown, more, already=len(seeds) <= 12)


def _state(outcome: str, relevance: float | None, *, relevant: bool) -> Html:
    return element("code", text(outcome, 40)) if relevance is None else relevance_mark(relevance, relevant=relevant)


def rights(facts: ReportFacts) -> Html:
    """What the pages themselves say of their use, and how their hosts were asked."""
    found = facts.rights
    lines: list[str | Html] = [
        (
            f"{found.licensed:,} of the {found.pages:,} relevant pages name a licence; of the others it is unknown: each belongs to "
            "whoever wrote it, and being on the web allows nobody to publish it again."
        ),
        f"{found.reserved:,} reserve text and data mining (noai, tdm-reservation).",
        f"{found.noindex:,} ask not to be listed by search engines (noindex).",
        _robots(facts),
        "Nothing was done to find or remove personal data.",
    ]
    if found.licences:
        named = Html("; ".join(joined(strange(name, 80), f" ({count:,})") for name, count in found.licences.items()))
        more = f", and {found.kinds - len(found.licences):,} more" if found.kinds > len(found.licences) else ""
        lines.insert(1, joined("Licences that pages name: ", named, more, "."))
    return section("rights", "Rights and manners", listed(lines))


def _robots(facts: ReportFacts) -> str:
    manners: Manners = plugins.construct(Manners, facts.settings.polite, "[polite]")
    if not manners.robots:
        return "The crawl was told not to ask robots.txt."
    return (
        "robots.txt was asked before the first page of each site and once a day after that, and each page here was allowed when it was "
        f"fetched; {facts.troubles.times('robots'):,} urls were not fetched because it forbids them. That is what the crawl's settings say "
        "as they stand now; the robots.txt files themselves are not kept."
    )
