import os

from django.core.wsgi import get_wsgi_application

from tutor.requests import in_utf8

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tutor.settings")

application = in_utf8(get_wsgi_application())
