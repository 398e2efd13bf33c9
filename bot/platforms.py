"""The platforms over an app, as configured. Their libraries are imported late: a terminal chat waits for none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.chance import new_id, now

if TYPE_CHECKING:
    from adapters.console.adapter import ConsoleAdapter
    from adapters.console.views import View
    from adapters.discord.adapter import DiscordAdapter
    from adapters.telegram.adapter import TelegramAdapter
    from bot.app import App


def console(app: App, view: View, *, name: str) -> ConsoleAdapter:
    from adapters.console.adapter import ConsoleAdapter, Seat
    from adapters.console.command_desk import CommandDesk
    from adapters.console.transcript import Transcript

    settings = app.settings
    return ConsoleAdapter(
        transcript=Transcript(settings.data_dir / "transcript.jsonl"),
        view=view,
        seat=Seat(name=name, locale=settings.locale),
        storage=app.storage,
        casts=app.casts,
        ingress=app.intake,
        desk=CommandDesk(
            admin=app.admin,
            commands=app.commands,
            locale=settings.locale,
            exports=settings.data_dir / "exports",
        ),
        clock=now,
        new_id=new_id,
    )


def discord(app: App) -> DiscordAdapter:
    from adapters.discord.adapter import DiscordAdapter
    from adapters.discord.gate import BotsPolicy

    settings, config = app.settings, app.settings.discord
    return DiscordAdapter(
        token=settings.secret(config.token_env),
        api_base_url=config.api_base_url,
        gateway_url=config.gateway_url,
        policy=BotsPolicy(
            allowed=frozenset(int(one) for one in config.allowed_bots if one.isdecimal()),
            hop_limit=config.hop_limit,
            proxy_guard=config.proxy_guard,
        ),
        data_dir=settings.data_dir,
        storage=app.storage,
        ingress=app.intake,
        admin=app.admin,
        route=app.dry_runs,
        casts=app.casts,
        clock=now,
        locale=settings.locale,
        on_start=app.start,
        on_stop=app.close,
    )


def telegram(app: App) -> TelegramAdapter:
    from adapters.telegram.adapter import TelegramAdapter
    from adapters.telegram.checking import HOST, TokenSource
    from adapters.telegram.webhook import WebhookPlan

    settings, config = app.settings, app.settings.telegram
    hook = config.webhook
    own_bots = [
        (card, agent.telegram.token_env)
        for card, agent in zip(settings.starter_cards(), settings.cast, strict=True)
        if agent.telegram is not None
    ]
    return TelegramAdapter(
        token=settings.secret(config.token_env),
        api_base_url=config.api_base_url,
        webhook=WebhookPlan(public_url=hook.public_url, listen=hook.listen, secret=settings.secret(hook.secret_env))
        if config.mode == "webhook"
        else None,
        starter_tokens={card.id: settings.secret(variable) for card, variable in own_bots},
        token_sources={HOST: TokenSource(variable=config.token_env)}
        | {card.id: TokenSource(name=card.name, variable=variable) for card, variable in own_bots},
        data_dir=settings.data_dir,
        storage=app.storage,
        ingress=app.intake,
        admin=app.admin,
        commands=app.commands,
        casts=app.casts,
        clock=now,
        new_id=new_id,
        locale=settings.locale,
        stand_by_s=0.0 if app.database.is_sqlite else settings.engine.dead_after_s,
    )
