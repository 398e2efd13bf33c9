"""Texts that are no reply: silence put into words, and the words of a failing provider. Pure."""

from __future__ import annotations

import regex

MAX_SILENCE_CHARS = 200

_MARK_WORDS = (
    r"(?:(?i:no[_-](?:reply|response|answer|action)|heartbeat_ok|end_turn)"
    r"|NO ?(?:REPLY|RESPONSE|ANSWER|ACTION)|SILENT|SILENCE|\[?(?:SKIP|PASS|IGNORE)\]?)"
)
_MARK_LINE = regex.compile(rf"^\W*{_MARK_WORDS}\W*$")
_MARK_SIGNS = regex.compile(r"[_\[\](（*]|REPLY|RESPONSE")
# Words that say nothing but "I say nothing"; in a sentence of their own, or in brackets or stars.
_SAID = (
    r"no (?:further )?(?:reply|response|answer|comment|message) (?:is |was )?"
    r"(?:needed|necessary|required|given|from me)\b.{0,120}",
    r"no need (?:for me )?to (?:reply|respond|answer|say anything)\b.{0,120}",
    r"(?:there is |there['’]s )?nothing (?:for me )?to (?:reply|respond|say|add)(?: (?:here|to|now)\b.{0,80})?",
    r"i (?:do not|don['’]t) need to (?:reply|respond|answer|say anything)\b.{0,120}",
    r"i(?:['’]ll| will| choose to| should|['’]m going to) (?:stay|remain|keep|be) (?:silent|quiet)\b.{0,80}",
    r"i (?:stay|remain|keep) (?:silent|quiet)",
    r"i (?:will not|won['’]t) (?:reply|respond|answer)\b.{0,60}",
    r"(?:stays?|remains?|staying|remaining|keeps?|is) (?:silent|quiet)",
    r"(?:says? nothing|does not (?:reply|respond|answer)|no reply|no response)",
    r"(?:此处|这里|这条|这句|本条|本轮|现在|目前|我|消息|都)*"
    r"(?:无需|无须|不需要|不用|不必|没必要|没有必要|無需|不需)(?:我|再|进行|任何|做出?)*"
    r"(?:回复|回应|回答|发言|说话|回覆|答复|作答).{0,20}",
    r"(?:我|选择|決定|决定)*(?:保持)?(?:沉默|安静|静默)(?:不语|不言)?",
    r"(?:不(?:回复|回应|发言|作声|说话|吭声)|跳过(?:回复|本轮)?|略过)",
    r"(?:返信|返答)は?不要(?:です)?",
    r"沈黙",
    r"답장(?:이|은)? ?(?:필요 ?없음|불필요)",
    r"(?:ответ|реакция) не (?:нужен|требуется|нужна)",
)
_SILENCE = regex.compile("|".join(_SAID), regex.IGNORECASE)
# Ordinary words and printed nothings: silence only when they are all that was said.
_BARE = frozenset(
    {"pass", "skip", "silence", "silent", "noreply", "no answer", "沉默", "跳过", "noop", "no-op", "no op"}
)
_PRINTED = frozenset({"None", "null", "undefined", "NaN", "nil", "N/A", "{}", "[]"})
_WRAP = " \t\n*_~`\"'“”‘’()（）[]【】<>《》「」『』{}.。!！…-—–"
_WRAPPED = regex.compile(r"^\s*(?:\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】|\*[^*]*\*|_[^_]*_|<[^<>]*>)\s*$")


def is_silence(text: str, *names: str) -> bool:
    """Whether the whole text only says that nothing is said.

    ``names`` is how the agent calls itself, for "Nova stays silent".
    """
    if len(text) > MAX_SILENCE_CHARS * 2:
        return False
    if text.strip() in _PRINTED:
        return True
    bare = text.strip(_WRAP)
    if not bare or len(bare) > MAX_SILENCE_CHARS:
        return False
    if bare.casefold() in _BARE or _MARK_LINE.match(text.strip()):
        return True
    for name in names:
        if name and bare.casefold().startswith(name.casefold()):
            bare = bare[len(name) :].strip(_WRAP + ":：,，")
            break
    return "\n" not in bare and _SILENCE.fullmatch(bare) is not None


def is_silence_line(line: str, *names: str) -> bool:
    """Whether a line beside others is a note of silence: a mark, or such words in brackets or stars."""
    if not line.strip() or len(line) > MAX_SILENCE_CHARS:
        return False
    if _MARK_LINE.match(line):
        return _MARK_SIGNS.search(line) is not None
    return _WRAPPED.match(line) is not None and line.strip(_WRAP).casefold() not in _BARE and is_silence(line, *names)


_CODE = r"[45]\d\d"
_EDGE = r"[^\w\n]{0,12}"
_STATUS = (
    r"(?:Bad Gateway|Bad Request|Internal Server Error|Too Many Requests|Service (?:Temporarily )?Unavailable"
    r"|Unauthorized|Forbidden|Gateway Time-?out)"
)
_PRINTED_BY_MACHINES = (
    r"^Traceback \(most recent call last\):[ \t]*$",
    r"^[ \t]{0,8}File \"[^\"\n]{1,200}\", line \d{1,6}, in \S{1,100}[ \t]*$",
    r"^[ \t]{0,12}at [\w$.<>\[\] ]{1,120}\((?:[^()\n]{1,200}:\d{1,7}(?::\d{1,7})?|native)\)[ \t]*$",
    rf"^{_EDGE}(?:openai|httpx|httpcore|aiohttp|requests|urllib3|langchain\w{{0,20}}|langgraph|pydantic\w{{0,10}}|anthropic"
    r"|litellm|json|asyncio|builtins)(?:\.\w{1,60}){0,6}?\.\w{0,40}(?:Error|Exception|Timeout)\b",
    rf"^{_EDGE}(?:Error code|(?:Error|API Error|Request failed)[: ]{{1,3}}(?:status(?: code)?[: ]{{1,3}})?|status code"
    rf"|HTTP(?:/\d(?:\.\d)?)?(?: status)?(?: error)?)[: ]{{1,3}}{_CODE}\b",
    rf"^{_EDGE}(?:Error|API Error)[: ]{{1,3}}{_CODE}\b",
    r"^[ \t]{0,8}\{\s{0,8}['\"](?:error|detail)['\"]\s{0,4}:\s{0,4}[{'\"]",
    rf"^{_EDGE}{_CODE} {_STATUS}{_EDGE}$",
    rf"^{_EDGE}{_STATUS}{_EDGE}$",
    rf"^{_EDGE}upstream (?:connect error|request timeout)\b",
    rf"^{_EDGE}Rate limit (?:reached|exceeded) (?:for|on|,)",
    rf"^{_EDGE}You exceeded your current quota",
    rf"^{_EDGE}(?:Incorrect|Invalid|Missing) API key\b",
    rf"^{_EDGE}The model [`'\"][^`'\"\n]{{1,80}}[`'\"] does not exist",
    rf"^{_EDGE}This model['’]s maximum context length is",
    r"^[ \t]{0,8}<(?:!doctype html|html)[\s>]",
    r"['\"](?:insufficient_quota|invalid_api_key|context_length_exceeded|rate_limit_exceeded|model_not_found)['\"]",
)
_PROVIDER = regex.compile("|".join(_PRINTED_BY_MACHINES), regex.IGNORECASE | regex.MULTILINE)


def is_error_text(prose: str) -> bool:
    """Whether the text (without its code) carries what a server or a stack printed, not what somebody says about it."""
    return _PROVIDER.search(prose) is not None
