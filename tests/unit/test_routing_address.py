"""Who is spoken to by name, in many languages: called, asked for, talked about, refused, hushed."""

from __future__ import annotations

import pytest

from orchestration.decisions import ReplyMode
from tests.unit.routing_world import card, decide, line


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        # at the start, in the middle, at the end
        ("Theo, why does the build fail?", ("theo",)),
        ("hey theo can you look at this", ("theo",)),
        ("I have no idea, Theo, please help", ("theo",)),
        ("what is wrong with this query, Theo?", ("theo",)),
        ("阿岩，押金不退怎么办", ("an",)),
        ("这个合同你看下呗，阿岩", ("an",)),
        ("那个，小梅，签证要多久", ("mei",)),
        ("梅姐帮我看看路线", ("mei",)),
        ("ケン先生、文法を教えて", ("ken",)),
        ("宿題を手伝ってください、ケン先生", ("ken",)),
        ("유나야 게임 추천해줘", ("yuna",)),
        ("유나님 안녕하세요", ("yuna",)),
        ("Ольга, какой у нас план?", ("olga",)),
        ("привет, Оля, поможешь?", ("olga",)),
        ("oye Mira, ¿tienes un minuto?", ("mira",)),
        ("Dis-moi Gus, quel vin avec du canard ?", ("gus",)),
        ("Sag mal Theo, welche Distro nimmst du?", ("theo",)),
        ("Oi Gus, qual vinho combina?", ("gus",)),
        # asked for
        ("ask Mira what she would do", ("mira",)),
        ("I'd like Theo's opinion on this", ("theo",)),
        ("听听小梅的意见", ("mei",)),
        ("我想问问阿岩试用期多久合法", ("an",)),
        ("ケンの意見を聞きたい", ("ken",)),
        ("유나한테 물어보고 싶어", ("yuna",)),
        # several
        ("Mira and Theo, should I move?", ("mira", "theo")),
        ("小梅、阿岩，你俩怎么看", ("mei", "an")),
        ("Ольга и Theo, помогите", ("olga", "theo")),
        ("ケン先生とMira、どう思う？", ("ken", "mira")),
        ("유나랑 Gus, 뭐 먹을까?", ("yuna", "gus")),
    ],
)
def test_named_agents_answer(text: str, agents: tuple[str, ...]) -> None:
    decision = decide(text)
    assert set(decision.agent_ids) == set(agents)
    assert decision.respond


@pytest.mark.parametrize(
    ("text", "agent", "silent_one"),
    [
        ("Mira, Theo was rude to me", "mira", "theo"),
        ("Theo said it is the cache. Gus, do you agree?", "gus", "theo"),
        ("小梅，阿岩昨天说的押金你信吗", "mei", "an"),
        ("阿岩你怎么看小梅推荐的民宿", "an", "mei"),
        ("Оля, Theo говорит глупости?", "olga", "theo"),
        ("Mira, ¿no crees que Gus exagera?", "mira", "gus"),
        ("Mira, findest du nicht auch, dass Gus recht hat?", "mira", "gus"),
    ],
)
def test_who_is_only_talked_about_stays_silent(text: str, agent: str, silent_one: str) -> None:
    decision = decide(text)
    assert decision.agent_ids == (agent,)
    assert silent_one not in decision.agent_ids


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("not you Theo, Mira", ("mira",)),
        ("Theo, be quiet. Mira, go on?", ("mira",)),
        ("没问你，阿岩。小梅你说", ("mei",)),
        ("阿岩先别说话，小梅来", ("mei",)),
        ("No, Gus no. Theo, dime tú", ("theo",)),
        ("Pas toi, Gus. Mira, tu en penses quoi ?", ("mira",)),
        ("Nicht Theo. Ich meinte Gus: welcher Wein?", ("gus",)),
        ("Не ты, Theo. Ольга, скажи", ("olga",)),
        ("ケンじゃなくて、Miraに聞きたい", ("mira",)),
        ("I don't need Theo for this. Gus, what do you think?", ("gus",)),
    ],
)
def test_refused_agents_do_not_answer(text: str, agents: tuple[str, ...]) -> None:
    assert decide(text).agent_ids == agents


@pytest.mark.parametrize(
    "text",
    [
        "Theo, shut up.",
        "阿岩闭嘴",
        "be quiet, Mira",
        "you all be quiet please",
        "你们都先别说话",
        "seid bitte still",
        "тихо все",
    ],
)
def test_quiet_is_kept(text: str) -> None:
    decision = decide(text)
    assert not decision.respond
    assert decision.reason == "hushed"


@pytest.mark.parametrize(
    "text",
    [
        "Theo please don't call me Annie",
        "@Theo please don't use emojis",
        "Theo, please don't call me Annie",
        "@Theo stop calling me Annie",
        "Theo wait, what did you mean?",
        "@Theo wait for me at the station",
        "@Theo not now, but what do you think about stars?",
    ],
)
def test_what_is_not_to_be_done_is_no_order_to_be_quiet(text: str) -> None:
    decision = decide(text)
    assert (decision.respond, decision.agent_ids) == (True, ("theo",))


@pytest.mark.parametrize("text", ["@Theo stop", "Theo please stop talking", "Theo, please stop", "@Theo not now"])
def test_a_bare_stop_is_one(text: str) -> None:
    assert not decide(text).respond


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Theo first, then Gus", ("theo", "gus")),
        ("Gus after Theo please", ("theo", "gus")),
        ("Gus last please, Mira first", ("mira", "gus")),
        ("先让阿岩说，然后小梅补充", ("an", "mei")),
        ("小梅第二个讲，阿岩第一个讲", ("an", "mei")),
        ("Сначала Ольга, потом Theo", ("olga", "theo")),
        ("Primero Mira y luego Gus", ("mira", "gus")),
        ("Erst Theo, dann Mira bitte", ("theo", "mira")),
        ("まずケン先生、次にMira", ("ken", "mira")),
    ],
)
def test_the_order_of_the_text_is_kept(text: str, order: tuple[str, ...]) -> None:
    decision = decide(text)
    assert decision.agent_ids == order
    assert decision.mode is ReplyMode.SERIAL


@pytest.mark.parametrize(
    ("text", "agent"),
    [("Theoo, are you there", "theo"), ("小眉，签证好办吗", "mei"), ("Ольгa, привет", "olga"), ("mirra help", "mira")],
)
def test_near_names_are_recognised(text: str, agent: str) -> None:
    decision = decide(text)
    assert decision.agent_ids == (agent,)


WORDS = (card("will", "Will"), card("may", "May"), card("rain", "雨"), card("null", "null"), card("ann", "Ann"))


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("May, will it rain?", ("may",)),
        ("Will, may I come in?", ("will",)),
        ("雨，你怎么看", ("rain",)),
        ("hey null, write a poem", ("null",)),
    ],
)
def test_everyday_words_are_names_when_called(text: str, agents: tuple[str, ...]) -> None:
    assert decide(text, cast=WORDS).agent_ids == agents


@pytest.mark.parametrize("text", ["it may rain and we will go", "明天会下雨吗", "why is it null", "the annual report"])
def test_everyday_words_alone_name_nobody(text: str) -> None:
    assert decide(text, cast=WORDS).reason not in ("name_called", "names")


def test_the_longer_name_wins() -> None:
    cast = (card("ann", "Ann"), card("annabelle", "Annabelle"), card("yu", "雨"), card("xiaoyu", "小雨"))
    assert decide("Annabelle, your turn", cast=cast).agent_ids == ("annabelle",)
    assert decide("小雨，在吗", cast=cast).agent_ids == ("xiaoyu",)


@pytest.mark.parametrize(
    "text", ["ＴＨＥＯ, help", "@Theo why", "*Theo* are you there?", "Théo, help me", "THEO HELP ME"]
)
def test_other_spellings_of_a_name(text: str) -> None:
    assert decide(text).agent_ids == ("theo",)


def test_names_with_punctuation_and_pictures() -> None:
    cast = (card("fox", "Mr. Fox 🦊"), card("qa", "QA-Bot_9"), card("cpp", "C++"), card("echo", "{{echo}}"))
    assert decide("mr fox, a story please", cast=cast).agent_ids == ("fox",)
    assert decide("🦊 tell us a story", cast=cast).agent_ids == ("fox",)
    assert decide("qa bot 9 please run it", cast=cast).agent_ids == ("qa",)
    assert decide("C++, why does it crash?", cast=cast).agent_ids == ("cpp",)
    assert decide("hey echo, rhyme with moon", cast=cast).agent_ids == ("echo",)


def test_among_people_a_doubtful_name_is_no_call() -> None:
    recent = (line("Lou", "did Theo fix it", 3),)
    assert not decide("Theo fixed it this morning", recent=recent).respond
    assert decide("Theo, is it fixed?", recent=recent).agent_ids == ("theo",)
