"""What strategies promise where several workers share a crawl: whoever is told of visits knows what those who made them know."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isclose, isfinite
from random import Random
from typing import get_args

import msgspec

from thresher.errors import DamagedState
from thresher.model import DROP, Sharing, Url, Visit
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.ports import Strategy

TOLERANCE = 1e-9
"""Scores may differ by so small a part."""
LONGEST = 256 << 10
"""Bytes that a lesson may have."""
_ASKED = 10
_DAMAGES = 15


def check_sharing(make: Callable[[], Strategy], visits: Sequence[Visit]) -> None:
    """Raise AssertionError with a sentence, if a strategy breaks a promise. The last visits are asked about, the others learnt."""
    sharing = make().sharing
    assert sharing in get_args(Sharing), f"there is no sharing {sharing!r}; choose from {get_args(Sharing)}"
    seen, asked = visits[:-_ASKED], [visit for visit in visits[-_ASKED:] if visit.page is not None]
    if sharing == "nothing":
        _needs_no_past(make, seen, asked)
    elif sharing == "lessons":
        _is_taught(make, seen, asked)
    else:
        _moves_what_one_would(make, seen)


def _needs_no_past(make: Callable[[], Strategy], seen: Sequence[Visit], asked: Sequence[Visit]) -> None:
    old, new = make(), make()
    _pass_all(old, seen)
    for visit in asked:
        assert _scored(old, visit) == _scored(new, visit), "it shares nothing, and scores by what it saw before"


def _is_taught(make: Callable[[], Strategy], seen: Sequence[Visit], asked: Sequence[Visit]) -> None:
    teacher, silent, pupil, heir = make(), make(), make(), make()
    lessons = _lessons(teacher, seen)
    _pass_all(silent, seen)
    parts: dict[str, bytes] = {}
    for lesson in lessons:
        _check_moves(pupil.take_in([lesson]))
        parts.update(pupil.save())
    heir.load({name: part for name, part in parts.items() if part})
    for visit in asked:
        wanted = _scored(teacher, visit)
        assert wanted == _scored(silent, visit), "to be asked for its lessons made it score otherwise"
        assert _alike(wanted, _scored(pupil, visit)), f"told of the visits it scores {visit.url} otherwise"
        assert _alike(wanted, _scored(heir, visit)), f"what it was told of was not saved: {visit.url}"
    _bears_damage(make, lessons)


def _moves_what_one_would(make: Callable[[], Strategy], seen: Sequence[Visit]) -> None:
    worker, learner = in_a_team(make()), TeamStrategy(make())
    learner.elect(learner.strategy, 0)
    lessons = _lessons(worker, seen)
    assert not _pass_all(worker, seen[:1]), "a worker that is not the learner moved urls"
    wanted = _pass_all(make(), seen)
    assert dict(learner.take_in(lessons)) == wanted, "the learner moves other urls than one that made the visits"
    _bears_damage(lambda: _elected(make()), lessons)


def _elected(strategy: Strategy) -> Strategy:
    team = TeamStrategy(strategy)
    team.elect(strategy, 0)
    return team


def _lessons(strategy: Strategy, visits: Iterable[Visit]) -> list[bytes]:
    """What it tells of each visit, if anything."""
    found = []
    for visit in visits:
        _scored(strategy, visit)
        _check_moves(strategy.rerank())
        lesson = strategy.lesson()
        assert isinstance(lesson, bytes), f"a lesson is {type(lesson).__name__}, not bytes"
        assert len(lesson) <= LONGEST, f"a lesson has {len(lesson)} bytes"
        found.append(lesson)
        strategy.save()
    return [lesson for lesson in found if lesson]


def _pass_all(strategy: Strategy, visits: Iterable[Visit]) -> dict[Url, float]:
    """Let visits pass through, as in a crawl of one worker; what was moved, and where to."""
    moved: dict[Url, float] = {}
    for visit in visits:
        _scored(strategy, visit)
        moved.update(strategy.rerank())
        strategy.save()
    return moved


def _scored(strategy: Strategy, visit: Visit) -> list[float]:
    strategy.learn(visit)
    return list(strategy.score(visit, visit.page.links)) if visit.page is not None and visit.page.follow else []


def _alike(some: Sequence[float], others: Sequence[float]) -> bool:
    return len(some) == len(others) and all(
        one == other or isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for one, other in zip(some, others, strict=True)
    )


def _check_moves(moved: Iterable[tuple[Url, float]]) -> None:
    for url, priority in moved:
        assert priority == DROP or isfinite(priority), f"{url!r} was moved to {priority}"


# ── bytes from anywhere ──


def _bears_damage(make: Callable[[], Strategy], lessons: Sequence[bytes]) -> None:
    """Bytes that are no lesson are a DamagedState; those that could be one are learnt from, and nothing else happens."""
    for damaged in _damaged(lessons):
        strategy = make()
        try:
            _check_moves(strategy.take_in([*lessons[:3], damaged, *lessons[3:6]]))
        except DamagedState:
            _check_moves(strategy.take_in(lessons[:6]))  # nothing was learnt, so all can be


def _damaged(lessons: Sequence[bytes]) -> Iterator[bytes]:
    yield from (
        b"",
        b"x",
        b"\x80",
        zlib.compress(b""),
        zlib.compress(b"\x91" * 100_000),
        zlib.compress(bytes(64 << 20)),
    )
    yield from (zlib.compress(msgspec.msgpack.encode(value)) for value in _STRANGE)
    dice = Random(0)  # noqa: S311 - the same bytes each time
    for lesson in dice.choices(lessons, k=_DAMAGES) if lessons else ():
        yield lesson[: dice.randrange(len(lesson))]
        yield _changed(lesson, dice)
        yield _changed_inside(lesson, dice)


def _changed(lesson: bytes, dice: Random) -> bytes:
    place = dice.randrange(len(lesson))
    return lesson[:place] + bytes([dice.randrange(256)]) + lesson[place + 1 :]


def _changed_inside(lesson: bytes, dice: Random) -> bytes:
    """Another byte in what is packed, so that it can be unpacked; in what is not packed, another one at its end."""
    try:
        plain = bytearray(zlib.decompress(lesson))
    except zlib.error:
        return lesson[:-8] + b"\xff" * 8
    plain[dice.randrange(len(plain))] = dice.randrange(256)
    return zlib.compress(bytes(plain))


_STRANGE: tuple[object, ...] = (
    None,
    0,
    float("nan"),
    "x",
    [],
    {},
    [[]],
    [[float("nan"), 1]],
    [[1.0, -1]],
    ["", "page", "", float("nan"), -1, b"", b"", [], b"", b""],
)
