"""Names that are also everyday words, titles, and other short lists of words."""

from __future__ import annotations

from typing import Final


def listed(cues: str) -> frozenset[str]:
    """The set of a ``|``-separated list."""
    return frozenset(cues.split("|"))


def tuple_of(cues: str) -> tuple[str, ...]:
    """The entries of a ``|``-separated list, in order."""
    return tuple(cues.split("|"))


VERBS: Final = listed(
    "art|bill|can|chase|chip|dare|dawn|don|dot|drew|echo|even|faith|frank|grace|grant|guy|heath|hope|jack|joy|"
    "lance|mark|max|may|might|must|need|nick|pat|reed|rich|rob|skip|sue|trip|wade|ward|will|win"
)
"""Words that begin sentences or hold them together: "may I", "hope you", "will you" call nobody."""

NOUNS: Final = listed(
    "ace|admin|agent|ai|al|alex|ali|alpha|amber|an|analyst|anchor|angel|april|ash|august|aunt|autumn|banner|"
    "bard|basic|basil|bay|beacon|bear|berry|beta|bird|blaze|bliss|blue|boss|bot|breeze|brick|brook|brother|buck|"
    "buddy|bug|bunny|buster|button|byte|c|candy|captain|cash|cat|chance|chaos|charity|chat|chef|cherry|chess|chief|"
    "chili|cinnamon|clay|cleric|cliff|cloud|clover|coach|coco|cola|comet|constance|cookie|copper|coral|"
    "cosmos|cove|cricket|crystal|curry|cypher|daisy|dale|dan|dash|data|day|dean|delta|destiny|diamond|dm|doc|"
    "doctor|dog|dove|dr|dragon|dream|druid|duke|dusk|dusty|eagle|earl|earnest|editor|elf|elm|ember|emerald|"
    "ernest|evening|expert|fable|falcon|fall|father|felicity|fern|finch|flint|flora|flower|forest|"
    "fortune|fox|friend|gale|gamma|garnet|gem|gene|general|ghost|giant|ginger|glen|glory|go|gold|goose|gray|grey|"
    "guest|guide|gunner|halo|happy|harmony|haven|hawk|hazel|he|heart|heather|helper|her|herb|hero|his|history|"
    "holly|honey|honor|hunter|ice|indigo|ink|iris|iron|it|ivory|ivy|jade|jaguar|jasmine|java|jay|jazz|jet|jewel|"
    "journey|judge|juice|june|juniper|justice|king|kit|kitty|kiwi|knight|lady|lark|laurel|lavender|leaf|"
    "liberty|lily|link|lion|lord|lotus|love|lucky|luna|lynx|lyric|magic|magnolia|mai|major|mango|maple|"
    "marigold|marvel|mason|master|math|maverick|me|meadow|melody|memory|mentor|mercy|merry|miles|mint|"
    "mischief|miss|misty|mochi|mod|monk|monkey|moon|morning|moss|mother|mr|mrs|ms|muse|mystic|neo|neon|night|"
    "noble|norm|nova|null|nurse|oak|oath|ocean|olive|omega|onion|onyx|opal|oracle|orchid|otter|owl|page|paint|pal|"
    "panda|patch|patience|pax|peace|peach|pearl|penny|pepper|petal|peter|phoenix|pilot|piper|pixel|planner|pm|poet|"
    "poppy|prince|princess|prof|professor|promise|prudence|pumpkin|puzzle|python|qa|quartz|queen|"
    "quest|quill|r|rain|rascal|raven|ray|rebel|reef|remedy|rex|rhyme|riddle|rider|ridge|river|robin|robot|"
    "rock|rocket|rocky|root|rose|rosemary|royal|ruby|rust|rusty|saffron|sage|sailor|saint|salt|sand|sandy|sapphire|"
    "sash|scarlet|science|scout|scratch|sensei|serenity|sergeant|shade|shadow|she|sierra|silk|silver|sir|sister|"
    "sky|smoky|snow|socks|solo|spark|sparky|sparrow|spike|spirit|spring|sprout|star|steel|stone|storm|stormy|"
    "story|sugar|summer|sun|sunny|sunshine|support|swift|sword|tally|tango|tank|teacher|teal|temperance|test|the|"
    "they|thistle|thyme|tiger|timber|token|treasure|trinity|tulip|turbo|turtle|twig|uncle|valentine|velvet|"
    "venus|verity|victory|vine|viola|violet|vista|void|we|whisper|who|willow|wind|winter|wisdom|wish|wizard|wolf|"
    "woody|wren|writer|you|young|zen|zephyr"
)
"""Everyday words that people give as names: alone they prove nothing."""

SCRIPTS: Final = listed(
    "вера|злата|лев|любовь|майя|мир|надежда|рада|роза|слава|امل|جميل|حبيب|ربيع|سالم|سعيد|سلام|قمر|كريم|نجم|نور|"
    "هدى|وردة|うみ|さくら|そら|なつ|はな|ひかり|もも|ゆき|ハル|乐|云|光|冬|医生|可乐|周|夏|多多|大师|大海|天天|"
    "安|宝|宝宝|小明|小雨|小雪|开心|律师|快乐|教练|明明|星|春|春天|月|桜|海|王|秋|秋天|空|老师|老板|老王|花|钱|"
    "阳|阳光|阿姨|雨|雪|静|风|가을|겨울|구름|나라|나무|달|바다|별|보라|봄|사랑|슬기|여름|이|이슬|하늘|하루"
)
"""The same in other scripts."""

TITLES: Final = listed(
    "agent|aunt|bot|brother|captain|chef|coach|da|data|de|del|doctor|don|dona|dr|el|frau|herr|i|ii|iii|iv|jr|la|"
    "lady|le|lord|madam|madame|master|miss|mister|monsieur|mr|mrs|ms|prof|professor|saint|senor|senora|señor|sir|"
    "sister|st|the|uncle|van|von|бабушка|господин|дед|доктор|дядя|кот|тетя|ابو|استاذ|الدكتور|ام"
)
"""Parts of a name that name nobody by themselves."""

SYNONYMS: Final = (
    ("医生", "大夫", "医师"),
    ("老师", "师父"),
    ("教练", "教头"),
    ("哥", "哥哥"),
    ("姐", "姐姐"),
    ("叔", "叔叔"),
    ("先生", "总"),
    ("律师", "大律师"),
    ("主任", "老主任"),
    ("妹", "妹妹"),
    ("弟", "弟弟"),
    ("爷", "爷爷", "大爷"),
    ("姨", "阿姨"),
)
"""Endings by which the same person is called."""

PREFIXES: Final = "阿小老大"
SUFFIXES: Final = tuple_of("儿|叔|同学|哥|大佬|大神|妹|姐|姨|子|宝|弟|总|爷|神|老师|酱")
"""What is put before and behind the one character a short Chinese name turns on."""

AUXILIARIES: Final = listed("am|are|can|could|did|do|does|has|have|is|may|might|should|was|were|will|would")
"""English words after a name that ask or tell, by the mark at the end of the sentence."""

NO_SUBJECT: Final = listed(
    "|about|after|already|also|always|and|as|at|because|before|but|by|during|for|from|in|into|just|last|never|not|of|"
    "on|only|or|over|really|since|so|then|to|today|too|until|up|when|with|without|yesterday"
)
"""What follows an auxiliary where it opens no question."""

PLEAS: Final = listed("kindly|please|pls|plz")

LOOSE: Final = listed(
    "a|about|again|also|an|and|around|at|because|but|down|for|here|i|i'm|if|in|it's|its|just|my|no|not|now|of|"
    "off|ok|on|one|or|our|out|over|since|so|still|that|the|there|these|this|to|today|tomorrow|up|we|with|yes|"
    "your"
)
"""English words that may follow a noun as well as a vocative."""

NO_CALL: Final = listed(
    "a|about|again|am|an|and|are|at|but|did|do|does|for|had|has|have|here|in|is|it|just|not|now|of|on|one|or|out|"
    "over|so|still|that|the|there|this|to|was|were|with"
)
"""What follows "team" or "people" where they are talked about."""

HONORIFICS: Final = listed("くん|さん|ちゃん|先生|医生|叔|君|哥|姐|様|老师|老師|누나|님|씨|언니|오빠|형")
"""What may stand between a name and the word that joins it to the next."""

PARTICLES: Final = listed(
    "가|과|군|까지|께|나|누나|누나는|누나도|는|님|님도|님은|님이|님한테|도|라면|랑|를|만|말고|먼저|보다|부터|"
    "빼고|선생님|쌤|씨|씨는|씨도|아|야|야말로|양|언니|언니는|언니도|에게|에게는|오빠|오빠는|오빠도|와|은|을|의|"
    "이|이가|이나|이는|이도|이라면|이랑|이랑|이를|이부터|이야|이야말로|이에게|이의|이한테|처럼|하고|한테|한테는|"
    "형|형도|형은|형이|형한테"
)
"""Hangul glued behind a name that only inflects it."""

CALL_PARTICLES: Final = listed("누나|님|선생님|쌤|씨|아|야|언니|오빠|이야|형")
"""Hangul behind a name that calls it."""

TELL_PARTICLES: Final = listed("가|를|보다|을|의|이가|이의|처럼")
"""Hangul behind a name that makes it a subject, an object, an owner."""

DATIVE_PARTICLES: Final = listed("한테|에게|께|한테는|에게는")
"""Hangul behind a name that something is asked of, said to, given to."""

JOINING_PARTICLES: Final = listed("과|랑|와|이랑|하고")
"""Hangul behind a name that joins it to the next."""
FINAL_PARTICLES: Final = frozenset("啊呀呢吗吧哦啦嘛哈哇呗")
"""What ends a Chinese clause without a comma."""

TASKS: Final = frozenset("管看查算写讲说做弄画选挑订买教练评审改编唱演出列排定找答问背记当扮猜吃喝玩")
"""Chinese characters that, right behind a name, give that one something to do."""
