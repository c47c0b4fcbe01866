# Thresher in a small image. docs/guides/docker.md says how to use it.
#
#   docker build -t thresher .
#   docker run --rm thresher demo
#   docker run --rm -it -v "$PWD/crawls:/crawls" thresher crawl iris --pages 500 --contact you@example.org

# ── build: the compiled wheel, and all that it needs, in an environment of its own ──
FROM python:3.13-slim-trixie AS build

RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*

WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . && ls /wheels/*-linux_*.whl

# More extras: docker build --build-arg EXTRAS=wordnet,search,export -t thresher .
ARG EXTRAS=wordnet,search
RUN python -m venv --without-pip /opt/thresher \
 && pip --python /opt/thresher/bin/python install --no-cache-dir "$(ls /wheels/*.whl)[$EXTRAS]" \
# Symbols for debuggers and other packages' tests are a fifth of it. Libraries in NAME.libs were edited after they were linked: strip can
# break them (numpy's, with binutils 2.40).
 && find /opt/thresher -name '*.so' -not -path '*.libs/*' -exec strip --strip-debug {} + \
 && find /opt/thresher -type d -name tests -prune -exec rm -rf {} +

# ── the image: Python, the environment, and a user who may do nothing but crawl ──
FROM python:3.13-slim-trixie

COPY --from=build /opt/thresher /opt/thresher
RUN useradd --uid 1000 --home-dir /crawls --no-create-home thresher && install -d -o thresher -g thresher /crawls
# The cache lies beside the crawls: what was made of WordNet once need not be made again in the next container.
ENV PATH=/opt/thresher/bin:$PATH HOME=/crawls THRESHER_CACHE=/crawls/.cache PYTHONUNBUFFERED=1

USER thresher
WORKDIR /crawls
VOLUME /crawls
# `docker stop` is as Ctrl-C: the pages under way are kept, and the same command continues. A crawl obeys SIGTERM as well, but the
# first process of a container does not hear that in commands that do not ask for it.
STOPSIGNAL SIGINT
ENTRYPOINT ["thresher"]
CMD ["--help"]
