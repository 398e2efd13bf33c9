"""Names that are also everyday words: alone they prove nothing, only a call, a mention or a list does."""

from __future__ import annotations

from typing import Final

VERBS: Final = frozenset(
    "will may can hope mark bill pat sue rob chase grant drew art dot might must need dare skip ward wade lance rich "
    "frank nick jack don win trip chip reed heath dawn joy grace faith guy max echo even".split()
)
"""Words that begin sentences or hold them together: "may I", "hope you", "will you" call nobody."""

NOUNS: Final = frozenset(
    "rose sky summer april june august ivy olive ruby pearl amber robin hunter mason miles ray gene ernest penny jade "
    "crystal autumn sunny star river stone wolf fox bear angel king queen prince buddy ace blaze scout pepper ginger "
    "basil sage clay cliff dale dean earl glen jay norm peter rusty woody honor hazel heather holly iris jasmine lily "
    "violet daisy rosemary charity constance destiny felicity harmony mercy patience prudence serenity trinity verity "
    "nova zen coach doctor doc dr chef captain data bot null root admin guide judge teacher mod guest test void alpha "
    "beta gamma delta omega sir lord lady mr mrs miss ms professor prof sister brother mother father uncle aunt bard "
    "knight cleric druid wizard master alex rex al an dan dm qa pm ai it who the me you he she we they his her love "
    "happy lucky cookie candy honey sugar mochi coco kiwi mango peach cherry berry luna moon sun storm rain snow cloud "
    "ocean forest phoenix dragon tiger lion panda bunny cat dog bird bug pixel byte chat spark ember ash onyx opal "
    "sapphire emerald diamond gold silver steel iron copper rocky brook bay coral reef pearl sandy dusty misty stormy "
    "merry noble story poet muse oracle sage mentor buddy pal helper friend boss chief major general sergeant agent "
    "spirit ghost shadow night day morning evening winter spring fall mai ali "
    "c r go rust java python ruby swift basic scratch".split()
)

SCRIPTS: Final = frozenset(
    "하늘 보라 나라 사랑 별 달 바다 하루 이슬 슬기 가을 봄 여름 겨울 구름 나무 이 "
    "はな 花 ハル 春 なつ そら 空 うみ ゆき 雪 ひかり 光 さくら 桜 もも "
    "вера надежда любовь лев роза слава мир рада злата майя "
    "نور امل سالم سعيد جميل كريم حبيب ربيع وردة قمر نجم هدى سلام "
    "安 海 雨 雪 风 云 星 月 阳 光 周 王 钱 宝 静 乐 春 夏 秋 冬 花 小雨 小雪 大海 阳光 春天 秋天 天天 明明 多多 开心 快乐 可乐 宝宝 "
    "阿姨 老师 医生 教练 律师 老板 老王 大师 小明".split()
)

TITLES: Final = frozenset(
    "mr mrs ms miss dr doctor prof professor sir madam lord lady chef coach captain sister brother uncle aunt the "
    "saint st don dona señor senor senora herr frau monsieur madame mister master agent bot von van de da del la le el "
    "кот дядя тетя дед бабушка доктор господин ابو ام الدكتور استاذ data i ii iii iv jr".split()
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
SUFFIXES: Final = ("哥", "姐", "叔", "宝", "儿", "子", "总", "老师", "妹", "弟", "爷", "姨", "同学", "酱", "大佬", "神", "大神")
