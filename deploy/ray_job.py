# ruff: noqa: INP001 - a script, not a package
"""Workers of one crawl on a Ray cluster: Ray starts them and starts them again, the crawl itself is in PostgreSQL. See docs/scale.md.

    ray job submit --address http://head:8265 --working-dir deploy \
        --runtime-env-json '{"env_vars": {"THRESHER_LEDGER": "postgresql://me@db.example/crawls?schema=iris"}}' \
        -- python ray_job.py 16

Thresher with the extra `postgres` must be installed on the nodes; the password stands in ~/.pgpass there.
"""

import subprocess
import sys

import ray

COMMAND = ["thresher", "work", "--quiet"]


@ray.remote(num_cpus=1, max_retries=20)
def work() -> int:
    """One worker, until the crawl ends. If its node is lost, Ray starts another, and nothing of the crawl is."""
    return subprocess.run(COMMAND, check=False).returncode  # noqa: S603 - a command of our own


if __name__ == "__main__":
    codes = ray.get([work.remote() for _ in range(int(sys.argv[1]))])
    sys.exit(max(codes))
