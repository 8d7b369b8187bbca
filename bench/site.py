"""The site's settings with one more page: a view that does nothing, to measure the others by."""

import os

from tutor.settings import *  # noqa: F403

ROOT_URLCONF = "bench.bare"
STATIC_ROOT = os.environ["BENCH_STATIC"]
