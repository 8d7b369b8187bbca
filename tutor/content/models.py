"""What authors wrote, as it was checked: one row for each piece that has an address of its own."""

from __future__ import annotations

from django.db import models


class Piece(models.Model):
    """A course's head, a chapter, a rule page's text, a term of the glossary or the comparison.

    place: what it is and which, such as "chapter/changsha/openings"; it never changes, and what people did is
    kept by it. position: its place among all. content: the author's tree. changed: when it last was.
    """

    place = models.CharField(max_length=120, unique=True)
    position = models.PositiveIntegerField()
    content = models.JSONField()
    changed = models.DateTimeField()

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.place
