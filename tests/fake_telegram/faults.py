"""What can go wrong between a client and the server, made to order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fault:
    """Strikes the next ``times`` calls that fit.

    ``kind``: ``status`` (``code``/``description``/``parameters`` instead of doing it), ``drop`` (the line is cut
    before anything is done), ``drop_after`` (done, then cut), ``hang_after`` (done, then ``seconds`` of silence),
    ``slow`` (``seconds``, then done), ``page_after`` (done, then a gateway's HTML page with ``code``), ``page`` (only
    the page), ``half_after`` (done, then half of the body), ``json500`` (not done, a 500 in JSON).
    """

    kind: str
    method: str = ""
    bot_id: int = 0
    chat_id: int = 0
    times: int = 1
    skip: int = 0
    code: int = 502
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    seconds: float = 1.0

    def fits(self, bot_id: int, method: str, chat_id: int) -> bool:
        fits = (
            self.times > 0
            and (not self.method or self.method.lower() == method.lower())
            and (not self.bot_id or self.bot_id == bot_id)
            and (not self.chat_id or self.chat_id == chat_id)
        )
        if fits and self.skip > 0:
            self.skip -= 1
            return False
        return fits
