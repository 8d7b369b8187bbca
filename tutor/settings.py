"""
The one settings file. Without any environment variable it serves a developer on their own machine;
DEBUG=0 makes it a public site, and then SECRET_KEY and ALLOWED_HOSTS must be given.

    DATABASE_URL   where the data is; the file db.sqlite3 beside manage.py unless set
    DEBUG          on unless 0
    SECRET_KEY     a long random text
    ALLOWED_HOSTS  the site's host names, with commas between them
    HTTPS          on with DEBUG=0 unless 0: cookies go over HTTPS alone
    LOG_REQUESTS   1 logs each answer too
    METRICS        1 serves /metrics for Prometheus
    ADMIN          1 serves /admin/ for operators
    JOBS           database leaves what takes long to workers; unless set, pages do it in small pieces

deploy/README.md says more of each.
"""

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = os.environ.get("DEBUG", "").strip() != "0"

SECRET_KEY = os.environ.get("SECRET_KEY", "")
ALLOWED_HOSTS = [host.strip() for host in os.environ.get("ALLOWED_HOSTS", "").split(",") if host.strip()]

if DEBUG:
    SECRET_KEY = SECRET_KEY or "insecure: for development only"
else:
    if not SECRET_KEY:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. With DEBUG=0 Paili needs one: a long random text that stays the same "
            "from start to start and that nobody else knows."
        )
    if len(SECRET_KEY) < 32 or len(set(SECRET_KEY)) < 5:
        raise ImproperlyConfigured(
            "SECRET_KEY can be guessed: it is to be random, 32 characters or more. This makes one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(60))'"
        )
    if not ALLOWED_HOSTS:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is not set. With DEBUG=0 Paili needs the host names it is reached under, "
            "with commas between them, as in ALLOWED_HOSTS=paili.example,www.paili.example"
        )

# A school's own network may have no HTTPS; cookies that go over HTTPS alone would be lost there.
HTTPS = not DEBUG and os.environ.get("HTTPS", "").strip() != "0"
METRICS = os.environ.get("METRICS", "").strip() == "1"
ADMIN = os.environ.get("ADMIN", "").strip() == "1"

JOBS = os.environ.get("JOBS", "").strip()
if JOBS not in ("", "database"):
    raise ImproperlyConfigured(f"JOBS is {JOBS!r}. It is database, or not set.")

INSTALLED_APPS = [
    # Before staticfiles: runserver then leaves static files to WhiteNoise, as a public site does.
    "whitenoise.runserver_nostatic",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "tutor",
    "tutor.api",
    "tutor.checker",
    "tutor.classes",
    "tutor.content",
    "tutor.deal",
    "tutor.embed",
    "tutor.exports",
    "tutor.front",
    "tutor.lessons",
    "tutor.people",
    "tutor.practice",
    "tutor.puzzles",
    "tutor.rulebook",
    "tutor.settle",
]

MIDDLEWARE = [
    "tutor.service.logs.Requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages alone: WhiteNoise has answered by now with files that were compressed beforehand.
    "django.middleware.gzip.GZipMiddleware",
    # A browser that has a page asks whether it is still the same, and gets no more than that it is.
    "tutor.service.again.AskedAgain",
    "tutor.service.policy.Policy",
    "tutor.service.trouble.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "tutor.requests.ReadableForms",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "tutor.embed.frames.Frames",
]

ROOT_URLCONF = "tutor.urls"
WSGI_APPLICATION = "tutor.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "tutor.context.rules_version",
                "tutor.context.chosen_game",
                "tutor.front.tiles.style",
            ],
        },
    },
]

if ADMIN:
    INSTALLED_APPS += ["django.contrib.messages", "tutor.service.operators.Operators"]
    MIDDLEWARE += ["django.contrib.messages.middleware.MessageMiddleware"]
    TEMPLATES[0]["OPTIONS"]["context_processors"] += [  # type: ignore[index]
        "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
    ]

# Data

if os.environ.get("DATABASE_URL"):
    # A connection is tried before it is used again: the database may have been started anew since.
    DATABASES = {
        "default": dict(
            dj_database_url.parse(os.environ["DATABASE_URL"], conn_max_age=60, conn_health_checks=True)
        )
    }
else:
    # Not written as a URL: the path to this folder may hold characters that a URL can't.
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "db.sqlite3"}}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Readers and the one writer don't wait for each other.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        # A transaction asks for the write lock when it starts, where it can wait for its turn;
        # asked for halfway, SQLite refuses it at once.
        "transaction_mode": "IMMEDIATE",
        "timeout": 10,
    }
else:
    # Seconds until PostgreSQL is taken to be away, where DATABASE_URL says no other connect_timeout.
    os.environ.setdefault("PGCONNECT_TIMEOUT", "5")

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What takes long is done by `manage.py db_worker`, whose queue is the database, or piece by piece by the
# requests of the page that shows how far it is.

TASKS = {
    "default": {
        "BACKEND": (
            "django_tasks_db.DatabaseBackend"
            if JOBS == "database"
            else "django_tasks.backends.immediate.ImmediateBackend"
        )
    },
    "page": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"},
}

# Accounts: a name and a password, which children choose too.

AUTH_USER_MODEL = "people.Account"
LOGIN_URL = "sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# How long a process may show lessons and rule pages as it last read them, in seconds; an author wants to see
# what was just loaded.
CONTENT_SECONDS = 0 if DEBUG else 30

# A browser is known by its session alone, which lasts for a year after the last thing done.
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS

# Languages: each page has its own address in each, and the root address picks by Accept-Language.

LANGUAGE_CODE = "en"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = ["tutor.formats"]

TIME_ZONE = "UTC"
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
# Said here because tests turn settings.DEBUG off, and must not need collected files for that.
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_USE_FINDERS = DEBUG

# Security

# Everything comes from this site, in files of its own: no inline script or style, no frame, no plug-in.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# The score sheet is kept in a cookie, and what changes it must come from Paili's own forms. The server in
# front may speak HTTPS where Paili sees plain HTTP: a form then names the same host with https.
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "tutor.requests.no_token"
CSRF_TRUSTED_ORIGINS = [
    f"https://{'*' if host.startswith('.') else ''}{host}" for host in ALLOWED_HOSTS if host != "*"
]

SILENCED_SYSTEM_CHECKS = [
    # HSTS and the redirect to HTTPS belong to the server in front, which holds the certificate. Paili
    # sees plain HTTP from it and would redirect for ever; in a school's own network there may be no HTTPS.
    "security.W004",
    "security.W008",
]
if not HTTPS:
    # Cookies that go over plain HTTP too: it was asked for.
    SILENCED_SYSTEM_CHECKS += ["security.W012", "security.W016"]

# Logging: to standard error, whether DEBUG is on or not; to a developer in words, of a site in lines of JSON.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"numbered": {"()": "tutor.service.logs.Numbered"}},
    "formatters": {
        "words": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "tutor.service.logs.Line"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "words" if DEBUG else "json",
            "filters": ["numbered"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Django's own handlers print only in DEBUG and send mail otherwise.
        "django": {"handlers": [], "level": "INFO"},
        # Whoever comes by a name that is none of the site's: strangers who try every address there is.
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
        "paili.access": {"level": "INFO" if os.environ.get("LOG_REQUESTS", "").strip() == "1" else "WARNING"},
    },
}
