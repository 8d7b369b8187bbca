"""The Changsha table: all that is played and paid around a win."""

from __future__ import annotations

from ...circumstances import Circumstances
from .claims import ClaimRulings
from .payments import PaymentRulings


class ChangshaTable(ClaimRulings, PaymentRulings):
    """A Changsha table as one house plays it."""

    dealt = Circumstances(moments=("dihu",))
