#!/usr/bin/env python3
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tutor.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            f"Django is not here ({error}). Run `make runtime` (a server) or `make setup` (to develop), "
            "then .venv/bin/python manage.py …"
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
