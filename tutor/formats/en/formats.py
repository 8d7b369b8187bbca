"""English days as classes write them too: 1 Dec 2026."""

DATE_FORMAT = "j M Y"
