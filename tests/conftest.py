"""For all tests: laws are not timed, as a busy machine would fail them, and crawls start no hands unless a test is about hands."""

import os

from hypothesis import HealthCheck, settings

os.environ["THRESHER_HANDS"] = "0"
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
