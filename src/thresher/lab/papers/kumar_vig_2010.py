"""Kumar and Vig 2010 again: on a web of which a fifth is half in another language, does a crawler that looks words up find more?"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from thresher.lab.papers.mixed_pages import judged, page_of
from thresher.lab.papers.mixed_webs import (
    BASELINE,
    INSTALLED,
    OWN,
    SHARE,
    Arm,
    MixedWeb,
    importances,
    multilingual,
    on_target,
    plain,
    sources,
    taxonomy,
)
from thresher.lab.papers.multilingual_runs import CLAIMS, NAMES, PROFILES, CurveClaim, MultilingualRuns, Plan, arms
from thresher.lab.papers.paper_tables import Pair, claim, figure, percent, picture, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.vocabulary import LANGUAGES, dictionary
from thresher.language.extras import unavailable
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.topic.link_text import contexts
from thresher.topic.scoring import Weigher

PAPER = 'Kumar and Vig, "Multilingual Context Ontology Rule Enhanced Focused Web Crawler", 2010, Fig. 3'
MARKS = (50, 100, 200, 300, 500, 1000)
DESIGN = (
    "The paper simulates 1000 pages about the engineering branches of one university, a fifth of them with their important terms in Hindi, "
    "and plots the relevant pages against those downloaded for a baseline focused crawler, its own crawler without a multilingual "
    "transcriptor, and with one (Min_OntRel = 5, Min_LaRel = 3). Neither the pages nor any number of the figure survive. Here: {webs} "
    "generated webs of {size} pages each, on nine topics; sought are the pages about the iris of the eye, from three English ones. {share} "
    "of the pages have titles, headings and the topic's terms in Hindi, or in German; 0 % is the control. The baseline is soft-focus, on "
    "which the paper that the rules are taken from builds. Classes and rules are learnt from another, English web, the importance table "
    "comes from the web's own terms. Words are looked up in FreeDict where it is installed, and in the very list that the web was written "
    "with, than which no dictionary can be better."
)
DIFFERENCES = (
    "The paper prints no number, only a figure that did not survive: what can be tested is the order of its three curves.",
    "Which baseline it had is not said.",
    "Its pages were about engineering, linked in a way nobody knows; ours are generated, with seven links in ten staying on the topic.",
    "Its LARS is a probability and could never exceed its threshold of 3; read as ten times that, links of pages on topic pass it.",
    "German shares its letters with English, and its words are often not noticed inside an English sentence, whatever the dictionary.",
)


QUICK = Plan(webs=2, size=80, pages=50)


def reproduce(setting: Setting) -> Reproduction:
    """Run it, or what is left of it, and say whether the paper's claim holds."""
    plan = QUICK if setting.quick else Plan()
    found = MultilingualRuns(plan, Crawls(setting, "multilingual", list(plan.trials())))
    return Reproduction(
        name="multilingual",
        paper=PAPER,
        design=DESIGN.format(webs=plan.webs, size=plan.size, share=percent(SHARE, 0)),
        tables=(
            *(_figures(found, each) for each in ("", *LANGUAGES)),
            _tested(found),
            _orders(found),
            _lost(plan),
            _judged(plan),
            _control(found),
        ),
        verdict=_verdict(found),
        differences=(*DIFFERENCES, *unavailable()),
        plots=tuple(_plot(found, language, profile) for language in LANGUAGES for profile in PROFILES),
        training=_training(),
    )


def _training() -> str:
    sizes = taxonomy().sizes
    return (
        f"train-0 {sizes.train_0:,} pages of a generated web that nobody crawls, train-1 {sizes.train_1:,} pages that these link to; "
        f"{sizes.rules} rules. The paper does not say how large its sets were."
    )


def _figures(found: MultilingualRuns, language: str) -> PaperTable:
    """Each crawler in a row."""
    marks = [mark for mark in MARKS if mark <= found.plan.pages]
    columns = ("crawler", "profile", "AUC", *(f"at {mark}" for mark in marks), "fetched", "mixed pages found")
    rows = tuple(_row(found, arm, language, marks) for arm in arms(*([language] if language else LANGUAGES)))
    targets = mean([run.targets for run in found.runs(BASELINE, language)])
    said = f"Relevant pages after so many fetches, of {targets:.1f}; means of {found.plan.webs} webs."
    title = f"{percent(SHARE, 0)} mixed, {NAMES[language]}" if language else "0 % mixed, the control"
    return PaperTable(title, columns, rows, said)


def _row(found: MultilingualRuns, arm: Arm, language: str, marks: Sequence[int]) -> tuple[str, ...]:
    means = found.curve(arm, language).mean(axis=0)
    runs = found.runs(arm, language)
    name = f"context-ontology with {_words(arm)}" if arm.dictionary else arm.strategy
    return (
        name,
        arm.profile or "-",
        figure(mean([run.auc for run in runs])),
        *(f"{means[mark - 1]:.1f}" for mark in marks),
        f"{mean([run.fetched for run in runs]):.0f}",
        percent(found.mixed_recall(arm, language)) if language else "-",
    )


def _words(arm: Arm) -> str:
    return f"{arm.dictionary}, {NAMES[arm.language]}"


# ── the claim ──


def _orders(found: MultilingualRuns) -> PaperTable:
    rows = []
    for each in CLAIMS:
        kept = (*each.halves(found), each.holds(found))
        broken = np.flatnonzero(~kept[-1]) + 1
        shares = (percent(half.mean()) for half in kept)
        rows.append((each.named, each.best.dictionary, *shares, f"{broken[-1]}" if len(broken) else "-"))
    columns = (
        "",
        "dictionary",
        "multilingual ≥ non-multilingual",
        "non-multilingual ≥ baseline",
        "both",
        "last not both",
    )
    said = f"The share of the budgets from 1 to {found.plan.pages} at which it holds, in the mean over webs; and the last one without both."
    return PaperTable("The order of the curves", columns, tuple(rows), said)


def _tested(found: MultilingualRuns) -> PaperTable:
    pairs: list[Pair] = []
    for language in LANGUAGES:
        for profile in PROFILES:
            alone = plain(profile)
            against = [
                (multilingual(profile, source, language), f"with {source}", alone, "without")
                for source in sources(language)
            ]
            for arm, name, other, base in (*against, (alone, "without", BASELINE, BASELINE.name)):
                own = found.aucs(arm, language), found.aucs(other, language)
                pairs.append((f"{NAMES[language]}, {profile}: {name}", own[0], base, own[1]))
    said = "A web is a pair; the one-sided p of t is for the first being better, the others are two-sided."
    return tests(f"AUC at {percent(SHARE, 0)} mixed, paired by web", pairs, said)


def _lost(plan: Plan) -> PaperTable:
    numbers = range(1, plan.webs + 1)
    rows = tuple(
        (NAMES[language], source or "none", percent(kept_worth(webs, map(plan.web, numbers), source)))
        for language in LANGUAGES
        for webs in [[plan.web(number, language) for number in numbers]]
        for source in ("", *sources(language))
    )
    said = (
        "The links on mixed pages about the topic, in percent of what the very same pages are worth when they are in English; "
        "over 100 % where words are given several meanings."
    )
    return PaperTable("OBRS that a dictionary gives back", ("language", "dictionary", "OBRS"), rows, said)


def _judged(plan: Plan) -> PaperTable:
    """Mixed pages count only if a judge can read them."""
    numbers = range(1, plan.webs + 1)
    rows = tuple(
        (NAMES[language], way.name, way.how, percent(shares.on_topic), percent(shares.others))
        for language in LANGUAGES
        for way, shares in judged([plan.web(n, language) for n in numbers], map(plan.web, numbers), language).items()
    )
    columns = ("language", "read by", "way", "on topic, judged relevant", "others, judged relevant")
    said = (
        "Mixed pages, by the judge `terms`. The translator gets what stands between English words, as any model would."
    )
    return PaperTable("Mixed pages, judged", columns, rows, said)


def _control(found: MultilingualRuns) -> PaperTable:
    """Without mixed pages a dictionary must change nothing."""
    rows = []
    for arm in arms(*LANGUAGES):
        if arm.dictionary:
            same = _same(found, arm)
            rows.append((_words(arm), arm.profile, f"{same} of {found.plan.webs}"))
    columns = ("dictionary", "profile", "webs crawled url by url as without")
    return PaperTable("The control: 0 % mixed", columns, tuple(rows))


def _same(found: MultilingualRuns, arm: Arm) -> int:
    pairs = zip(found.orders(arm, ""), found.orders(plain(arm.profile), ""), strict=True)
    return sum(one == other for one, other in pairs)


def _verdict(found: MultilingualRuns) -> str:
    held = {each: bool(each.holds(found).all()) for each in CLAIMS}
    sentences = [_summary(held), *(_sentence(found, each) for each in CLAIMS), _controlled(found)]
    if any(each.best.dictionary != INSTALLED for each in CLAIMS):
        sentences.append("Where no FreeDict dictionary is installed, the web's own words were looked up.")
    return " ".join(sentences)


def _summary(held: Mapping[CurveClaim, bool]) -> str:
    where = [each.named for each, holds in held.items() if holds]
    if len(where) == len(held):
        return "The claim holds at every budget, in both languages and both profiles."
    listed = f"only for {'; '.join(where)}" if where else "in no language and no profile"
    return f"The claim, at every budget multilingual ≥ non-multilingual ≥ baseline, holds {listed}."


def _sentence(found: MultilingualRuns, claimed: CurveClaim) -> str:
    language, alone = claimed.language, plain(claimed.profile)
    best, second, third = (found.aucs(arm, language) for arm in (claimed.best, alone, BASELINE))
    one, other = claimed.halves(found)
    return (
        f"{claimed.named}: multilingual ≥ non-multilingual at {percent(one.mean())} of the budgets, that ≥ baseline at "
        f"{percent(other.mean())}; by AUC {claim('multilingual', best, 'non-multilingual', second)[:-1]}; "
        f"{claim('non-multilingual', second, 'the baseline', third)}{_ended(found, claimed)}"
    )


def _ended(found: MultilingualRuns, claimed: CurveClaim) -> str:
    """A crawl that drops links may have nothing left to fetch, while others go on."""
    fetched = mean([run.fetched for run in found.runs(plain(claimed.profile), claimed.language)])
    return f" It had nothing left to fetch after {fetched:.0f} pages." if fetched < found.plan.pages else ""


def _controlled(found: MultilingualRuns) -> str:
    with_words = [arm for arm in arms(*LANGUAGES) if arm.dictionary]
    same = sum(_same(found, arm) for arm in with_words)
    of = found.plan.webs * len(with_words)
    verb = (
        "Without mixed pages a dictionary changes nothing"
        if same == of
        else "Even without mixed pages a dictionary matters"
    )
    return f"{verb}: {same} of {of} crawls are the same url by url."


def _plot(found: MultilingualRuns, language: str, profile: str) -> tuple[str, str]:
    compared = [BASELINE, plain(profile), *(multilingual(profile, each, language) for each in sources(language))]
    curves = {arm.name: found.curve(arm, language).tolist() for arm in compared}
    title = f"{percent(SHARE, 0)} mixed with {NAMES[language]}, profile {profile}"
    return picture(title, "relevant pages found", curves)


def kept_worth(webs: Iterable[MixedWeb], twins: Iterable[MixedWeb], source: str = "") -> float:
    """The OBRS of all links on mixed pages about the topic, as a share of what the same pages have in English."""
    weigher = Weigher(importances())
    worth = twin_worth = 0.0
    for web, twin in zip(webs, twins, strict=True):
        made, english = generate(**web.making), generate(**twin.making)
        numbers = [number for number in on_target(made) if made.atlas.is_mixed(number)]
        transcriptor = _transcriptor(web.language, source)
        worth += sum(weigher.weigh_each(_link_texts(made, numbers, transcriptor)))
        twin_worth += sum(weigher.weigh_each(_link_texts(english, numbers)))
    return worth / twin_worth if twin_worth else 0.0


def _link_texts(web: GeneratedWeb, numbers: Sequence[int], transcriptor: WordTranscriptor | None = None) -> list[str]:
    pages = [page_of(web, number) for number in numbers]
    every = [(text, page.language) for page in pages for text in contexts(page.links)]
    return [transcriptor.transcribe(*each) if transcriptor else each[0] for each in every]


def _transcriptor(language: str, source: str) -> WordTranscriptor | None:
    if not source:
        return None
    return (
        WordTranscriptor({language: dictionary(language)}) if source == OWN else WordTranscriptor.installed((language,))
    )
