"""Memories by rule: what people say plainly about themselves, kept in their own words. Costs no model call.

Tables per language; a sentence that is a question, a quotation, a supposition or about somebody else is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

from orchestration.memory.guard import Proposal
from orchestration.memory.records import MadeBy, MemoryKind
from orchestration.memory.terms import sentences
from orchestration.model import Message, MessageKind
from orchestration.routing.text import read

MAX_SENTENCE = 200
MAX_A_MESSAGE = 4

_K = MemoryKind
# (kind, importance, pattern). The first that fits a sentence wins, so the weightier kinds come first.
_PATTERNS: tuple[tuple[MemoryKind, int, regex.Pattern[str]], ...] = tuple(
    (kind, importance, regex.compile(pattern, regex.IGNORECASE))
    for kind, importance, pattern in (
        (
            _K.BOUNDARY,
            9,
            r"\b(?:please )?(?:don['’]?t|do not|never|stop) (?:ever )?(?:call(?:ing)? me|mention"
            r"|bring(?:ing)? up|tease|"
            r"ask(?:ing)? me about|talk(?:ing)? to me about|joke about|ping(?:ing)? me)\b"
            r"|(?:请|麻烦)?(?:别|不要|不许|不准|禁止)(?:再)?(?:叫我|跟我提|和我提|提起|拿我|问我|对我|@我|艾特我|开我)",
        ),
        (
            _K.FACT,
            9,
            r"\bi(?:['’]m| am)(?: \w+)? (?:allergic|intolerant)\b|\bi have an? [\w -]{0,30}(?:allergy|intolerance)\b"
            r"|\bi(?:['’]m| am)(?: \w+)? (?:a )?(?:vegan|vegetarian|diabetic|celiac|coeliac|pregnant|deaf|blind"
            r"|colou?r-?blind)\b"
            r"|我(?:对.{1,12}过敏|.{0,4}吃素|是素食|.{0,3}不能吃|有(?:糖尿病|哮喘|高血压|心脏病)|怀孕|是色盲)",
        ),
        (
            _K.FACT,
            8,
            r"\bmy (?:birthday|anniversary) is\b|\bi was born (?:on|in)\b|\b(?:my name is|call me|i go by)\b"
            r"|\bmy pronouns are\b|我(?:的)?生日(?:是|在)|我叫|(?:请)?(?:都|就)?叫我"
            r"|我(?:今年)?\d{1,2}岁|我的名字(?:是|叫)",
        ),
        (
            _K.FACT,
            6,
            r"\bi (?:live|work|study|teach|grew up) (?:in|at|as|for|near|on)\b|\bi(?:['’]m| am) (?:from"
            r"|based in|a native of)\b"
            r"|\bi(?:['’]m| am) an? [\w -]{2,30}(?:er|or|ist|ian|ant|ent|nurse|chef|cook|pilot|student|lawyer)\b"
            r"|\bi(?:['’]ve)? (?:just )?moved to\b|\bi (?:have|own|got) (?:an? |two |three "
            r"|\d+ )(?:\w+ ){0,2}(?:dogs?|cats?|"
            r"kids?|children|sons?|daughters?|brothers?|sisters?)\b|\bi speak \p{Lu}"
            r"|我(?:住在|家在|在.{1,12}(?:工作|上班|上学|读书)|是.{0,10}(?:人|老师|医生|护士|学生|工程师|程序员|律师|厨师|设计师)|"
            r"(?:刚)?搬(?:到|去)|来自|养了|有(?:一|两|三|\d)(?:个|只|条))",
        ),
        (
            _K.PROMISE,
            7,
            r"\bi promise\b|\bi(?:['’]ll| will) (?:definitely |surely )?(?:bring|send|book|organi[sz]e|pay"
            r"|pick up|prepare|"
            r"cook|write|finish|take care)\b|我(?:保证|答应|承诺|负责|会带|会发|会订|来订|来带|来负责)",
        ),
        (
            _K.EVENT,
            6,
            r"\bi (?:got|have|had|am having|start(?:ed)?) (?:an? |my |the )?(?:new )?(?:interview|exam|surgery"
            r"|job offer|wedding|"
            r"appointment|presentation|marathon|promotion|baby)\b|\bi(?:['’]m| am) (?:getting married|moving"
            r"|flying|travel"
            r"(?:l)?ing|visiting|expecting|graduating|running)\b"
            r"|我(?:.{0,6})(?:要考试|有面试|要面试|要结婚|要搬家|要出差|要手术|要毕业|去旅行|要去旅行|升职了|离职了|失业了)",
        ),
        (
            _K.RELATIONSHIP,
            5,
            r"\bmy (?:brother|sister|mother|mom|mum|father|dad|son|daughter|wife|husband|partner|boyfriend"
            r"|girlfriend|"
            r"best friend|boss|dog|cat)(?:['’]s name)? (?:is|was|lives|works|has|loves|likes|hates)\b"
            r"|我(?:的)?(?:哥哥?|姐姐?|弟弟?|妹妹?|妈妈?|爸爸?|儿子|女儿|老婆|老公|男朋友|女朋友|室友|狗|猫)(?:叫|是|在|喜欢|讨厌|住)",
        ),
        (
            _K.PREFERENCE,
            6,
            r"\bi (?:really |just |absolutely |also |still )?(?:love|like|enjoy|adore|prefer|hate|dislike"
            r"|detest|can['’]?t stand|"
            r"can['’]?t bear|don['’]?t (?:really )?(?:like|eat|drink|enjoy))\b|\bmy favou?rite\b|\bi(?:['’]m"
            r"| am) (?:a (?:big |huge )?fan of|"
            r"into|fond of|obsessed with|scared of|afraid of)\b"
            r"|我(?:最|很|特别|非常|真的|一直|超|也|比较|更|都|从来)*(?:喜欢|爱(?!心)|讨厌|不喜欢|不爱|不吃|不喝|受不了|怕|偏爱|迷上)|我的最爱|我最(?:怕|想)",
        ),
    )
)
_REMEMBER = regex.compile(
    r"^(?:[@\p{L}\p{N}_ ]{1,24}[,，:：]?\s*)?(?:please |pls )?(?:remember|don['’]?t forget|keep in mind"
    r"|note)(?: that| this)?[:,，：]?\s+(?P<rest>.{6,})$"
    r"|^(?:[@\p{L}\p{N}_ ]{1,16}[,，:： ]?\s*)?(?:请|帮我|麻烦)?(?:你)?"
    r"(?:记住|记得|别忘了|记一下)(?:了)?[:,，： ]?(?P<zh>.{3,})$",
    regex.IGNORECASE,
)
_ADDRESS = regex.compile(r"^\s*[@＠]\S+?(?:[\s,，:：]+|$)")
_SKIP = regex.compile(
    r"[?？]\s*$|\b(?:if|unless|imagine|suppose|pretend|as if|wish|would like|i['’]d|maybe|perhaps|kidding|joking"
    r"|just kidding|"
    r"used to|no longer|anymore|any more)\b|如果|假如|要是|假设|假装|开玩笑|也许|可能|吗\s*$|以前|曾经|不再",
    regex.IGNORECASE,
)
_FIRST = regex.compile(r"\b(?:i|i['’]m|me|my|mine|we|our)\b|我|咱", regex.IGNORECASE)


def plainly_said(messages: Iterable[Message]) -> list[Proposal]:
    """What people said plainly about themselves, each in its own sentence."""
    return [proposal for message in messages if message.kind is MessageKind.HUMAN for proposal in _of(message)]


def _of(message: Message) -> Iterator[Proposal]:
    made = 0
    for sentence in sentences(read(message.text).cased):
        if made >= MAX_A_MESSAGE:
            return
        sentence = _ADDRESS.sub("", sentence).strip()
        if len(sentence) > MAX_SENTENCE or "\ufffc" in sentence:
            continue
        proposal = _of_sentence(message, sentence)
        if proposal is not None:
            made += 1
            yield proposal


def _of_sentence(message: Message, sentence: str) -> Proposal | None:
    asked = _REMEMBER.match(sentence)
    core = (asked["rest"] or asked["zh"]).strip() if asked is not None else sentence
    if _SKIP.search(core):
        return None
    for kind, importance, pattern in _PATTERNS:
        if pattern.search(core):
            return _proposal(message, core, kind, min(10, importance + (asked is not None)))
    if asked is not None and _FIRST.search(core):
        return _proposal(message, core, MemoryKind.FACT, 7)
    return None


def _proposal(message: Message, sentence: str, kind: MemoryKind, importance: int) -> Proposal:
    return Proposal(
        subject_id=message.author.id,
        kind=kind,
        text=sentence,
        seqs=(message.seq,),
        quote=sentence,
        importance=importance,
        confidence=0.8,
        made_by=MadeBy.RULE,
    )
