"""For all tests: laws are not timed, as a busy machine would fail them, and crawls start no hands unless a test is about hands."""

import os

from hypothesis import HealthCheck, settings
from tests.postgres_server import postgres, schema
from tests.s3_server import gate, s3, s3_server

__all__ = ["gate", "postgres", "s3", "s3_server", "schema"]  # fixtures

os.environ.setdefault("THRESHER_HANDS", "0")
# In CI the examples are the same each time, so that a change passes or fails by what it does; elsewhere they are new ones.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("untimed")
