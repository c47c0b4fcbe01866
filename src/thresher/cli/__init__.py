"""The command line: it parses options, calls, and draws what comes back. Nothing else.

What a command takes is described in `declared/`. A module of its own does the work and is imported when the command runs, so that
`thresher --version`, `--help` and the Tab key take no time:

    advise, compare, crawl, demo, doctor, export, label, move, rejudge,   each in the module of that name
    report, revisit, search, show, strategies, taxonomy, tell, view, why,
    work
    topic, senses, ontology                                               in `topic.py`
    lab                                                                   `lab.py` (run, compare), `lab_webs.py`
                                                                          (record, serve), `lab_papers.py` (reproduce, rules)

No command imports another. What they share:

- `crawl_options.py`: what the argument and the options of a crawl mean, as a crawl file;
- `dialogue.py`: what a person is told and asked while a crawl is prepared (`start.py` decides, this draws);
- `running.py`, `progress.py`: a running crawl in front of a person, Ctrl-C, and the last lines;
- `event_lines.py`, `minute.py`: what a running crawl writes with `--log` and `--json`, and its figures once a minute;
- `target_picker.py`: the classes of a taxonomy, to browse and to mark;
- `stopping.py`: Ctrl-C in long work that can be resumed;
- `plot.py`: curves made of block characters; `completion.py`: what the Tab key offers.

`main` promises: a mistake of the user's gives one sentence and exit code 2, never a traceback; a crawl
without a page gives 1, Ctrl-C 130, a closed pipe 141.
Commands that show figures have a `--json` for programs.
"""

import contextlib
import os
import sys
from pathlib import Path
from typing import NoReturn, TextIO

import click

from thresher.cli.declared.command_types import Commands
from thresher.cli.plain_output import say
from thresher.errors import BadInput, NoAnswer, ThresherError
from thresher.loading import INTERRUPTED

NO_ANSWER = 1
"""The exit code where the command is right, and another machine gives nothing: no page, no seed."""
BROKEN_PIPE = 141
"""The exit code that shells use for a process that wrote to a closed pipe."""

# Where each command is described.
_HOMES = {
    "advise": "result_commands",
    "compare": "result_commands",
    "crawl": "crawl_command",
    "demo": "crawl_command",
    "doctor": "knowledge_commands",
    "export": "result_commands",
    "lab": "lab_commands",
    "label": "result_commands",
    "move": "crawl_command",
    "ontology": "knowledge_commands",
    "rejudge": "result_commands",
    "report": "result_commands",
    "revisit": "result_commands",
    "search": "result_commands",
    "senses": "knowledge_commands",
    "show": "result_commands",
    "strategies": "knowledge_commands",
    "taxonomy": "taxonomy_commands",
    "tell": "result_commands",
    "topic": "knowledge_commands",
    "view": "result_commands",
    "why": "result_commands",
    "work": "crawl_command",
}


@click.group(
    cls=Commands, homes=_HOMES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="thresher")
def thresher() -> None:
    """A focused web crawler: tell it a topic, it fetches the most promising link next and keeps what is on topic.

    \b
    Try it:   thresher demo
    Crawl:    thresher crawl iris --contact you@example.org
    Look:     thresher show iris, thresher search iris eye, thresher why iris URL
    Take:     thresher export iris --to parquet
    """


def main() -> None:
    """Run a command. A mistake of the user's gives one sentence and exit code 2, never a traceback."""
    _prepare_streams()
    try:
        _check_letters(sys.argv[1:])
        code = thresher.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _end(_one_sentence(error), error.exit_code)
    except ThresherError as error:
        _end(f"{error}", NO_ANSWER if isinstance(error, NoAnswer) else 2)
    except (click.Abort, KeyboardInterrupt):
        _end("stopped", INTERRUPTED)
    except BrokenPipeError:
        write_no_more(sys.stdout)
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        write_no_more(sys.stdout)
        _end(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _prepare_streams() -> None:
    """Let the three streams take what comes. Where the caller closed one (`2>&-`, some services), nothing is read or written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        # The web has characters that a terminal may not have, and invalid characters (lone surrogates).
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # typed for any stream; these are files


def _one_sentence(error: click.ClickException) -> str:
    """What is wrong with a command line, and where help is; click would take four lines for it."""
    said = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{said}; {context.command_path} --help says more" if context else said


def _check_letters(arguments: list[str]) -> None:
    """Reject arguments that are not UTF-8 now, not when writing."""
    for argument in arguments:
        if not argument.isascii() and any("\ud800" <= letter <= "\udfff" for letter in argument):
            raise BadInput(f"{argument!r} is not text: its bytes are not UTF-8")


def _end(sentence: str, code: int) -> NoReturn:
    say(sentence)
    sys.exit(code)


def write_no_more(stream: TextIO) -> None:
    """Write nothing more to it: the reader may be gone, or the disk full, and Python would complain again when it ends."""
    with contextlib.suppress(OSError, ValueError):
        stream.flush()
    with contextlib.suppress(OSError, ValueError):  # if it is a file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
