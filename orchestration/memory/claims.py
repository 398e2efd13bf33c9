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
    """No fact about the speaker: a question, hearsay, a quotation, or about somebody else."""


_FIRST = regex.compile(
    r"\b(?:i|i['’](?:m|ve|ll|d)|me|my|mine|myself|we|our|us|im|ive)\b|我|咱|俺|本人", regex.IGNORECASE
)
_THIRD = regex.compile(r"\b(?:he|she|him|his|hers?|they|them|their)\b|他|她", regex.IGNORECASE)
_ASKED = regex.compile(
    r"[?？]\s*$|^(?:if|what if|suppose|imagine)\b|^(?:如果|假如|要是|假设)|吗\s*[?？]?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|will|would|should|have|has) (?:you|i|we|he|she|they|it|anyone)\b",
    regex.IGNORECASE,
)
_UNREAL = regex.compile(
    r"\b(?:used to|wish|would(?! (?:like|love|prefer)\b)|if only|no longer|any ?more|jok(?:e|ing)|kidding"
    r"|pretend\w*|maybe|perhaps|might)\b"
    r"|以前|曾经|不再|要是|如果|假如|开玩笑|假装|也许|可能",
    regex.IGNORECASE,
)
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
_PAUSE = regex.compile(r"[,;，；、]|\bbut\b|但是?|不过", regex.IGNORECASE)
_I_SAY = regex.compile(r"^(?:I|We|It)\b")


def claim_of(support: str, text: str, own_names: Collection[str] = ()) -> Claim:
    """What the sentence ``support`` is as a proof of ``text`` about its author, who is called ``own_names``."""
    if _ASKED.search(support) or _is_quoted(support, text) or _is_reported(support):
        return Claim.OTHERS
    others = _others(support, own_names)
    first = _FIRST.search(support) is not None
    if not first and (others or _THIRD.search(support)):
        return Claim.OTHERS
    report = _REPORT.search(support)
    rest = support[report.end() :].strip() if report is not None else ""
    if _others(rest, own_names) and not _FIRST.search(rest):
        return Claim.OTHERS
    unreal = _UNREAL.search(support) is not None and _UNREAL.search(text) is None
    if others or report is not None or unreal or is_negative(_clause(support, text)) != is_negative(text):
        return Claim.DOUBTFUL
    return Claim.DOUBTFUL if _THIRD.search(support) else Claim.OWN


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
