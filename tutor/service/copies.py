"""Copies of the whole database in one file, and back: what SQLite and PostgreSQL themselves offer for it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from django.db import connection


class CopyError(Exception):
    """Why there is no copy, or nothing was restored, in English for whoever runs the site."""


def save(path: Path) -> None:
    """Writes a copy of the database as it is at one moment, while the site goes on. Raises CopyError.

    A file of that name is not overwritten; where writing fails, none is left.
    """
    if path.exists():
        raise CopyError(f"{path} is there already.")
    if not os.access(path.parent, os.W_OK):
        raise CopyError(
            f"Nothing can be written to {path.parent}: it is not there, or belongs to another user."
        )
    part = path.with_name(f"{path.name}.part")
    try:
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(connection.settings_dict["NAME"]), part)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        part.chmod(0o600)  # it holds what learners did, and their password hashes
        part.rename(path)
    except OSError as error:
        raise CopyError(f"{path} can't be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)


def restore(path: Path) -> None:
    """Puts a copy in the place of all that the database holds. Raises CopyError: then nothing has changed."""
    if not path.is_file():
        raise CopyError(f"There is no file {path}.")
    if connection.vendor == "sqlite":
        _check_sqlite(path)
        _copy_sqlite(path, Path(connection.settings_dict["NAME"]))
    else:
        with path.open("rb") as file:
            if file.read(5) != b"PGDMP":
                raise CopyError(f"{path} is no copy of a PostgreSQL database.")
        connection.close()
        name = connection.settings_dict["NAME"]
        _run(
            "pg_restore", "--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction",
            "--exit-on-error", f"--dbname={name}", str(path),
        )  # fmt: skip


def _check_sqlite(path: Path) -> None:
    try:
        with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as copy:
            sound = copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            copy.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except sqlite3.DatabaseError:
        sound = False
    if not sound:
        raise CopyError(f"{path} is no whole copy of Paili's database.")


def _copy_sqlite(source: Path, target: Path) -> None:
    """SQLite's own way to copy a database that others are reading and writing."""
    try:
        with (
            closing(sqlite3.connect(source, timeout=10)) as here,
            closing(sqlite3.connect(target, timeout=10)) as there,
        ):
            here.backup(there)
    except sqlite3.Error as error:
        raise CopyError(f"{source} can't be copied to {target}: {error}.") from None


def _run(program: str, *arguments: str) -> None:
    """Runs one of PostgreSQL's programs for the database that Paili uses."""
    if shutil.which(program) is None:
        raise CopyError(f"There is no {program}: install PostgreSQL's client (Debian: postgresql-client).")
    given = connection.settings_dict
    named = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    place = {name: str(given[key]) for name, key in named.items() if given.get(key)}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, with arguments of ours
        [program, *arguments], env=os.environ | place, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CopyError(f"{program} failed: {done.stderr.strip()}")
