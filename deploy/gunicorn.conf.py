"""How gunicorn serves Paili. Each value can be said otherwise in the environment."""

import gc
import os
import shutil
import tempfile

wsgi_app = "tutor.wsgi"
bind = os.environ.get("BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WORKERS", "2"))  # about one a core: a request is nearly all computing
threads = int(os.environ.get("THREADS", "4"))  # of which others go on while one waits for the database
preload_app = True  # loaded once: workers share it, and start at once
timeout = 30
graceful_timeout = 20  # what is being answered when a worker is to go may be answered
# What comes while all threads are busy waits where either worker may take it, so that nobody waits for the
# one with the longer queue; for the same reason a connection brings one request. To connect costs little.
worker_connections = threads + 1
keepalive = 0
max_requests = 20_000  # then a worker makes way for a fresh one
max_requests_jitter = 2_000
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108 - a heartbeat on disk may block
# Who may say that a request came by HTTPS: the server in front, on this machine or by a socket.
forwarded_allow_ips = os.environ.get(
    "FORWARDED_ALLOW_IPS", "*" if bind.startswith("unix:") else "127.0.0.1,::1"
)
# What a request line may hold: an address of Paili's is never longer.
limit_request_line = 8190
limit_request_fields = 60
control_socket_disable = True  # nothing asks it
errorlog = "-"
accesslog = None  # the server in front has one; LOG_REQUESTS=1 has Paili write its own


def pre_fork(server, worker):
    """Loads what a worker's first visitors would wait for, and exempts all of it from the search for garbage,
    which takes a tenth of a second when it looks through everything."""
    from django.urls import get_resolver

    import rules

    get_resolver().url_patterns  # noqa: B018 - the code of all pages is loaded when this is asked for
    for game in rules.rulesets().values():
        game.missing(game.parse(game.examples[0].hand))
    gc.collect()
    gc.freeze()


if os.environ.get("METRICS") == "1":
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="paili-metrics-")
    _counts = os.environ["PROMETHEUS_MULTIPROC_DIR"]

    def child_exit(server, worker):
        """Forgets the gauges of a worker that is gone."""
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)

    def on_exit(server):
        """Removes the counts with the server."""
        shutil.rmtree(_counts, ignore_errors=True)
