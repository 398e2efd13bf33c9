"""Draws docs/pictures/discord-*.svg: a real conversation of the real bot on the fake Discord, and a real /why.

``python -m tests.platforms.discord_pictures``. Only the drawing imitates a client; every word was posted by the bot.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path
from xml.sax.saxutils import escape

from tests.fake_discord.world import BOT_ID, Json
from tests.model_server import Pace, Reply, Request
from tests.platforms.discord_stage import DiscordStage, discord_stage

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
WIDTH, LEFT, LINE = 760, 76, 20
COLOURS = ("#5865f2", "#3ba55d", "#faa61a", "#ed4245", "#eb459e", "#00a8fc")
WORDS = {
    "Ada": "Basil wants light and hates wet feet. Put it on the south sill, and water it only when the soil is dry.",
    "Ben": "And pick the tops often. A basil that is eaten grows bushier than one that is admired.",
}


def wrapped(text: str, columns: int = 84) -> list[str]:
    """Lines of at most so many columns; wide letters count two."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if len(paragraph) <= columns // 2:
            lines.append(paragraph)
            continue
        line, used = "", 0
        for word in paragraph.split(" "):
            width = sum(2 if ord(ch) > 0x2E80 else 1 for ch in word) + 1
            if line and used + width > columns:
                lines.append(line)
                line, used = "", 0
            line += ("" if not line else " ") + word
            used += width
        lines.append(line)
    return lines


def face(name: str, y: int) -> str:
    colour = COLOURS[int(sha256(name.encode()).hexdigest(), 16) % len(COLOURS)]
    return (
        f'<circle cx="40" cy="{y + 6}" r="20" fill="{colour}"/>'
        f'<text x="40" y="{y + 13}" text-anchor="middle" fill="#fff" font-size="18">{escape(name[:1])}</text>'
    )


def message(name: str, text: str, y: int, *, app: bool, mono: bool = False) -> tuple[str, int]:
    """One message at height ``y``; its drawing and the height of the next."""
    badge = ""
    if app:
        at = LEFT + 9 * len(name) + 10
        badge = f'<rect x="{at}" y="{y - 11}" width="34" height="15" rx="3" fill="#5865f2"/>'
        badge += f'<text x="{at + 17}" y="{y}" text-anchor="middle" fill="#fff" font-size="10">APP</text>'
    parts = [face(name, y), f'<text x="{LEFT}" y="{y}" fill="#fff" font-weight="600">{escape(name)}</text>', badge]
    text = text.strip("`").strip("\n")
    family = ' font-family="ui-monospace, Menlo, monospace" font-size="13" xml:space="preserve"' if mono else ""
    for line in text.split("\n") if mono else wrapped(text):
        y += LINE
        small = line.startswith("-# ")
        shown = line.removeprefix("-# ").split("](")[0].replace("[", "") if small else line
        style = ' fill="#949ba4" font-size="12"' if small else ' fill="#dbdee1"'
        parts.append(f'<text x="{LEFT}" y="{y}"{style}{family}>{escape(shown)}</text>')
    return "".join(parts), y + 34


def drawing(messages: list[tuple[str, str, bool]], *, mono: bool = False) -> str:
    y, drawn = 36, []
    for name, text, app in messages:
        part, y = message(name, text, y, app=app, mono=mono and app)
        drawn.append(part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" '
        'font-family="system-ui, sans-serif" font-size="15">'
        f'<rect width="{WIDTH}" height="{y}" rx="8" fill="#313338"/>{"".join(drawn)}</svg>\n'
    )


def shown(stage: DiscordStage, post: Json) -> tuple[str, str, bool]:
    author = post["author"]
    name = author["username"] if post.get("webhook_id") else author.get("global_name") or author["username"]
    return name, post["content"], bool(post.get("webhook_id")) or author["id"] == str(BOT_ID)


def script(request: Request) -> Reply:
    words = next((words for name, words in WORDS.items() if f"You are {name}" in request.text), "…")
    return Reply(text=words, pace=Pace(first_s=0.6))


async def main() -> None:
    async with discord_stage(script) as stage:
        await stage.say("Ada, good morning!")  # what warms up at the first turn is no part of the picture
        await stage.say("Ada, Ben: my basil is wilting on the kitchen table. What can I do?")
        why = await stage.discord.slash(stage.town.bob, stage.channel, "why")
        history = [message for _, message in sorted(stage.discord.world.messages[stage.channel].items())][2:]
        FOLDER.mkdir(parents=True, exist_ok=True)
        talk = drawing([shown(stage, post) for post in history])
        (FOLDER / "discord-conversation.svg").write_text(talk, encoding="utf-8")
        reason = drawing([("Bob", "/why", False), ("Troupe", why.text, True)], mono=True)
        (FOLDER / "discord-why.svg").write_text(reason, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
