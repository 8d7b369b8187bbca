"""The admin is off unless ADMIN=1; what it is then, `with_admin` asks in a process of its own."""

from __future__ import annotations

import os
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client

from tests.school import Accounts, Learners, Members, client_of
from tests.test_setup import PUBLIC, python, setting
from tutor.people.models import Account

ON = {"ADMIN": "1"}


def said(*args: str) -> str:
    """What `manage.py operator` says."""
    out = StringIO()
    call_command("operator", *args, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/", "/admin", "/admin/login/", "/en/admin/"])
def test_there_is_no_admin_unless_it_is_asked_for_not_even_for_operators(path: str) -> None:
    operator = Learners(account=Accounts(is_operator=True))
    assert client_of(operator).get(path).status_code == 404
    assert Client().post(path).status_code == 404
    assert not apps.is_installed("django.contrib.admin")
    assert not apps.is_installed("django.contrib.messages")


@pytest.mark.parametrize(("given", "is_on"), [({}, False), ({"ADMIN": "0"}, False), (ON, True)])
def test_it_is_asked_for_by_one_word(given: dict[str, str], is_on: bool) -> None:
    assert setting("settings.ADMIN", **given) == str(is_on)


def test_with_it_djangos_own_deployment_check_finds_nothing_and_no_migration_is_missing() -> None:
    done = python("manage.py", "check", "--deploy", "--fail-level", "WARNING", **PUBLIC, **ON)
    assert done.returncode == 0, done.stderr
    done = python("manage.py", "makemigrations", "--check", "--dry-run", "people", "classes", "admin", **ON)
    assert done.returncode == 0, done.stdout


def test_with_it_operators_do_what_they_need_and_nobody_else_finds_it() -> None:
    asked = {
        name: os.environ[name] for name in ("PAILI_THOROUGH", "PAILI_REQUIRE_BROWSER") if name in os.environ
    }
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/with_admin.py", **ON, **asked)
    assert done.returncode == 0, done.stdout + done.stderr


# Who is one


@pytest.mark.django_db
def test_the_command_makes_operators_and_takes_that_back() -> None:
    anna, ben = Accounts(name="Anna"), Accounts(name="Ben")
    assert "Anna is an operator.\n" in said("ＡＮＮＡ ")
    assert said() == "Anna\n"
    anna.refresh_from_db()
    ben.refresh_from_db()
    assert (anna.is_staff, anna.has_perm("any.thing"), anna.has_module_perms("any")) == (True, True, True)
    assert (ben.is_staff, ben.has_perm("any.thing"), ben.has_module_perms("any")) == (False, False, False)
    anna.is_active = False
    assert not anna.has_perm("any.thing")
    assert said("Anna", "--not") == "Anna is no operator any more.\n"
    assert not Account.objects.get(pk=anna.pk).is_operator
    assert said() == "There is no operator: manage.py operator NAME makes one.\n"


@pytest.mark.django_db
def test_nobody_runs_the_site_from_a_closed_account() -> None:
    anna = Accounts(name="Anna", is_active=False)
    with pytest.raises(CommandError, match="closed"):
        said("Anna")
    anna.refresh_from_db()
    assert not anna.is_operator
    Account.objects.update(is_operator=True)
    assert "no operator any more" in said("Anna", "--not")


@pytest.mark.django_db
def test_whose_password_teachers_may_set_is_no_operator() -> None:
    managed = Members(is_managed=True)
    with pytest.raises(CommandError, match="made for a class"):
        said(managed.learner.account.name)
    with pytest.raises(CommandError, match="no account"):
        said("nobody")
    assert not Account.objects.filter(is_operator=True).exists()
