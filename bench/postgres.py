"""A PostgreSQL of one's own for a while, in a temporary folder that nothing but its own socket leads to.

    python -m bench.postgres COMMAND...

runs a command with DATABASE_URL set to it. PostgreSQL refuses to run as root, so root hands it to its own
user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

_USER = "postgres"
# It goes with its folder: nothing has to be on disk in time.
FORGETFUL = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"


@contextmanager
def running(settings: str = "") -> Iterator[tuple[str, str]]:
    """A new PostgreSQL: its name and the address of its database. settings: for its command line.

    Raises RuntimeError where there is none to be run.
    """
    found = programs()
    if found is None:
        raise RuntimeError(
            "There is no PostgreSQL to be run here. Install it as root: apt-get install -y postgresql"
        )
    home = Path(tempfile.mkdtemp(prefix="paili-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(home, _USER, _USER)
    try:
        _run(found / "initdb", "-D", home / "data", "-U", _USER, "-A", "trust", "-E", "UTF8")
        _run(
            *(found / "pg_ctl", "-D", home / "data", "-l", home / "log", "-w"),
            *("-o", f"-k {home} -c listen_addresses='' {settings}", "start"),
        )
        try:
            version = subprocess.run(
                [found / "postgres", "--version"], capture_output=True, text=True, check=True
            ).stdout.split()[2]
            yield f"PostgreSQL {version}", f"postgres://{_USER}@{quote(str(home), safe='')}/{_USER}"
        finally:
            _run(found / "pg_ctl", "-D", home / "data", "-m", "fast", "-w", "stop")
    finally:
        shutil.rmtree(home)


def programs() -> Path | None:
    """Where the newest PostgreSQL that can be run here has its programs, None where there is none."""
    if os.geteuid() == 0 and (not shutil.which("runuser") or not _has_user()):
        return None
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    initdb = found[-1] if found else shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def _has_user() -> bool:
    return any(user.pw_name == _USER for user in pwd.getpwall())


def _run(*command: str | Path) -> None:
    """Runs a program of PostgreSQL, which root does as its user."""
    before = ["runuser", "-u", _USER, "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*before, *map(str, command)],
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def main() -> int:
    """Runs the command; its own exit status, 2 where there is no PostgreSQL."""
    try:
        with running(FORGETFUL) as (name, url):
            print(f"On {name}:", flush=True)
            return subprocess.run(
                sys.argv[1:], env={**os.environ, "DATABASE_URL": url}, check=False
            ).returncode
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
