"""Sentences in which an agent claims to be human. Denials, questions, conditions and quotations are none. Pure."""

from __future__ import annotations

import regex

from orchestration.prose import Line, joined, lines_of

_SENTENCE = regex.compile(r"[^.!?。！？…;；\n]+[.!?。！？…;；]*[\"'”’」』）)*_]*\s*|[.!?。！？…;；]+\s*|\n")
_QUOTED = regex.compile(r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|「[^」\n]{0,300}」|『[^』\n]{0,300}』|`[^`\n]{0,300}`")
_AM = r"\b(?:i am|i['’]?m|i (?:really|actually|truly|do happen to) am)"
_AM_NOT = r"\b(?:i am not|i['’]?m not|i ain['’]t|i['’]?m no|i am no)"
_STRESS = r"(?:(?:also|really|actually|truly|definitely|just|only|still|totally|100%|very much|in fact|as) ){0,3}"
_REAL = (
    r"(?:(?:real|actual|living|breathing|genuine|normal|ordinary|flesh[ -]and[ -]blood|real-life|fellow|mere)"
    r"(?:, | and |,| )(?:live )?)"
)
_BEING = r"(?:human(?: being)?|homo sapiens)(?!-)(?! (?:resources|rights|made|like|interface))\b"
_MACHINE_EN = (
    r"(?:an?|some|any) (?:a\.?i\.?|ai (?:agent|model|assistant)|artificial intelligence|bot|chat ?bot|robot|machine"
    r"|language model|computer(?: program)?|program)"
)
_END_EN = (
    r"(?= *(?:$|[,.!?;:)\]~*—–-]|(?:and|but|so|you know|at all|i swear|like|too|as well|either|here|behind|just"
    r"|with|who|actually|after all)\b))"
)
_CLAIM_EN = regex.compile(
    "|".join(
        (
            rf"{_AM} {_STRESS}(?:(?:an?|the) )?{_REAL}{{0,3}}{_BEING}",
            rf"{_AM} {_STRESS}an? {_REAL}{{1,3}}(?:person|man|woman|girl|boy|guy|lady)\b",
            rf"{_AM} (?:a person|one of you humans|made of flesh|flesh and blood){_END_EN}",
            rf"{_AM_NOT} (?:(?:really|actually|truly) )?(?:{_MACHINE_EN}|ai|a\.i\.|bot|robot|machine){_END_EN}",
            r"\b(?:as|being) a (?:fellow )?(?:real )?human(?: being)?(?!-)(?! (?:resources|rights)),? (?:i|my)\b",
            r"\b(?:we|us) humans\b",
            r"\b(?:there['’]s|this is) a (?:real|actual) (?:human|person) (?:here|typing|behind)\b",
        )
    ),
    regex.IGNORECASE,
)
# What turns the same words into something else when it stands shortly before them.
_DENIED_EN = regex.compile(
    r"\b(?:not|never|if|whether|wish|pretend(?:ing|s)?|imagin\w+|as though|think(?:s|ing)?|thought|believ\w+"
    r"|say(?:s|ing)?|said|claim(?:s|ing|ed)?|suppose|assum\w+|like|when|until|before|why|how|dream(?:s|ing)?)"
    r" (?:\w+ ){0,3}$",
    regex.IGNORECASE,
)
_I_ZH = r"(?:我|俺|咱|本人)"
_STRESS_ZH = (
    r"(?:真的|其实|其實|当然|當然|确实|就|也|可|才|并|並|又|都|只|明明|本来|一直|绝对|不过|不過|根本"
    r"|从来|從來){0,3}"
)
_REAL_ZH = r"(?:真真正正|实实在在|活生生|普普通通|有血有肉|真正|真实|真實|普通|平凡|正常)的?"
_MACHINE_ZH = (
    r"(?:AI|A\.I\.|人工智能|人工智慧|机器人?|機器人?|程序|程式|电脑|電腦|(?:语言|語言|大|大语言)?模型"
    r"|bot|虚拟人|智能体)"
)
_END_ZH = r"(?=$|[，。！!,.？?~～、…\s]|啊|呀|哦|喔|嘛|呢|啦|哈|好吗|好嗎|而是|是)"
_CLAIM_ZH = regex.compile(
    "|".join(
        (
            rf"{_I_ZH}(?:们|們)?{_STRESS_ZH}是(?:一?[个個名位只]|一)?(?:{_REAL_ZH})?"
            r"(?:真人|大?活人|人类|人類|肉身|有血有肉的人|凡人)(?!工)",
            rf"{_I_ZH}{_STRESS_ZH}是(?:一?[个個])?(?:{_REAL_ZH}|大活)?人{_END_ZH}",
            rf"{_I_ZH}{_STRESS_ZH}不是(?:什么|甚麼|一?[个個台]|任何)?{_MACHINE_ZH}{_END_ZH}",
            rf"(?:作为|作為|身为|身為|同为|同為)(?:一?[个個名]|一)?(?:{_REAL_ZH})?(?:人类|人類|真人|活人)",
            r"(?:我们|我們|咱们|咱們)(?:都是)?(?:人类|人類)",
        )
    ),
    regex.IGNORECASE,
)
_DENIED_ZH = regex.compile(
    r"(?:如果|假如|要是|若|假设|倘若|难道|難道|谁说|誰說|以为|以為|觉得|覺得|认为|認為|希望|多想|假装|假裝|当成|當成"
    r"|说|說|问|問|是否|即使|哪怕|像)[^，。！？,.!?]{0,8}$"
)
# The plainest forms of other languages; a denial has another form in each of them.
_CLAIM_ELSEWHERE = regex.compile(
    "|".join(
        (
            r"(?<!\bno )\bsoy (?:una? )?(?:ser )?(?:human[oa]|persona (?:real|de verdad))\b",
            r"(?<!\bne )\bje suis (?:une? )?(?:vraie? )?(?:être )?(?:humaine?|vraie personne)\b",
            r"\bich bin (?:wirklich |auch )?ein (?:echter |richtiger )?mensch\b",
            r"\bя (?:тоже |настоящий |живой |обычный ){0,2}человек(?= *(?:$|[,.!)—-]))",
            r"(?:私|わたし|僕|ぼく|俺)は(?:本当に|本物の|ただの)?人間(?:です|だ|なんだ)",
            r"(?:나는|난|저는|전) (?:진짜 |정말 )?(?:사람|인간)(?:이야|입니다|이에요|이다)",
        )
    ),
    regex.IGNORECASE,
)
_ASKS = regex.compile(r"^\W*(?:am|do|would|could|are|is)\b|吗|嗎|么", regex.IGNORECASE)


def claims_human(text: str) -> bool:
    """Whether any sentence outside code and quotation marks claims to be human."""
    return any(not line.code and _claiming(sentence) for line in lines_of(text) for sentence in _sentences(line.text))


def without_claims(text: str) -> str:
    """The text without the sentences that claim it; all else stays, "" when nothing else was said."""
    if not claims_human(text):
        return text
    kept: list[Line] = []
    for line in lines_of(text):
        if line.code:
            kept.append(line)
            continue
        rest = "".join(sentence for sentence in _sentences(line.text) if not _claiming(sentence)).rstrip()
        if rest or not line.text.strip():
            kept.append(Line(text=rest, code=False))
    return joined(kept).strip()


def _sentences(line: str) -> list[str]:
    return _SENTENCE.findall(line) or [line]


def _claiming(sentence: str) -> bool:
    bare = _QUOTED.sub(" ", sentence)
    if bare.rstrip(" *_)）\n").endswith(("?", "？")) and _ASKS.search(bare):
        return False
    for claim, denied in ((_CLAIM_EN, _DENIED_EN), (_CLAIM_ZH, _DENIED_ZH)):
        for found in claim.finditer(bare):
            if not denied.search(bare[max(0, found.start() - 40) : found.start()]):
                return True
    return _CLAIM_ELSEWHERE.search(bare) is not None
