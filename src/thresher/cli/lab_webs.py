"""`thresher lab record` records a live web, so that it no longer changes; `thresher lab serve` serves it to any crawler."""

import asyncio
import contextlib
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from thresher.cli.crawl_options import part_table, place_options
from thresher.cli.declared import lab_commands as declared
from thresher.cli.event_lines import event_writers
from thresher.cli.running import run_to_its_end
from thresher.disk.atomic_file import whole_file
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.lab.webs.recorded import Recording, warc_files
from thresher.lab.webs.serve import serve_recording

_STRATEGY = "breadth-first"


@declared.record.work
def record(  # noqa: PLR0913 - an option each
    seed: Sequence[str],
    seed_lists: Sequence[str],
    strategy: str | None,
    into: Path,
    warc: Path | None,
    *,
    log: Path | None,
    as_json: bool,
    quiet: bool,
    **rest: Any,
) -> None:
    """Crawl breadth-first or as asked, and say how the recording is used."""
    if warc is not None and not warc.parent.is_dir():
        raise BadInput(f"--warc {warc} cannot be written: {warc.parent} is not a folder")
    folder = CrawlFolder(into)
    order = part_table(strategy or _STRATEGY, "--strategy")
    wanted: dict[str, Any] = {"topic": "recording", "strategy": order, "budget": {"dry_share": 0.0}}
    wanted["documents"] = {"read": False}  # a recorded web is of pages
    place_options(wanted, seed, seed_lists, rest)
    writers = click.get_current_context().with_resource(event_writers(log, as_json=as_json))
    end = run_to_its_end(folder, wanted, "the command line", quiet=quiet or as_json, writers=writers)
    if end.no_page:
        sys.exit(end.exit_code)
    if warc is not None:
        _gather(warc_files(into), warc)
    if not (quiet or as_json):
        _announce(warc or into)
    sys.exit(end.exit_code)


def _gather(files: Sequence[Path], into: Path) -> None:
    """WARC files in a row are a WARC file."""
    with whole_file(into) as made, made.open("wb") as whole:
        for each in files:
            with each.open("rb") as part:
                shutil.copyfileobj(part, whole)


def _announce(web: Path) -> None:
    with Recording.open(web) as recording:
        click.echo(f"{web}: {len(recording):,} recorded urls. Use them in a task file like this:\n", err=True)
    click.echo(
        f'warc = "{web}"\nlabels = "labels.tsv"      # on each line a url, a tab and its labels with | between them\n\n'
        '[[task]]\nname = "…"\ntopic = "…"\nrelevant = ["…"]           # labels\nnear = ["…"]               # seeds',
        err=True,
    )


@declared.serve.work
def serve(web: Sequence[Path], port: int) -> None:
    """Serve until Ctrl-C."""
    # Before an index is written beside it.
    if not any(file.stat().st_size for each in web for file in warc_files(each)):
        raise BadInput(f"{', '.join(map(str, web))}: there is no recorded page in it")
    # Ctrl-C is how it ends.
    with Recording.open(list(web)) as recording, contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(recording, port))


async def _serve(recording: Recording, port: int) -> None:
    async with serve_recording(recording, port) as server:
        click.echo(f"{len(recording):,} urls behind the proxy http://127.0.0.1:{server.port}; Ctrl-C ends it")
        first = next(iter(recording.urls()), None)
        if first:
            click.echo(f"try: curl --proxy http://127.0.0.1:{server.port} {shlex.quote(first)}")
        await asyncio.Event().wait()
