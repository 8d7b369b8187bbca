"""How fast the engine is, measured in one run beside other mahjong libraries: `make bench`."""

from __future__ import annotations

import os


def environment(folder: str, url: str = "", **more: str) -> dict[str, str]:
    """The environment of a process that has `bench.site` for its settings.

    folder: a temporary one, for its files. url: of its database, in that folder unless given. more: variables
    that are to be otherwise.
    """
    return {
        **os.environ,
        "DEBUG": "0",
        "SECRET_KEY": "only for a measurement, of a length that the settings accept",
        "ALLOWED_HOSTS": "testserver",
        "DATABASE_URL": url or f"sqlite:///{folder}/bench.sqlite3",
        "DJANGO_SETTINGS_MODULE": "bench.site",
        "BENCH_STATIC": f"{folder}/static",
        **more,
    }
