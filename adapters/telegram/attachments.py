"""Files and other things in a message as words for prompts. Pure."""

from __future__ import annotations

from telegram import Message

from orchestration.model import Attachment


def attachments_of(message: Message) -> tuple[Attachment, ...]:
    """What came with the message, at most one of each kind. No file is fetched; the id stands for the address."""
    found: list[Attachment] = []
    if message.photo:
        found.append(Attachment(kind="photo", url=message.photo[-1].file_id, note="photo"))
    named = (
        ("document", message.document if message.animation is None else None),
        ("animation", message.animation),
        ("video", message.video),
        ("audio", message.audio),
    )
    for kind, file in named:
        if file is not None:
            name = file.file_name or ""
            found.append(Attachment(kind=kind, name=name, url=file.file_id, note=name or kind))
    for kind, short in (("voice", message.voice), ("video_note", message.video_note)):
        if short is not None:
            seconds = int(short.to_dict().get("duration", 0))
            found.append(Attachment(kind=kind, url=short.file_id, note=f"{seconds} s"))
    if message.sticker is not None:
        face = message.sticker.emoji or message.sticker.set_name or "sticker"
        found.append(Attachment(kind="sticker", name=face, url=message.sticker.file_id, note=face))
    if message.contact is not None:
        found.append(Attachment(kind="contact", note=message.contact.first_name))
    if message.venue is not None:
        found.append(Attachment(kind="venue", note=message.venue.title))
    elif message.location is not None:
        place = f"{message.location.latitude:.4f}, {message.location.longitude:.4f}"
        found.append(Attachment(kind="location", note=place))
    return tuple(found)


def spoken_by(message: Message) -> str:
    """Words for a message that has none of its own: a sticker's emoji, a poll's question and options, a dice."""
    if message.sticker is not None:
        return message.sticker.emoji or ""
    if message.dice is not None:
        return f"{message.dice.emoji} {message.dice.value}"
    if message.poll is not None:
        options = "\n".join(f"- {option.text}" for option in message.poll.options)
        return f"{message.poll.question}\n{options}"
    return ""
