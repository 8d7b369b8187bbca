from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path
from django.views.generic import RedirectView

from tutor.api import pages as api_pages
from tutor.api import views as api
from tutor.checker import views as checker
from tutor.deal import views as deal
from tutor.embed import views as embed
from tutor.front import home, offline, privacy, search, style, tiles
from tutor.lessons import views as lessons
from tutor.people import views as people
from tutor.practice import building, progress
from tutor.practice import views as practice
from tutor.rulebook import views as rulebook
from tutor.service import health, metrics
from tutor.settle import pages as sheet
from tutor.settle import views as settle

handler403 = "tutor.requests.not_allowed"
handler404 = "tutor.requests.not_found"
handler500 = "tutor.requests.failed"

# What is asked for most stands first: an address is compared with one pattern after the other.
urlpatterns = [
    *i18n_patterns(
        path("check/", checker.check, name="check"),
        path("", home.home, name="home"),
        path("search/", search.search, name="search"),
        path("tiles/", tiles.tiles, name="tiles"),
        path("style/", style.style, name="style"),
        path("offline/", offline.offline, name="offline"),
        path("privacy/", privacy.privacy, name="privacy"),
        path("learn/", lessons.learn, name="learn"),
        path("learn/forget/", people.forget, name="forget"),
        path("learn/<slug:game>/", lessons.course, name="course"),
        path("learn/<slug:game>/<slug:slug>/", lessons.chapter, name="chapter"),
        path("rules/", rulebook.rulebooks, name="rulebooks"),
        path("rules/<slug:game>/", rulebook.rulebook, name="rulebook"),
        path("rules/<slug:game>/<slug:kind>/<slug:key>/", rulebook.rule, name="rule"),
        path("glossary/", rulebook.glossary, name="glossary"),
        path("compare/", rulebook.compare, name="compare"),
        path("practice/", practice.practice, name="practice"),
        path("practice/build/", building.build, name="build"),
        path("practice/start/", practice.start, name="run-start"),
        path("practice/daily/", practice.daily, name="daily"),
        path("practice/picked/<slug:game>/", practice.picked, name="picked"),
        path("practice/runs/<int:run>/", practice.run, name="run"),
        path("practice/runs/<int:run>/end/", practice.end, name="run-end"),
        path("practice/runs/<int:run>/<int:number>/", practice.question, name="run-question"),
        path("progress/", progress.progress, name="progress"),
        path("progress/rating/", progress.rating, name="rating"),
        path("progress/reviews/", progress.switch_reviews, name="reviews"),
        path("puzzles/<path:id>/", practice.puzzle, name="puzzle"),
        path("deal/", deal.deal, name="deal"),
        path("settle/", settle.settle, name="settle"),
        path("settle/sheet/", sheet.sheet, name="sheet"),
        path("settle/sheet/csv/", sheet.download, name="sheet-csv"),
        path("account/", people.account, name="account"),
        path("account/sign-up/", people.sign_up, name="sign-up"),
        path("account/sign-in/", people.sign_in, name="sign-in"),
        path("account/sign-out/", people.sign_out, name="sign-out"),
        path("account/password/", people.change_password, name="account-password"),
        path("account/data/", people.data, name="account-data"),
        path("account/delete/", people.delete, name="account-delete"),
        path("classes/", include("tutor.classes.urls")),
        path("api/", api_pages.api, name="api"),
        prefix_default_language=True,
    ),
    # LocaleMiddleware has chosen the language by now, and adds `Vary: Accept-Language` to the answer.
    path("", RedirectView.as_view(pattern_name="home"), name="root"),
    path("healthz", health.live, name="live"),
    path("readyz", health.ready, name="ready"),
    path("metrics", metrics.metrics, name="metrics"),
    path("sw.js", offline.worker, name="worker"),
    path("manifest/<slug:language>.webmanifest", offline.manifest, name="manifest"),
    path("api/", RedirectView.as_view(pattern_name="api"), name="api-root"),
    path("api/v1/check", api.check, name="api-check"),
    path("api/v1/deal", api.deal, name="api-deal"),
    path("api/v1/settle", api.settle, name="api-settle"),
    path("api/v1/openapi.json", api.description, name="api-description"),
    path("embed/<slug:language>/check/", embed.check, name="embed-check"),
    path("embed/<slug:language>/puzzles/<path:id>/", embed.puzzle, name="embed-puzzle"),
]

if settings.ADMIN:
    from django.contrib import admin

    urlpatterns.append(path("admin/", admin.site.urls))
