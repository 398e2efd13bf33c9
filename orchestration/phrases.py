"""What agents say where there is no model: set phrases in character, and plainly called so.

Which phrase is chosen follows from the agent's card and the person's words alone, so a turn that runs again after a
crash says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import regex

from orchestration.cleaning import is_chinese
from orchestration.errors import ModelRefused
from orchestration.model import AgentCard, Locale, Usage
from orchestration.ports import Completion, PromptMessage, SchemaT, WriteRequest
from orchestration.texts import text

PHRASES_A_MOOD = 4
MAX_TOPIC_CHARS = 40
MAX_TOPIC_HAN = 14

# Words in a card that tell how its agent talks; the mood with the most hits wins, the earlier one on a draw.
_MOOD_WORDS = {
    "bold": r"bold|dramatic|theatrical|heroic|advent\w+|captain|pirate|sea|brave|fierce"
    r"|戏剧|冒险|豪|勇|船长|热血|海",
    "lively": r"bubbl\w+|playful|cheer\w+|chatty|bright|funn\w+|jok\w+|energetic|teas\w+"
    r"|活泼|俏皮|开心|搞笑|可爱|幽默",
    "measured": r"erudite|measured|wise|scholar\w*|professor|histor\w+|philosoph\w+|poet\w*|formal|elegan\w+"
    r"|从容|典雅|学者|教授|历史|哲|诗|博学|严谨",
    "dry": r"dry|terse|blunt|sceptic\w*|skeptic\w*|practical|engineer\w*|concrete|sarcas\w+|direct|numbers"
    r"|冷|简短|直来直去|务实|工程|理性|毒舌|干脆",
    "warm": r"warm\w*|gentle|gently|soft|kind\w*|patient|caring|empath\w+|listen\w*|calm"
    r"|温柔|柔和|体贴|耐心|倾听|治愈|温暖",
}
_MOODS = {mood: regex.compile(words, regex.IGNORECASE) for mood, words in _MOOD_WORDS.items()}
_SAD = regex.compile(
    r"\b(?:sad|lonely|depress\w*|crying|cried|grie\w+|died|passed away|funeral|heartbroken|hopeless|exhausted|anxious"
    r"|scared|hurts?|broke up|miss (?:him|her|them)|worthless|fired)\b"
    r"|难过|伤心|难受|想哭|哭了|孤独|抑郁|焦虑|害怕|去世|离世|分手|失恋|崩溃|绝望|好累|心碎|委屈",
    regex.IGNORECASE,
)
_MENTION = regex.compile(r"(?:^|\s)@\S+|<[@#:][^>]{0,80}>|https?://\S+|/\w+")
_CLAUSE = regex.compile(r"[\n,.!?;:()\[\]{}<>\"“”«»|*_`~#，。！？；：、（）「」『』《》…—]+")
_OPENING = regex.compile(
    r"^(?:(?:hey|hi|hello|so|well|ok|okay|please|and|but|what do you (?:all )?think (?:about|of)|how about|can you"
    r"|could you|tell me about|help me|do you|should (?:i|we)|i (?:want|need|would like) to|let'?s"
    r"|你们?觉得|大家觉得|请问|那么?|我想|帮我)\b?\s*)+",
    regex.IGNORECASE,
)
_LOOSE_END = regex.compile(
    r"(?: (?:a|an|the|my|your|our|for|to|of|and|or|with|in|on|at|we|i|that|is|as))+$", regex.IGNORECASE
)


class PhraseModel:
    """A `ChatModel` without a model. It decides nothing: routing and checking are then left to the rules."""

    def __init__(self, locale: Locale) -> None:
        self._locale = locale

    @property
    def label(self) -> str:
        return text(self._locale, "phrase_label")

    async def write(self, request: WriteRequest) -> Completion:
        said = phrase(request.agent, request.words, request.locale)
        return Completion(text=said, model="phrases", provider="troupe", wire_api="", usage=Usage(estimated=True), ms=0)

    async def decide(self, messages: Sequence[PromptMessage], schema: type[SchemaT]) -> tuple[SchemaT, Usage]:
        raise ModelRefused


def phrase(agent: AgentCard | None, words: str, locale: str) -> str:
    """What this agent says to these words, in the language of the words (else ``locale``)."""
    speech = Locale.ZH if is_chinese(words) else Locale(locale) if locale in set(Locale) else Locale.EN
    names = (agent.name, *agent.aliases) if agent else ()
    about = topic(words, names)
    named = text(speech, "phrase_quote", words=about)
    own = mood(agent)
    kind = "sad" if is_grief(words) else own if about else "hello"
    # Agents of different moods share the phrases of grief and greeting, and shall not say the same one at once.
    seed = f"{words}\n{agent.id if agent and kind == own else ''}"
    chosen = sha256(seed.encode("utf-8", "replace")).digest()[0] + (0 if kind == own else [*_MOODS, "plain"].index(own))
    said = text(speech, f"phrase_{kind}_{1 + chosen % PHRASES_A_MOOD}", topic=named)
    return said[:1].upper() + said[1:]


def is_grief(words: str) -> bool:
    """Whether the words speak of grief or fear: no place for a set joke, nor for a model that understands nothing."""
    return _SAD.search(words[:2000]) is not None


def mood(agent: AgentCard | None) -> str:
    """How the agent talks, read from its card."""
    if agent is None:
        return "plain"
    # What an agent sounds like stands in its tone; the longer fields only break draws.
    hits = {
        name: 3 * len(words.findall(agent.tone))
        + 2 * len(words.findall(agent.personality))
        + len(words.findall(agent.description))
        for name, words in _MOODS.items()
    }
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] else "plain"


def topic(words: str, names: Sequence[str]) -> str:
    """A few of the person's own words to refer to: the longest clause, without whom it was said to; "" if none."""
    shown = _MENTION.sub(" ", words[:2000])
    for name in sorted(names, key=len, reverse=True):
        shown = regex.sub(rf"(?<![\p{{Latin}}\d]){regex.escape(name)}(?![\p{{Latin}}\d])", " ", shown, flags=regex.I)
    clauses = [_OPENING.sub("", " ".join(clause.split())) for clause in _CLAUSE.split(shown)]
    longest = max(clauses, key=len, default="")
    if is_chinese(longest):
        return longest[:MAX_TOPIC_HAN]
    if len(longest) <= MAX_TOPIC_CHARS:
        return longest if len(longest) >= 3 else ""
    return _LOOSE_END.sub("", longest[:MAX_TOPIC_CHARS].rpartition(" ")[0]) or longest[:MAX_TOPIC_CHARS]
