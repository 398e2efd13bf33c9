"""Whose claim a sentence is: the speaker's about themselves, somebody else's, or about somebody else. Pure.

A summariser may shear a sentence of the words that matter ("I heard Carla …", "I used to …"): what is left would be
told of the speaker as a plain fact.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto

import regex

from orchestration.memory.merging import is_negative
from orchestration.memory.terms import sentences, share, terms
from orchestration.routing.text import HOLE, read


class Claim(Enum):
    OWN = auto()
    DOUBTFUL = auto()
    """True only as the whole sentence says it."""
    OTHERS = auto()
    """No fact about the speaker: a question, irony, hearsay, a quotation, or about somebody else."""


_FIRST = regex.compile(
    r"\b(?:i|i['’](?:m|ve|ll|d)|me|my|mine|myself|we|our|us|im|ive)\b|我|咱|俺|本人", regex.IGNORECASE
)
_THIRD = regex.compile(r"\b(?:he|she|him|his|hers?|they|them|their)\b|他|她", regex.IGNORECASE)
_ASKED = regex.compile(
    r"[?？]\s*$|^(?:if|what if|suppose|imagine)\b|^(?:如果|假如|要是|假设)|吗\s*[?？]?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|will|would|should|have|has)(?:n['’]t)?"
    r" (?:you|i|we|he|she|they|it|anyone)\b",
    regex.IGNORECASE,
)
_UNREAL = tuple(
    regex.compile(pattern, regex.IGNORECASE)
    for pattern in (
        r"\b(?:used to|no longer|any ?more)\b|以前|曾经|不再",
        r"\b(?:wish|hop(?:e|ing)|wants? to|wanna|dream(?:ing)?|plan(?:ning)? to|thinking (?:of|about))\b"
        r"|(?:\bwould|['’]d) (?:like|love) to\b"
        r"|想|希望|但愿|打算",
        r"\bwould(?! (?:like|love|prefer)\b)|\bif only\b|要是|如果|假如",
        r"\b(?:jok(?:e|ing)|kidding|pretend\w*)\b|开玩笑|假装",
        r"\b(?:maybe|perhaps|might|almost|nearly)\b|也许|可能|好像",
    )
)
"""What makes a sentence true in another sense: once, wished for, supposed, in jest, not for sure."""
_WIDER = regex.compile(
    r"\b(?:always|never|only|every\w*|all|nothing|nobody)\b|总是|老是|从来|永远|只|所有|天天", regex.IGNORECASE
)
_IRONIC = regex.compile(
    r"^\W*(?:oh|yeah|yea|sure|ah),? (?:sure|right|yeah|yes|great|totally|of course|because)\b|\byeah,? right\b"
    r"|\b(?:as if|said no one ever)\W*$|(?:^|\s)/s\b|\bnot!|是啊是啊|才怪|呵呵|可太(?:爱|喜欢|想)|🙄",
    regex.IGNORECASE,
)
_DENIED = regex.compile(
    r"(?:\b(?:not|never)|n['’]t)\s+(?:\w+\s+)?(?:said|say|told|tell|claim(?:ed)?|mean|meant)\b|没(?:有)?(?:说|讲)|不是说",
    regex.IGNORECASE,
)
"""What somebody did not say is said by who words it."""
_VERB = (
    r"(?:(?:also|really|always|never|just|still|now|only)\s+)?"
    r"(?:is|was|has|had|lives|works|likes|loves|hates|wants|needs|prefers|eats|drinks|plays|owns|studies|teaches|speaks"
    r"|thinks|got|can|can['’]t|cannot|will|won['’]t|does|doesn['’]t|isn['’]t|hasn['’]t|wasn['’]t)\b"
)
_KIN = "哥哥? 姐姐? 弟弟? 妹妹? 妈妈? 爸爸? 父亲 母亲 儿子 女儿 老婆 老公 奶奶 爷爷 外婆 外公 室友 同事 朋友".replace(
    " ", "|"
)
_SURNAMES = (
    "王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 梁 宋 郑 谢 韩 唐 冯 于 "
    "董 萧 程 曹 袁 邓 许 傅 沈 曾 彭 吕 苏 卢 蒋 蔡 贾 丁 魏 薛 叶 阎 余 潘 杜 戴 夏 钟 "
    "汪 田 任 姜 范 方 石 姚 谭 廖 邹 熊 金 陆 郝 孔 白 崔 康 毛 邱 秦 江 史 顾 侯 邵 孟 "
    "龙 万 段 钱 汤 尹 黎 易 常 武 乔 贺 赖 龚 文".replace(" ", "")
)
_NO_NAME = "周[一二三四五六日末] 万一 常常 白天 高兴 高中 马上 任何 方便 小时 老是 老师 大家 大概 小心".replace(
    " ", "|"
)
_DOES = "对 是 喜欢 讨厌 爱 怕 住 在 有 叫 不 要 想 去 会 能 说 来自 养 最".replace(" ", "|")
_OTHER = regex.compile(
    r"(?:^|(?<=[\s,;:“\"(]))(?!(?:I|My|Our|We|It|This|That|There|Here|Birthday|Favou?rite|Name|Job|Age|Budget|Diet)\b)"
    rf"(?P<name>\p{{Lu}}[\p{{L}}'’-]+(?:\s\p{{Lu}}[\p{{L}}'’-]+)?)\s+{_VERB}"
    rf"|^(?P<thing>(?i:the|an?|mom|mum|mother|dad|father|brother|sister|wife|husband|son|daughter|gran\w+)\s+"
    rf"(?:\p{{L}}+\s+){{0,2}}?){_VERB}"
    rf"|^(?P<kin>{_KIN})(?={_DOES})"
    rf"|(?P<zh>(?<!\p{{Han}})(?!{_NO_NAME})(?:[小老阿大]\p{{Han}}|[{_SURNAMES}]\p{{Han}}{{1,2}}?))(?={_DOES})"
)
_REPORT = regex.compile(
    r"\b(?:i|we)(?:['’](?:ve|d))?\s+(?:\w+\s+)?"
    r"(?:heard?|told|tell|know|knew|think|thought|believe|guess|bet|said|say|read|saw|found out|learn(?:ed|t))\b"
    r"|(?:我|咱)们?.{0,3}?(?:听说|听到|知道|觉得|认为|以为|猜|告诉|说过?|看到|发现)",
    regex.IGNORECASE,
)
_REPORTED = regex.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|\p{Lu}[\p{L}'’-]+)\s+(?:said|says|told|tells|wrote|texted|claims?|claimed|thinks?)\b"
    r"|(?:他|她|他们|她们)(?:说|告诉|讲|写|觉得|认为)"
)
_OF_THEM = regex.compile(
    r"\b(?:he|she|they|his|hers|their|who|whose)\b|\bher\b(?!\s*(?:$|[.,;!]|(?:on|at|in|by|back|to|for|next|until)\b))"
    r"|(?<![给跟和还欠陪]|[带见找])[他她]",
    regex.IGNORECASE,
)
_MORE_THAN_BESIDE = (_ASKED, _IRONIC, *_UNREAL, _DENIED, _OF_THEM, _REPORT, _REPORTED)
_I = regex.compile(r"\bI\b|我", regex.IGNORECASE)
_BEFORE = regex.compile(
    r"\b(?:with|to|for|from|without|and"
    r"|(?:ow|giv|bring|lend|pay|send|meet|visit|help|marry|pick)(?:e|ing|ed)?(?: up)?)\s+$"
    r"|(?:和|跟|与|同|给|欠|陪|带|借|还|帮|见|找|接)$",
    regex.IGNORECASE,
)
LINK_CHARS = 40
"""More than any link is long: a long message is not searched through for each name in it."""
_BEHIND = regex.compile(
    r"\W*$|[.,;!]"
    r"|\s+(?:in|on|at|by|to|for|from|until|till|since|every|next|this|after|before|again|soon|tomorrow|tonight|today)\b"
    r"|\s+(?:together\b|\p{Sc}?\d|(?:the|my|a|an) (?:book|money|rent|key|ticket|car|bike|ride|lift|present|gift)s?\b)"
    r"|[，。；！]|\p{Han}|\d",
    regex.IGNORECASE,
)
_WITH_ME = regex.compile(r" and (?:I|me)\b(?! (?:am|was)\b)|(?:和|跟|与)我")
_PAUSE = regex.compile(r"[,;，；、]|\bbut\b|但是?|不过", regex.IGNORECASE)
_I_SAY = regex.compile(r"^(?:I|We|It)\b")


def claim_of(support: str, text: str, own_names: Collection[str] = ()) -> Claim:
    """What the sentence ``support`` is as a proof of ``text`` about its author, who is called ``own_names``."""
    if _ASKED.search(support) or _IRONIC.search(support) or _is_quoted(support, text) or _is_reported(support):
        return Claim.OTHERS
    others = _others(support, own_names)
    first = _FIRST.search(support) is not None
    if not first and (others or _THIRD.search(support)):
        return Claim.OTHERS
    report = _REPORT.search(support)
    rest = support[report.end() :].strip() if report is not None else ""
    if _others(rest, own_names) and not _FIRST.search(rest):
        return Claim.OTHERS
    unreal = any((sense.search(support) is None) != (sense.search(text) is None) for sense in (*_UNREAL, _DENIED))
    unreal = unreal or (_WIDER.search(text) is not None and _WIDER.search(support) is None)
    if others or report is not None or unreal or is_negative(_clause(support, text)) != is_negative(text):
        return Claim.DOUBTFUL
    return Claim.DOUBTFUL if _THIRD.search(support) else Claim.OWN


def is_beside(support: str, names: Collection[str]) -> bool:
    """Whether the speaker tells of themselves, and these people only stand beside them: "I moved in with Olga".

    Nothing is said of the others then but that the speaker has to do with them.
    """
    if _FIRST.search(support) is None or any(sign.search(support) for sign in _MORE_THAN_BESIDE):
        return False
    return all(_stands_beside(support, name) for name in names)


def _stands_beside(support: str, name: str) -> bool:
    places = [found.span() for found in regex.finditer(regex.escape(name), support, regex.IGNORECASE)]
    return bool(places) and all(
        _WITH_ME.match(support[end:]) or (_follows_me(support[:start]) and _BEHIND.match(support[end:]))
        for start, end in places
    )


def _follows_me(before: str) -> bool:
    """Whether words end in a link to somebody, with the speaker before it."""
    end = before[-LINK_CHARS:]
    link = _BEFORE.search(end)
    return link is not None and _I.search(before[: len(before) - len(end) + link.start()]) is not None


def without_comparison(support: str, names: Collection[str]) -> str:
    """The sentence without the words that only set the speaker against others: "Unlike Bea, I …"."""
    for name in names:
        bare = regex.escape(name)
        pattern = (
            rf"^(?:un)?like {bare},?\s+(?=I\b)|^我?(?:和|跟|与|同|不像|像){bare}(?:不一样|不同|一样)?[,，]\s*(?=我)"
        )
        support = regex.sub(pattern, "", support, flags=regex.IGNORECASE)
    return support


def turns_around(text: str, said: str) -> bool:
    """Whether the text says no where the words it rests on say yes, or the other way round."""
    meant = terms(text)
    nearest = max(sentences(said), key=lambda one: share(meant, terms(one)), default=said)
    return is_negative(_clause(nearest, text)) != is_negative(text)


def _others(support: str, own_names: Collection[str]) -> bool:
    """Whether the sentence has a subject that is not the speaker."""
    own = {name.casefold() for name in own_names}
    return any((m["name"] or m["zh"] or "").casefold() not in own for m in _OTHER.finditer(support))


def _clause(support: str, text: str) -> str:
    """The part of the sentence that speaks of the same."""
    meant = terms(text)
    return str(max(_PAUSE.split(support), key=lambda part: share(meant, terms(part))))


def _is_reported(support: str) -> bool:
    """Whether somebody else says it: "Carla told me …"."""
    return any(_I_SAY.match(found.group()) is None for found in _REPORTED.finditer(support))


def _is_quoted(support: str, text: str) -> bool:
    """Whether what counts stands between quotation marks."""
    bare = read(support).cased
    if HOLE not in bare:
        return False
    meant = terms(text)
    return share(meant, terms(bare)) < share(meant, terms(support)) / 2
