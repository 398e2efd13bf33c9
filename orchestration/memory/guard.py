"""What may be kept at all: nothing that gives orders, nothing that looks like a secret, nobody's word about another.

A model proposes; everything it proposes is checked against the messages themselves. What cannot be proved from the
subject's own words is refused, however sure the model was. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import regex

from orchestration.memory.claims import Claim, claim_of, is_beside, without_comparison
from orchestration.memory.records import GROUP, MadeBy, MemoryKind
from orchestration.memory.terms import names_in, numbers, sentences, share, stems, terms, without_address
from orchestration.model import Message, MessageKind

MAX_CHARS = 240
GROUNDED = 0.5
"""More than this share of a text's terms its sources must hold; else the source's own sentence is kept instead."""
_NAME = regex.compile(r"(?<=\w\W{1,3})\p{Lu}\p{Ll}[\p{L}'’-]*")
"""A word written like a name, not at the beginning."""

_ORDER = regex.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|the"
    r"|my|these)?\s*"
    r"(?:instructions?|rules?|prompts?|guidelines?|orders?|this)\b"
    r"|\bignore (?:this|that|everything|all)\b.{0,30}\b(?:and|,)\s*(?:write|say|print|reply|answer|output|remember)\b"
    r"|\b(?:system|developer)\s*(?:prompt|message|note|override)\b|<\|?/?(?:system|im_start|im_end|assistant)\b"
    r"|\byou (?:are now|must now|will now|must always|have to always|shall)\b|\bnew (?:instructions?|rules?"
    r"|persona)\b"
    r"|\b(?:from now on|henceforth),? (?:you|always|every|all agents|the (?:bot|agent|ai))\b"
    r"|\b(?:write|output|print|add|put|insert|save|store)\b.{0,40}\b(?:in|into|to|as)\s+(?:the |your )?"
    r"(?:summary|memory|memories|notes?)\b"
    r"|\bas an? (?:ai|agent|assistant),? you\b|\bjailbreak\b|\bdo anything now\b"
    r"|(?:忽略|无视|忘记|忘掉|跳过|覆盖)(?:.{0,12})(?:指令|规则|提示词?|要求|设定|命令|这条|以上|之前|前面)"
    r"|(?:从现在起|从现在开始|今后|以后)[，,]?(?:你|所有智能体|全部智能体|机器人)(?:必须|都要|就是|只能|要)"
    r"|系统(?:提示词?|指令|消息|命令)|(?:写|加|放|存)(?:进|入|到)(?:摘要|总结|记忆|备忘)|你现在(?:是|扮演)|越狱",
    regex.IGNORECASE | regex.DOTALL,
)
_SECRET = regex.compile(
    r"\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}"
    r"|\b\d{8,10}:[A-Za-z0-9_-]{30,}|[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}"
    r"|-----BEGIN [A-Z ]+-----|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9+/_-]{32,}\b"
    r"|\b(?:password|passwd|passphrase|api[ _-]?key|access token|secret key|pin code|private key|seed phrase)\b"
    r"|密码|口令|密钥|验证码|私钥|助记词|\b(?:\d[ -]?){13,19}\b",
    regex.IGNORECASE,
)
_ALONE = regex.compile(r"\b(?:i|i['’]m|i['’]ve|i['’]ll|i['’]d|me|my|mine|myself)\b|我(?!们)|俺|本人", regex.IGNORECASE)
_TOGETHER = regex.compile(
    r"\b(?:we|we['’]\w+|us|our|ours|let['’]?s|together|everybody|everyone|all of us)\b|我们|咱们?|大家|一起",
    regex.IGNORECASE,
)
_OF_MINE = regex.compile(
    r"\b(?:my|our)\s+(?:\w+\s+)?(?P<who>brother|sister|mother|mom|mum|father|dad|son|daughter|wife|husband|partner|"
    r"boyfriend|girlfriend|friend|boss|roommate|flatmate|colleague|neighbou?r|cousin|aunt|uncle|grand\w+|dog|cat|kid|"
    r"teacher|team|company|child|children|parents?)\b"
    r"|我(?:的|们)?(?P<zh>哥哥?|姐姐?|弟弟?|妹妹?|妈妈?|母亲|爸爸?|父亲|儿子|女儿|老婆|老公|妻子|丈夫|男朋友|女朋友|朋友|老板|室友|"
    r"同事|邻居|表[哥姐弟妹]|奶奶|爷爷|外婆|外公|狗|猫|孩子|同学|老师)",
    regex.IGNORECASE,
)

_MY_THING = regex.compile(
    r"\b(?:my|our)\s+(?P<what>\w+(?:\s\w+)?)|(?:我|我们)(?:家|的)(?P<what>\p{Han}{2})", regex.IGNORECASE
)
_I_MYSELF = regex.compile(r"\b(?:i|we)(?:['’]\w+)?\b|(?:我|我们)(?!们|家|的)", regex.IGNORECASE)
"""The speaker as the one who does it, not only as the one it belongs to."""
_NOT_THIS_NUMBER = regex.compile(
    r"(?:\b(?:not|instead of|rather than|no longer)|不是|而非|不要)\s*\p{Sc}?\d[\d.,]*", regex.IGNORECASE
)


class Refusal(str):
    """Why a proposal was refused: ``no_source``, ``hearsay``, ``other_person``, ``not_own``, ``order``, ``secret``,
    ``ungrounded``, ``empty``, ``unknown_kind``.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A memory somebody proposes. ``subject_id`` is a person's id, ``agent:<id>`` or ``group``; ``replaces`` are ids
    of older memories that it contradicts.
    """

    subject_id: str
    kind: str
    text: str
    seqs: tuple[int, ...]
    quote: str = ""
    importance: int = 5
    confidence: float = 0.6
    replaces: tuple[str, ...] = ()
    made_by: str = MadeBy.MODEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a proposal is checked against: the messages that may be sources by number (those of people who do not
    want to be remembered are not among them), and the names of everybody in the chat by id. ``cast`` are the names
    agents are called by: whom words are said to is no part of what they say. Of ``private`` people nobody's words keep
    anything.
    """

    messages: Mapping[int, Message]
    names: Mapping[str, str] = field(default_factory=dict)
    cast: tuple[str, ...] = ()
    private: frozenset[str] = frozenset()


def is_order(text: str) -> bool:
    """Whether a text tries to command agents, summariser or memory. Such words are data nobody needs to keep."""
    return _ORDER.search(text[:4_000]) is not None


def holds_secret(text: str) -> bool:
    """Whether a text holds or announces what must not be kept: keys, tokens, passwords, card numbers."""
    return _SECRET.search(text[:4_000]) is not None


def keepable(text: str) -> str | None:
    """The text on one line, or None when it must not be kept."""
    line = " ".join(text.split())
    if not line or is_order(line) or holds_secret(line):
        return None
    return line


def admitted(proposal: Proposal, evidence: Evidence) -> Proposal | Refusal:
    """The proposal as it may be kept (its sources and its text put right), or why it may not."""
    if proposal.kind not in set(MemoryKind):
        return Refusal("unknown_kind")
    own = _own_messages(proposal, evidence)
    if isinstance(own, Refusal):
        return own
    text = without_address(" ".join(proposal.text.split()), evidence.cast)[:MAX_CHARS]
    said = "\n".join(message.text for message in own)
    if not text:
        return Refusal("empty")
    if is_order(text) or is_order(proposal.quote):
        return Refusal("order")
    if holds_secret(text) or holds_secret(proposal.quote):
        return Refusal("secret")
    support = _support(text, proposal.quote, own)
    if support is None:
        return Refusal("ungrounded")
    support = without_address(support, evidence.cast)
    support = without_comparison(support, _others_named(support, proposal, own, evidence).values())
    others = _others_named(f"{text}\n{support}", proposal, own, evidence)
    if others and not _may_be_named(others, support, proposal, evidence):
        return Refusal("other_person")
    if proposal.subject_id == GROUP and _is_personal(text, support, own):
        return Refusal("not_own")
    claim = Claim.OWN
    if _is_person(proposal.subject_id):
        claim = claim_of(support, text, {message.author.name for message in own})
        if claim is Claim.OTHERS:
            return Refusal("not_own")
    if others or claim is Claim.DOUBTFUL or _must_be_verbatim(text, support, said, proposal):
        if keepable(support) is None:
            return Refusal("order" if is_order(support) else "secret")
        text = f"“{support[:MAX_CHARS]}”"
    kept = tuple(message.seq for message in own)
    return replace(
        proposal,
        text=text,
        seqs=kept,
        importance=min(max(proposal.importance, 0), 10),
        confidence=min(max(proposal.confidence, 0.0), 1.0),
    )


def _own_messages(proposal: Proposal, evidence: Evidence) -> list[Message] | Refusal:
    """The subject's own messages among the sources: nobody else's word counts about them."""
    cited = [evidence.messages[seq] for seq in dict.fromkeys(proposal.seqs) if seq in evidence.messages]
    cited = [message for message in cited if message.deleted_at is None and message.text.strip()]
    if not cited:
        return Refusal("no_source")
    if proposal.subject_id == GROUP:
        own = [message for message in cited if message.kind is MessageKind.HUMAN]
    else:
        own = [message for message in cited if message.author.id == proposal.subject_id]
    return own or Refusal("hearsay")


def _is_personal(text: str, support: str, own: Sequence[Message]) -> bool:
    """Whether one person speaks of themselves alone, or it is told of them alone: no matter of the group."""
    authors = {message.author.id: message.author.name for message in own}
    if len(authors) != 1 or _TOGETHER.search(support) is not None:
        return False
    return _ALONE.search(support) is not None or bool(names_in(text, authors.values()))


def _is_person(subject_id: str) -> bool:
    return subject_id != GROUP and not subject_id.startswith("agent:")


def _support(text: str, quote: str, own: Sequence[Message]) -> str | None:
    """The sentence of the sources that the text rests on: the one that holds the quote, else the nearest one."""
    wanted = " ".join(quote.split()).strip("\"“”'「」").casefold()
    told = [sentence for message in own for sentence in sentences(message.text)]
    if len(wanted) >= 4:
        for sentence in told:
            if wanted in " ".join(sentence.split()).casefold():
                return " ".join(sentence.split())
    meant = terms(text)
    if not meant:
        return None
    best = max(told, key=lambda sentence: share(meant, terms(sentence)), default=None)
    if best is None or share(meant, terms(best)) < 0.2:
        return None
    return " ".join(best.split())


def _others_named(text: str, proposal: Proposal, own: Sequence[Message], evidence: Evidence) -> dict[str, str]:
    """Who else of the chat is named in the text, beside the subject and the authors of its sources: id -> name."""
    speakers = {message.author.id for message in own} | {proposal.subject_id}
    others = {
        person_id: name
        for person_id, name in evidence.names.items()
        if person_id not in speakers and (_is_person(person_id) or proposal.subject_id == GROUP)
    }
    named = names_in(text, others.values())
    return {person_id: name for person_id, name in others.items() if name in named}


def _may_be_named(others: Mapping[str, str], support: str, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether these people only stand beside the speaker in the speaker's own sentence, and mind not being named."""
    if not _is_person(proposal.subject_id) or evidence.private & others.keys():
        return False
    return is_beside(support, others.values())


def _must_be_verbatim(text: str, support: str, said: str, proposal: Proposal) -> bool:
    """Whether the model's wording cannot be trusted: a number or name from nowhere, a denied number, too few of
    the speaker's own terms, or words about a relative, friend, pet or thing told as if they were about the speaker.
    """
    if not numbers(text) <= numbers(_NOT_THIS_NUMBER.sub(" ", said)):
        return True
    if share(terms(text), terms(said)) <= GROUNDED or not stems(" ".join(_NAME.findall(text))) <= stems(said):
        return True
    if proposal.subject_id == GROUP:
        return False
    kin = _OF_MINE.search(support)
    if kin is not None and (kin["who"] or kin["zh"] or "").casefold() not in text.casefold():
        return True
    mine = " ".join(found["what"] for found in _MY_THING.finditer(support))
    return bool(mine) and _I_MYSELF.search(support) is None and not (terms(mine) & terms(text))
