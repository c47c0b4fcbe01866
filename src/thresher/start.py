"""How a crawl starts: a word → its sense → seeds → the settings of a crawl, for the command line and for Python alike.

`prepare` takes what is wanted, in the form of a crawl file, and completes it:

1. The names of strategy, judge and ontologies, and all numbers, are checked before anybody is asked anything.
2. A folder that holds a crawl goes on: the sense may be given again, for example by number instead of id.
3. The sense of a word is looked up in the ontologies. If there are several and none was named, the dialogue chooses: it asks, or
   takes the likeliest one and says so. The same holds for several phrases, with commas between them, if strategy or judge need to know
   what they mean, or if the user named an ontology or senses; and for the topic of a crawl file, if strategy or judge need to know it.
4. A word with a known sense gets the strategy and the judge that make use of it, unless the user named others.
5. Example pages are read, and their texts kept in the settings; the judge is then `meaning` unless the user named another that reads them.
6. A learnt taxonomy without a target gets those that were marked in it, or those that the dialogue chooses.
7. Seeds come from the user, from search engines, or from both.

`which_sense.py` does 3 and 4. Messages and questions go through a `Dialogue`: nothing here knows whether a person sits at a terminal.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.assembly import check_tables
from thresher.classify.learnt_folder import LearntFolder
from thresher.dialogue import Dialogue
from thresher.disk.crawl_home import Home
from thresher.errors import BadInput, Missing, NoAnswer, UnknownPart
from thresher.event_loops import run_to_end
from thresher.fetchers import scope_rules
from thresher.knowledge import Knowledge, needs
from thresher.model import Url
from thresher.ontology.known_ontologies import check_named
from thresher.polite.scope import ScopeRules
from thresher.seed.example_pages import example_texts
from thresher.seed.polite_download import DownloadOptions, way_of
from thresher.seed.search_seeds import EngineSeeds, find_seeds, queries_for
from thresher.seed.search_settings import Search
from thresher.settings import Manners, Settings, kept_tables
from thresher.topic.sense_choice import Ambiguous
from thresher.topic.topic import Topic
from thresher.which_sense import with_kept_sense, with_needed_senses, with_sense

_LONGEST_NAME = 240
"""Bytes of the name of a folder: file systems take 255, and an export adds its form."""


def folder_name(topic: str) -> str:
    """The name of a topic's folder."""
    name = "-".join("".join(letter if letter.isalnum() else " " for letter in topic.lower()).split())[:80]
    return name.encode()[:_LONGEST_NAME].decode(errors="ignore") or "crawl"


def prepare(  # noqa: PLR0913 - what is wanted, and how it is found out
    wanted: Mapping[str, Any],
    folder: Home,
    dialogue: Dialogue,
    *,
    by_sense: bool,
    search: bool,
    own: Collection[str] = (),
    where: str = "the command line",
) -> dict[str, Any]:
    """What is wanted of a crawl, complete: the sense of its topic and its seeds included.

    Args:
        wanted: the tables of a crawl file, as far as they are known.
        folder: where the crawl goes; if it holds one, that crawl goes on.
        dialogue: who is told and asked.
        by_sense: whether the topic's meaning is looked up, as for a plain word.
        search: whether search engines are asked although there are seeds.
        own: which parts (`strategy`, `judge`) are objects of the caller's own, so that no such name needs to be installed.
        where: where it is wanted, for messages.
    """
    complete = _with_judge_of_examples(dict(wanted))
    check_wanted(complete, where, own)
    if folder.exists:
        kept = _kept(folder, own)
        return with_kept_sense(complete, kept)
    folder.check_empty()
    if not str(complete.get("topic", "")).strip():
        raise BadInput(
            "no topic: say what to look for, as in thresher crawl iris or --topic 'iris eye', or name a crawl file or folder"
        )
    complete = _with_targets(_with_examples(complete, dialogue), dialogue)
    settings = check_wanted(complete, where)
    complete = (with_sense if by_sense else with_needed_senses)(complete, settings, dialogue)
    return _with_seeds(complete, dialogue, by_sense=by_sense, search=search)


def _kept(folder: Home, own: Collection[str]) -> Settings:
    """The settings that a folder goes on with."""
    try:
        return check_wanted(kept_tables(folder), folder.settings_name, own)
    except UnknownPart as error:
        raise UnknownPart(
            f"{folder.path} is a crawl with a part that is not here: {error}. If it was an object, give it to thresher.Crawl.start again"
        ) from error


def check_wanted(wanted: Mapping[str, Any], where: str, own: Collection[str] = ()) -> Settings:
    """Settings without seeds, checked: a typing error is reported before a person or a search engine is asked anything."""
    settings = Settings().with_changes({key: wanted[key] for key in wanted if key != "seeds"}, where)
    for kind, table in (("strategy", settings.strategy), ("judge", settings.judge)):
        if kind not in own:
            plugins.find(kind, table["name"])
    known = plugins.construct(Knowledge, settings.knowledge, "[knowledge]")
    for name in known.ontologies:
        check_named(name)
    check_tables(settings)
    return settings


def reach_of(wanted: Mapping[str, Any]) -> DownloadOptions:
    """How files with seeds and example pages are fetched: as the crawl fetches its pages."""
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    return DownloadOptions(manners.user_agent, manners.delay, way_of(wanted.get("fetch")), manners.allow_private)


def _with_judge_of_examples(wanted: dict[str, Any]) -> dict[str, Any]:
    """If there are example pages and no judge was named, the one that reads them."""
    judge = wanted.get("judge", {})
    if not _named_examples(wanted) or isinstance(judge, str) or "name" in judge:
        return wanted
    return {**wanted, "judge": {"name": "meaning", **judge}}


def _named_examples(wanted: Mapping[str, Any]) -> Sequence[str]:
    knowledge = wanted.get("knowledge", {})
    found: Sequence[str] = knowledge.get("like", ()) if isinstance(knowledge, Mapping) else ()
    return found


def _with_examples(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add what the example pages say."""
    names = _named_examples(wanted)
    if not names:
        return wanted
    _check_judge_reads_examples(check_wanted(wanted, "the command line").judge["name"])
    with dialogue.busy(f"reading {len(names)} example pages"):
        texts = example_texts(names, reach_of(wanted))
    return {**wanted, "knowledge": {**wanted["knowledge"], "examples": texts}}


def _check_judge_reads_examples(name: str) -> None:
    readers = [each for each in plugins.names("judge") if _reads_examples(each)]
    if name not in readers:
        raise BadInput(
            f"--like is for a judge that reads example pages ({', '.join(readers)}), but the judge is {name}"
        )


def _reads_examples(judge: str) -> bool:
    """Whether a judge asks for examples, or is made of others that may."""
    return not {"examples", "judge_of"}.isdisjoint(plugins.parameters(plugins.find("judge", judge)))


def _with_targets(wanted: dict[str, Any], dialogue: Dialogue) -> dict[str, Any]:
    """Add the targets of a learnt taxonomy. They stay those of the crawl, whatever is marked later."""
    knowledge = wanted.get("knowledge", {})
    for key, option in (("targets", "--target"), ("rules", "--rules")):
        if knowledge.get(key) and not knowledge.get("taxonomy"):
            raise BadInput(f"{option} is about the classes of a taxonomy: say which with --taxonomy DIR")
    learnt = LearntFolder(Path(knowledge.get("taxonomy", "")))
    if knowledge.get("targets") or not knowledge.get("taxonomy") or not learnt.exists:
        return wanted
    targets = learnt.targets() or list(dialogue.choose_targets(learnt.sizes()))
    if targets:
        dialogue.notice(f"Looking for the classes {', '.join(targets)}")
    return {**wanted, "knowledge": {**knowledge, "targets": targets}}


def _with_seeds(wanted: dict[str, Any], dialogue: Dialogue, *, by_sense: bool, search: bool) -> dict[str, Any]:
    """The user's own seeds first, then those that search engines find if they are asked."""
    own = wanted.get("seeds", [])
    _tell_of_seeds_out_of_scope(own, wanted, dialogue)
    ask_engines = search or not own
    concepts = _concepts(wanted) if by_sense or ask_engines else None
    if concepts is not None:
        dialogue.concepts_known(concepts)
    if not ask_engines:
        return wanted
    try:
        found = _searched(wanted, concepts, dialogue)
    except NoAnswer as error:
        if own:
            dialogue.notice(f"{error}\nStarting from your own seeds.")
        else:
            dialogue.no_seeds(error)
        return wanted
    return {**wanted, "seeds": list(dict.fromkeys((*own, *found)))}


def _concepts(wanted: Mapping[str, Any]) -> Topic | None:
    """The topic with all that is known around it; None if only its words are known."""
    known = plugins.construct(Knowledge, wanted.get("knowledge", {}), "[knowledge]")
    if not (known.senses or known.terms or known.given_topic):
        return None
    try:
        concepts: Topic = needs(str(wanted["topic"]), known)["concepts"].make()
    except (Missing, Ambiguous):
        return None
    return concepts


def _searched(wanted: Mapping[str, Any], concepts: Topic | None, dialogue: Dialogue) -> list[Url]:
    """Seeds that search engines give for a topic, the surest first."""
    search: Search = plugins.construct(Search, wanted.get("search", {}), "[search]")
    manners: Manners = plugins.construct(Manners, wanted.get("polite", {}), "[polite]")
    engines = search.open_engines(manners.user_agent)
    queries = queries_for(str(wanted["topic"]), concepts)
    with dialogue.busy(f"asking {', '.join(engine.name for engine in engines)}"):
        found = run_to_end(find_seeds(queries, engines, search.limit, allow_private=manners.allow_private))
    inside = _inside(found, wanted, dialogue)
    dialogue.seeds_found(inside, queries)
    return inside.urls


def _inside(found: EngineSeeds, wanted: Mapping[str, Any], dialogue: Dialogue) -> EngineSeeds:
    """Of the seeds that were found those that the crawl may fetch."""
    rules = _scope(wanted)
    inside = tuple(seed for seed in found.seeds if rules.refusal(seed.url, 0) is None)
    if left_out := len(found.seeds) - len(inside):
        all_of_them = "All" if not inside else f"{left_out} of the"
        said = f"{all_of_them} {len(found.seeds)} urls that search engines found are outside of the scope of this crawl"
        if not inside:
            raise NoAnswer(f"{said}, such as {found.urls[0]}: start with --seed URL, or check --domain and [scope]")
        dialogue.notice(f"{said}, and are left out.")
    return found._replace(seeds=inside)


def _tell_of_seeds_out_of_scope(seeds: Sequence[Url], wanted: Mapping[str, Any], dialogue: Dialogue) -> None:
    rules = _scope(wanted)
    outside = [url for url in seeds if rules.refusal(url, 0) is not None]
    if outside and len(outside) < len(seeds):
        many = f"{len(outside)} of {len(seeds)} seeds are" if len(outside) > 1 else "One seed is"
        dialogue.notice(f"{many} outside of the scope of this crawl and will not be fetched: {outside[0]}")


def _scope(wanted: Mapping[str, Any]) -> ScopeRules:
    return scope_rules(
        Settings().with_changes(
            {key: wanted[key] for key in ("scope", "fetch", "links", "documents") if key in wanted}, "[scope]"
        )
    )
