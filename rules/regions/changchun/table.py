"""The Changchun table: all that is played and paid around a win."""

from __future__ import annotations

from ...circumstances import Circumstances
from .claims import ClaimRulings
from .payments import PaymentRulings
from .wall import WallRulings


class ChangchunTable(WallRulings, ClaimRulings, PaymentRulings):
    """A Changchun table as one house plays it."""

    dealt = Circumstances(listening=True)
