from django.conf.urls.i18n import i18n_patterns
from django.urls import path
from django.views.generic import RedirectView

from tutor.api import pages as api_pages
from tutor.api import views as api
from tutor.checker import views as checker
from tutor.deal import views as deal
from tutor.settle import pages as sheet
from tutor.settle import views as settle

urlpatterns = [
    # LocaleMiddleware has chosen the language by now, and adds `Vary: Accept-Language` to the answer.
    path("", RedirectView.as_view(pattern_name="check"), name="root"),
    path("api/", RedirectView.as_view(pattern_name="api"), name="api-root"),
    path("api/v1/check", api.check, name="api-check"),
    path("api/v1/deal", api.deal, name="api-deal"),
    path("api/v1/settle", api.settle, name="api-settle"),
    *i18n_patterns(
        path("", RedirectView.as_view(pattern_name="check"), name="home"),
        path("check/", checker.check, name="check"),
        path("deal/", deal.deal, name="deal"),
        path("settle/", settle.settle, name="settle"),
        path("settle/sheet/", sheet.sheet, name="sheet"),
        path("settle/sheet/csv/", sheet.download, name="sheet-csv"),
        path("api/", api_pages.api, name="api"),
        prefix_default_language=True,
    ),
]
