"""What never matters: quoted names, the order of the cast, what an agent happens to be called."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from orchestration.decisions import RouteDecision
from orchestration.model import AgentCard
from orchestration.routing.decide import route
from orchestration.routing.inputs import RouteInput
from tests.unit.routing_world import asked, card

QUOTES = ('"{}"', "“{}”", "「{}」", "«{}»", "『{}』", "`{}`")
LATIN = (
    card("a", "Brenna", description="warm listener, comfort and feelings"),
    card("b", "Castor", description="software engineer, code and servers"),
    card("c", "Delphine", description="chef: recipes and wine"),
)
HAN = (
    card("a", "阿岚", description="倾听陪伴，安慰人"),
    card("b", "老郭", description="写代码，修电脑"),
    card("c", "小澄", description="做菜，食谱"),
)
LATIN_LINES = (
    "{a}, how do I cook rice?",
    "what do you think, {b}?",
    "{a} and {c}, should I go?",
    "not you {a}, {b}",
    "{a}, {b} was rude to me",
    "everyone except {c}: tea or coffee?",
    "{b} first, then {a}",
    "how do I roast a chicken",
    "my server is down and the code fails",
    "good morning everyone",
    "ask {c} about dinner",
    "I read what {a} said",
)
HAN_LINES = (
    "{a}，今天吃什么",
    "你怎么看，{b}？",
    "{a}和{c}，我该去吗",
    "没问你，{a}。{b}你说",
    "除了{c}，你们都说说",
    "先{b}再{a}",
    "红烧肉怎么做",
    "电脑蓝屏了怎么办",
    "大家早上好",
    "听听{c}的意见",
)
NEW_LATIN = ("Rosalind", "Thaddeus", "Wilhelmina", "Quentin", "Isolde", "Barnaby")
NEW_HAN = ("阿琛", "老邢", "小瑜", "老褚", "阿珂", "小湉")

PIECES = ("{a}", ",", "@", '"', "「", "not", "你们", "和", "\n", ">")

lines = st.one_of(
    st.sampled_from(LATIN_LINES).map(lambda t: (LATIN, t)), st.sampled_from(HAN_LINES).map(lambda t: (HAN, t))
)


def said(cast: tuple[AgentCard, ...], template: str) -> RouteInput:
    return asked(template.format(**{c.id: c.name for c in cast}), cast=cast)


def essence(decision: RouteDecision) -> tuple[object, ...]:
    return (decision.respond, decision.agent_ids, decision.mode, decision.intent, decision.reason, decision.clarify)


@settings(deadline=None, max_examples=80)
@given(lines, st.sampled_from(QUOTES), st.integers(0, 2), st.booleans())
def test_adding_a_quoted_name_never_changes_whom_a_named_line_addresses(
    line: tuple[tuple[AgentCard, ...], str], quote: str, who: int, behind: bool
) -> None:
    cast, template = line
    if "{" not in template:
        return
    plain = said(cast, template)
    quoted = quote.format(cast[who].name)
    text = f"{plain.text} {quoted}" if behind else f"{quoted} {plain.text}"
    before, after = route(plain), route(replace(plain, text=text))
    assert (after.agent_ids, after.mode, after.respond) == (before.agent_ids, before.mode, before.respond)


@settings(deadline=None, max_examples=80)
@given(lines, st.permutations(range(3)))
def test_the_order_of_the_cast_never_matters(line: tuple[tuple[AgentCard, ...], str], order: list[int]) -> None:
    cast, template = line
    inputs = said(cast, template)
    shuffled = replace(inputs, cast=tuple(cast[i] for i in order))
    assert route(shuffled) == route(inputs)


@settings(deadline=None, max_examples=80)
@given(lines, st.permutations(range(6)))
def test_renaming_agents_consistently_never_matters(line: tuple[tuple[AgentCard, ...], str], order: list[int]) -> None:
    cast, template = line
    names = NEW_LATIN if cast is LATIN else NEW_HAN
    renamed = tuple(replace(c, name=names[order[i]]) for i, c in enumerate(cast))
    assert essence(route(said(renamed, template))) == essence(route(said(cast, template)))


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=300), st.integers(1, 6))
def test_any_text_gives_a_lawful_decision(text: str, cap: int) -> None:
    decision = route(asked(text, cast=(*LATIN, *(replace(c, id=f"h{c.id}") for c in HAN)), cap=cap))
    assert len(decision.agent_ids) <= cap
    assert len(set(decision.agent_ids)) == len(decision.agent_ids)
    assert 0 <= decision.confidence <= 1


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from([*LATIN_LINES, "{a}", ",", "@", '"', "「", "not", "你们", "和", "\n", ">"]), max_size=12)
)
def test_pieces_in_any_order_give_a_lawful_decision(pieces: list[str]) -> None:
    decision = route(said(LATIN, " ".join(pieces)))
    assert set(decision.agent_ids) <= {"a", "b", "c"}


@settings(deadline=None, max_examples=60)
@given(lines)
def test_a_decision_is_always_the_same(line: tuple[tuple[AgentCard, ...], str]) -> None:
    assert route(said(*line)) == route(said(*line))
