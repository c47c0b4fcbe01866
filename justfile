# The verbs of this house; `just` alone lists them. Each is a command or two that you can also type yourself.
# just itself: pip install rust-just (it is in the extra `lint`), or your system's package.

set positional-arguments # so that "$@" keeps arguments whole that have spaces in them

bin := ".venv/bin"
web := "http://127.0.0.1:8888"

# list the verbs
[private]
default:
    @{{ just_executable() }} --list --unsorted --justfile {{ quote(justfile()) }}

# an environment in .venv for all that follows
setup:
    python3 -m venv .venv
    {{ bin }}/pip install -q -e '.[test,lint,bench,wordnet,search,export,png,interop]'

# the ordinary tests, or some: just test tests/unit/parse -x
test *ARGS:
    {{ bin }}/pytest "$@"

# the slow tests, on two cores: kills, sieges, whole crawls
slow *ARGS:
    {{ bin }}/pytest -m slow -n 2 --dist worksteal "$@"

# what a machine can say of the code: ruff, mypy, the layers
lint:
    {{ bin }}/ruff check .
    {{ bin }}/ruff format --check .
    {{ bin }}/mypy
    {{ bin }}/lint-imports

# mend what ruff can mend
format:
    {{ bin }}/ruff check --fix .
    {{ bin }}/ruff format .

# everything that must hold before a change lands; takes some forty minutes
ci:
    bash .ci/run

# measure the floors of the harvest again: just floors --lower "WHY"
floors *ARGS:
    {{ bin }}/python -m tests.gate.floors "$@"

# a benchmark: just bench crawl_speed --pages 2000
bench NAME="crawl_speed" *ARGS="--smoke":
    {{ bin }}/python benchmarks/{{ NAME }}.py {{ ARGS }}

# two crawls of a small web on this machine, side by side
demo *ARGS:
    {{ bin }}/thresher demo "$@"

# serve that web, with a search engine for it, until Ctrl-C
web PORT="8888":
    {{ bin }}/python examples/local_search.py {{ PORT }}

# crawl it from one word, while `just web` runs in another terminal
crawl-local *ARGS="--pages=150":
    {{ bin }}/thresher crawl iris --sense iris.n.02 --delay 0.1 --contact you@example.org --proxy {{ web }} --set search.engines='["searxng"]' --set search.searxng={{ web }} "$@"

# an example of the gallery: just example ten_lines
example NAME *ARGS:
    {{ bin }}/python examples/{{ NAME }}.py {{ ARGS }}

# the site of these docs, on http://127.0.0.1:8000, drawn anew when a page changes
docs:
    {{ bin }}/pip install -q -e '.[docs]'
    {{ bin }}/mkdocs serve

# the compiled wheel and the source distribution, into dist/
wheel:
    {{ bin }}/pip install -q build
    {{ bin }}/python -m build

# the Docker image
image:
    docker build -t thresher .
