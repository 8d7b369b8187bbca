"""The addresses of classes, all below `classes/`."""

from django.urls import path

from tutor.classes import assigning, boards, judging, managing, papers, views, watching

urlpatterns = [
    path("", views.classes, name="classes"),
    *managing.urls,
    path("<int:classroom>/", views.classroom, name="classroom"),
    path("<int:classroom>/work/<int:assignment>/", views.work, name="class-work"),
    path(
        "<int:classroom>/work/<int:assignment>/<int:number>/<int:question>/",
        views.question,
        name="class-question",
    ),
    *assigning.urls,
    *watching.urls,
    *boards.urls,
    *judging.urls,
    *papers.urls,
]
