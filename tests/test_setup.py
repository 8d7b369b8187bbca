"""What a fresh copy of the project promises before it has any page: settings, addresses, headers, locks."""

import os
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.db.utils import ConnectionHandler
from django.test import Client

ROOT = settings.BASE_DIR
PUBLIC = {
    "DEBUG": "0",
    "SECRET_KEY": "public-test-key" * 4,
    "ALLOWED_HOSTS": "paili.example, www.paili.example",
}


def python(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own, since settings are read once, with only `environment` set."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, *args], cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False
    )


def setting(expression: str, **environment: str) -> str:
    done = python("-c", f"from tutor import settings; print({expression})", **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-hans"),
        ("zh", "zh-hans"),
        ("zh-Hans", "zh-hans"),
        ("zh-TW", "zh-hans"),
        ("zh-Hant-HK,en;q=0.5", "zh-hans"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("fr,zh;q=0.2", "zh-hans"),
        ("de", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_root_leads_home_in_the_readers_language(client: Client, accepted: str, language: str):
    response = client.get("/", headers={"accept-language": accepted} if accepted else {})
    assert response.status_code == 302
    assert response["Location"] == f"/{language}/"
    assert "Accept-Language" in response["Vary"]


def test_pages_may_load_only_this_sites_own_files(client: Client):
    policy = dict(
        part.strip().split(" ", 1) for part in client.get("/")["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ],
)
def test_answers_carry_the_security_headers(client: Client, header: str, value: str):
    assert client.get("/")[header] == value


def test_forms_are_protected_once_there_are_sessions():
    if "django.contrib.sessions" in settings.INSTALLED_APPS:
        assert "django.middleware.csrf.CsrfViewMiddleware" in settings.MIDDLEWARE
        assert "security.W003" not in settings.SILENCED_SYSTEM_CHECKS


@pytest.mark.django_db
@pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="there is no file")
def test_the_database_file_is_written_ahead_and_locked_from_the_start_of_a_transaction(tmp_path):
    database = settings.DATABASES["default"] | {"NAME": tmp_path / "db.sqlite3"}
    connection = ConnectionHandler({"default": database})["default"]
    try:
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.transaction_mode == "IMMEDIATE"
    finally:
        connection.close()


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_a_public_site_does_not_start_without(missing: str):
    done = python("manage.py", "check", **{name: text for name, text in PUBLIC.items() if name != missing})
    assert done.returncode != 0
    assert f"ImproperlyConfigured: {missing} is not set." in done.stderr


@pytest.mark.parametrize("key", ["…", "paili.example", "a" * 60, "short-but-random-8xK2"])
def test_a_public_site_does_not_start_with_a_key_that_can_be_guessed(key: str):
    done = python("manage.py", "check", **PUBLIC | {"SECRET_KEY": key})
    assert done.returncode != 0
    assert "ImproperlyConfigured: SECRET_KEY can be guessed" in done.stderr


@pytest.mark.parametrize(
    ("text", "debug"), [({}, True), ({"DEBUG": "1"}, True), ({"DEBUG": ""}, True), (PUBLIC, False)]
)
def test_debug_is_on_unless_0(text: dict[str, str], debug: bool):
    assert setting("settings.DEBUG", **text) == str(debug)


def test_allowed_hosts_are_read_from_a_list_with_commas():
    assert setting("settings.ALLOWED_HOSTS", **PUBLIC) == "['paili.example', 'www.paili.example']"


def test_the_database_is_the_one_that_database_url_names(tmp_path):
    database = setting(
        "settings.DATABASES['default']['NAME'], settings.DATABASES['default']['OPTIONS']['transaction_mode']",
        DATABASE_URL=f"sqlite:///{tmp_path}/other.sqlite3",
    )
    assert database == f"{tmp_path}/other.sqlite3 IMMEDIATE"


def test_a_public_site_serves_compressed_files_with_hashed_names():
    storage = "settings.STORAGES['staticfiles']['BACKEND'].rsplit('.')[-1]"
    assert setting(storage, **PUBLIC) == "CompressedManifestStaticFilesStorage"
    assert setting(storage) == "StaticFilesStorage"


def test_djangos_own_deployment_check_finds_nothing():
    done = python("manage.py", "check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert done.returncode == 0, done.stderr


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_the_development_lock_holds_the_runtime_lock_in_the_same_versions():
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


@pytest.mark.parametrize("name", sorted(path.name for path in ROOT.glob("requirements*.txt")))
def test_a_lock_names_exact_files_and_no_place_to_get_them_from(name: str):
    text = (ROOT / name).read_text()
    assert "://" not in text
    assert "--find-links" not in text
    blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(pins(name))
    assert all("--hash=sha256:" in block for block in blocks)
