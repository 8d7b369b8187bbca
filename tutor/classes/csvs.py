"""Tables as CSV files that spreadsheets open as they are: UTF-8 with a mark, no cell taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.http import HttpResponse

Cell = str | int | float | datetime | None

# What spreadsheets read as the beginning of a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_MARK = "\ufeff"  # without it Excel takes Chinese for something else


def response(
    title: str, plain: str, header: Sequence[str], rows: Iterable[Sequence[Cell]], zone: ZoneInfo
) -> HttpResponse:
    """A table as a file to save. title: its name; plain: the same in ASCII, for old programs. zone: in whose
    time its dates are told."""
    told = HttpResponse(written(header, rows, zone), content_type="text/csv; charset=utf-8")
    told["Content-Disposition"] = (
        f"attachment; filename=\"{plain}.csv\"; filename*=UTF-8''{quote(f'{title}.csv', safe='')}"
    )
    return told


def written(header: Sequence[str], rows: Iterable[Sequence[Cell]], zone: ZoneInfo) -> str:
    """A table as text, its lines ended as RFC 4180 has it."""
    text = io.StringIO()
    text.write(_MARK)
    # Texts in quotation marks, or a semicolon in one would end a cell where lists are separated by them.
    table = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    table.writerow([_safe(cell, zone) for cell in header])
    table.writerows([_safe(cell, zone) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: Cell, zone: ZoneInfo) -> str | int | float:
    """A cell as it is written: numbers as they are, text that would be a formula behind an apostrophe."""
    if isinstance(cell, datetime):
        return cell.astimezone(zone).isoformat(timespec="seconds")
    if isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(_FORMULA) else cell
    return "" if cell is None else cell
