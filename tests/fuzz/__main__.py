"""Asks the API thousands of questions made of its own description, good and bad ones, with schemathesis.

    python -m tests.fuzz [--cases 1000] [--seed 1]

Paili is served by gunicorn on a port of this machine alone, as a public site serves it, without a database.
Ends with the exit status of schemathesis, 0 where every answer was as described.
"""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
    "allow_header_conformance",
)
PATIENCE = 30  # seconds until a server that does not answer is given up


@contextmanager
def served() -> Iterator[str]:
    """The address of Paili, served while this goes on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "DEBUG": "0",
        "HTTPS": "0",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "ALLOWED_HOSTS": "127.0.0.1",
        "DATABASE_URL": "sqlite:///:memory:",
    }
    environment |= {"BIND": f"127.0.0.1:{port}", "WORKERS": "1", "LOG_REQUESTS": "0"}
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "deploy/gunicorn.conf.py",
        "--log-level",
        "warning",
    ]
    site = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(f"{site}/healthz", server)
            yield site
        finally:
            server.terminate()


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Returns when there is an answer."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=5):
                return
        except URLError:
            if server.poll() is not None or time.monotonic() > end:
                raise SystemExit("Paili does not answer.") from None
            time.sleep(0.1)


def main() -> int:
    """Asks, and returns schemathesis' exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--cases", type=int, default=1000, help="how many at most for each endpoint and phase"
    )
    parser.add_argument("--seed", type=int, help="the seed that an earlier run printed")
    args = parser.parse_args()
    with served() as site, TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
            *("run", f"{site}/api/v1/openapi.json"),
            *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing"),
            *("--max-examples", str(args.cases), "--continue-on-failure", "--warnings", "off"),
            *(("--seed", str(args.seed)) if args.seed is not None else ()),
        ]
        # Elsewhere: it leaves files of its own where it is run.
        return subprocess.run(command, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
