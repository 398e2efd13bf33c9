"""Everything that sends, put together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import discord

from adapters.discord.delivery import Delivery
from adapters.discord.journal import Echoes
from adapters.discord.notices import Notices
from adapters.discord.plan import Planner
from adapters.discord.posting import Poster
from adapters.discord.speakers import Speakers
from adapters.discord.transport import PatientTransport
from adapters.discord.typing import Typing
from adapters.discord.webhooks import Webhooks
from adapters.discord.wire import Wire
from adapters.sealing import SecretBox
from orchestration.model import Locale
from orchestration.ports import Clock, Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Outward:
    wire: Wire
    webhooks: Webhooks
    typing: Typing
    notices: Notices
    echoes: Echoes
    speakers: Speakers
    delivery: Delivery


def outward(
    *,
    client: discord.Client,
    transport: PatientTransport,
    storage: Storage,
    clock: Clock,
    locale: Locale,
    data_dir: Path,
) -> Outward:
    """``data_dir`` is touched only when the first webhook is needed: there lies the key of its token."""
    wire, echoes, speakers = Wire(client, transport), Echoes(), Speakers()
    webhooks = Webhooks(
        wire=wire, client=client, storage=storage, box=lambda: SecretBox.with_key(data_dir / "discord.key"), clock=clock
    )
    typing, planner = Typing(wire), Planner(storage, locale)
    notices = Notices(wire=wire, client=client, storage=storage, clock=clock, default_locale=locale)
    poster = Poster(
        wire=wire,
        webhooks=webhooks,
        storage=storage,
        planner=planner,
        notices=notices,
        echoes=echoes,
        speakers=speakers,
    )
    delivery = Delivery(
        wire=wire,
        webhooks=webhooks,
        storage=storage,
        planner=planner,
        poster=poster,
        typing=typing,
        speakers=speakers,
    )
    return Outward(
        wire=wire,
        webhooks=webhooks,
        typing=typing,
        notices=notices,
        echoes=echoes,
        speakers=speakers,
        delivery=delivery,
    )
