# Every task of the project; `make` alone lists them.
# Needs git, make, python3 and python3-venv. No environment variable, no service.

PYTHON ?= python3
PORT ?= 8000
ARGS ?=
INPUTS ?= 50000
SEED ?= 1
VENV := .venv
PY := $(VENV)/bin/python
UV := uv==0.13.9

# Compiled once, not by each of the many processes of the tests anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup runtime run serve test test-postgres test-313 check audit fuzz faults growth bench distance looks puzzles tables lock messages format clean need-runtime need-dev need-bench need-fuzz

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

setup: need-dev ## Prepare .venv with everything to run, test and check
	@echo "$(VENV) is ready."

runtime: need-runtime ## Prepare .venv with what a server needs, no more
	@echo "$(VENV) is ready to serve."

run: need-runtime ## Serve Paili on 127.0.0.1:8000 (PORT=8001 for another port)
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py load_content
	@echo "Paili: http://127.0.0.1:$(PORT)/ (Ctrl-C stops it; another port: make run PORT=8001)"
	@PYTHONUNBUFFERED=1 $(PY) manage.py runserver 127.0.0.1:$(PORT)

# Another key each time: whoever was signed in is signed out. deploy/README.md says how to run it for others.
serve: need-runtime ## Serve as a public site does, with gunicorn and production settings, on 127.0.0.1:8000
	@set -e; export DEBUG=0 HTTPS=0 ALLOWED_HOSTS=$${ALLOWED_HOSTS:-localhost,127.0.0.1} BIND=127.0.0.1:$(PORT); \
	export SECRET_KEY=$${SECRET_KEY:-$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))')}; \
	$(PY) manage.py migrate --verbosity 0; \
	$(PY) manage.py load_content; \
	$(PY) manage.py collectstatic --no-input --verbosity 0; \
	echo "Paili: http://127.0.0.1:$(PORT)/ (Ctrl-C stops it)"; \
	exec $(VENV)/bin/gunicorn --config deploy/gunicorn.conf.py

# What is asked in both languages is asked in one of them, in turn, and of many cases some: `make check` asks all.
test: need-dev ## Run the tests (ARGS="-k word" for some of them)
	@$(PY) -m pytest -n auto --dist worksteal $(ARGS)

# In what the tests say of rules, pictures and words no database has a part: those run once, in `make test`.
test-postgres: need-dev ## Run the tests that have to do with the database on a PostgreSQL of their own
	@$(PY) -m bench.postgres $(PY) -m pytest -n auto --dist worksteal --with-database $(ARGS)

test-313: ## Run the tests on Python 3.13, in a venv of its own
	@$(MAKE) --no-print-directory test PYTHON=python3.13 VENV=.venv-3.13

check: need-dev ## Run every check: format, lint, types, templates, settings, migrations, translations, tests
	@echo "== Format"
	@$(PY) -m ruff format --check .
	@echo "== Lint"
	@$(PY) -m ruff check .
	@echo "== Types"
	@$(PY) -m mypy
	@echo "== Templates"
	@$(PY) -m djlint --quiet --lint templates
	@echo "== Settings"
	@$(PY) manage.py check
	@echo "== Missing migrations"
	@$(PY) manage.py makemigrations --check --dry-run
	@echo "== Translations"
	@$(PY) manage.py update_messages --check
	@echo "== Tests"
	@PAILI_THOROUGH=1 $(PY) -m pytest -n auto --dist worksteal $(ARGS)

bench: need-bench ## Measure speed against other mahjong libraries
	@$(PY) -m bench $(ARGS)

growth: need-dev ## Measure every page at 10,000 to 5 million answers on PostgreSQL (ARGS="--database sqlite")
	@$(PY) -m bench.growth $(ARGS)

faults: need-dev ## Break what the site runs on: kill it, fill its disk, stop its database (SOAK=seconds)
	@PAILI_FAULTS=1 SOAK=$(SOAK) $(PY) -m pytest -s tests/faults $(ARGS)

fuzz: need-fuzz ## Send API, pages and parser over 100,000 inputs made by chance (INPUTS=1000 SEED=2)
	@$(PY) -m tests.fuzz --seed $(SEED) $(ARGS)
	@PAILI_THOROUGH=1 PAILI_FUZZ=$(INPUTS) PAILI_FUZZ_SEED=$(SEED) $(PY) -m pytest -n auto --dist worksteal tests/test_everywhere.py

distance: need-dev ## Compare distances and fixes with brute force on all hands, not only a sample (an hour)
	@PAILI_ALL=1 $(PY) -m pytest -n auto --dist worksteal tests/test_distance.py $(ARGS)

looks: need-dev ## Drive the browser through every page in both languages, not in one in turn
	@PAILI_THOROUGH=1 $(PY) -m pytest -n auto --dist worksteal tests/browser $(ARGS)

puzzles: need-dev ## Compare thousands of puzzles of each kind with the plain reference, not only a sample
	@PAILI_ALL=1 $(PY) -m pytest -n auto --dist worksteal tests/test_puzzles.py $(ARGS)

tables: need-dev ## Make the tables in rules/data anew, after a change of what they hold (a minute)
	@$(PY) rules/columns.py
	@$(PY) -c "from rules import nearness; nearness.write()"

messages: need-dev ## Collect the texts to translate, compile the translations
	@$(PY) manage.py update_messages

format: need-dev ## Format the Python code
	@$(PY) -m ruff check --select I --fix .
	@$(PY) -m ruff format .

# Without --upgrade, versions stay as they are where the lists in pyproject.toml allow it.
lock: ## Make the requirements files anew (ARGS=--upgrade for newer versions)
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -m venv "$$tmp"; \
	"$$tmp/bin/python" -m pip install --quiet --disable-pip-version-check $(UV); \
	compile() { \
		out=$$1; shift; echo "Making $$out"; \
		"$$tmp/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
			--custom-compile-command "make lock" --output-file $$out $(ARGS) "$$@"; \
	}; \
	compile requirements.txt pyproject.toml; \
	compile requirements-dev.txt pyproject.toml --group dev --constraint requirements.txt; \
	compile requirements-bench.txt --group bench --constraint requirements-dev.txt; \
	compile requirements-fuzz.txt --group fuzz --constraint requirements-dev.txt; \
	printf 'pip-audit\n' | compile requirements-audit.txt -

# In a venv of its own, from its lock. Each package counts, also those of other systems; one that the list of known
# faults does not know, or no answer, is a failure.
audit: ## Look the pinned packages up among known vulnerabilities (needs the network)
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -m venv "$$tmp/venv"; \
	"$$tmp/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes \
		-r requirements-audit.txt \
		|| { printf '\npip-audit could not be installed, so nothing was looked up; pip says why above.\n' >&2; exit 1; }; \
	for lock in requirements*.txt; do \
		sed -E 's/^([^ ]+==[^ ]+) ; .* \\$$/\1 \\/' $$lock > "$$tmp/lock.txt"; \
		echo "== $$lock: $$(grep -c '^[^ #]*==' "$$tmp/lock.txt") packages"; \
		"$$tmp/venv/bin/pip-audit" --strict --disable-pip --require-hashes --progress-spinner off \
			--requirement "$$tmp/lock.txt" 2> "$$tmp/said" && { cat "$$tmp/said"; continue; }; \
		grep '^ERROR' "$$tmp/said" || tail -n 1 "$$tmp/said"; \
		printf '\n%s was not found to be free of known vulnerabilities: see above.\n' $$lock >&2; exit 1; \
	done

clean: ## Remove what the other targets made, but not the database
	rm -rf $(VENV) .venv-3.13 staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The dev lock holds the runtime lock's packages in the same versions; the bench lock goes on top of dev.
need-runtime:
	$(call install,runtime,requirements.txt)

need-dev:
	$(call install,runtime dev,requirements-dev.txt)

# PyMahjongGB comes as source alone.
need-bench:
	@command -v g++ >/dev/null || { \
		printf '\nThe benchmark compiles PyMahjongGB, and there is no g++.\nInstall it as root:\n\n' >&2; \
		printf '    apt-get update && apt-get install -y g++ python3-dev\n\n' >&2; exit 1; }
	$(call install,runtime dev bench,requirements-dev.txt requirements-bench.txt)

need-fuzz:
	$(call install,runtime dev fuzz,requirements-dev.txt requirements-fuzz.txt)

# $(call install,NAMES,LOCKS) installs LOCKS, unless the stamp of each of NAMES says that its lock is in.
# The stamps go before pip starts and come back when it is done: an install that was
# interrupted leaves none, and the next call starts over with an empty .venv.
define install
	@set -e; \
	lock_sum() { case $$1 in runtime) cksum < requirements.txt;; *) cksum < requirements-$$1.txt;; esac; }; \
	works() { $(PY) -c 'import pip, django' 2>/dev/null; }; \
	missing() { \
		printf '\n%s\nInstall it as root:\n\n    apt-get update && apt-get install -y %s\n\n' "$$1" "$$2" >&2; \
		exit 1; \
	}; \
	fresh=yes; \
	for name in $(1); do \
		[ "$$(cat $(VENV)/.done-$$name 2>/dev/null)" = "$$(lock_sum $$name)" ] || fresh=no; \
	done; \
	if [ $$fresh = yes ] && works; then exit 0; fi; \
	command -v $(PYTHON) >/dev/null \
		|| missing "Paili needs Python 3.11 or newer, and there is no $(PYTHON)." "python3 python3-venv"; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| missing "Paili needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1). Debian 12 and later have it." \
			"python3 python3-venv"; \
	$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| missing "Paili needs Python's venv module, and $(PYTHON) has none that works." "python3-venv"; \
	if [ -f $(VENV)/.done-runtime ] && works; then \
		echo "Bringing $(VENV) up to date ($(lastword $(1)))."; \
	else \
		echo "Making $(VENV) ($(lastword $(1))). The first time takes a minute or two."; \
		$(PYTHON) -m venv --clear $(VENV); \
	fi; \
	rm -f $(VENV)/.done-*; \
	$(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes $(2:%=-r %) \
		|| { printf '\nThe packages could not be installed; pip says why above. Run the same command to try again.\n' >&2; exit 1; }; \
	for name in $(1); do lock_sum $$name > $(VENV)/.done-$$name; done
endef
