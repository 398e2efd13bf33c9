"""Fields of everyday life: words of one field belong together though they have no letter in common. Pure.

A question seldom repeats the words it was told in ("a pet" for a cat, 几点 for a time), nor always the language. The
table is data: a field a line (indented lines go on), English words, then Chinese ones. Where embeddings are installed
they know more; here it is enough that the right memory is not the last one.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from orchestration.memory.terms import READ_CHARS, stems

_TABLE = """
eat food meal dish dinner lunch breakfast brunch cook taste snack hungry menu restaurant cuisine serve recipe feast
  buffet 吃 饭 菜 食 餐 火锅 烧烤 口味 零食 饿
vegetarian vegan meat steak beef pork chicken sausage bacon ham lamb burger barbecue bbq veggie 素 荤 肉 牛排 烤串
  香肠 汉堡
fish seafood shrimp prawn crab lobster oyster salmon tuna sushi shellfish 鱼 虾 蟹 海鲜 寿司 生蚝 贝
allergy allergic intolerance intolerant react sneeze itch hive rash asthma pollen hay anaphylaxis antihistamine 过敏
  喷嚏 花粉 发痒 起疹 哮喘 鼻炎
nut peanut sesame tahini almond hazelnut walnut cashew satay pistachio 花生 坚果 芝麻 杏仁 核桃 腰果 宫保 麻酱
milk dairy lactose cheese butter cream yoghurt yogurt gluten wheat 牛奶 乳 奶酪 芝士 黄油 麸 小麦
spicy chilli chili pepper hot curry garlic onion coriander cilantro mushroom herb season 辣 椒 麻 咖喱 蒜 葱 香菜
  蘑菇
sweet dessert cake chocolate candy sugar ice-cream cookie biscuit honey 甜 糖 蛋糕 巧克力 冰淇淋 饼干 奶茶
bread bake baker bakery sourdough loaf oven dough pastry 面包 烘焙 烤箱 面团 酸面
coffee caffeine espresso latte decaf cappuccino tea matcha 咖啡 茶 拿铁 咖啡因
alcohol beer wine drunk drink pub bar whisky whiskey vodka cocktail sober booze teetotal 酒 喝 醉 啤 干杯
smoke smoker cigarette tobacco vape cigar nicotine 烟 抽
pet cat kitten dog puppy hamster parrot rabbit animal tortoise goldfish vet 宠物 猫 狗 兔 鹦鹉 仓鼠 乌龟 铲屎
horse ride rider riding saddle pony stable 马术 骑马
family relative kin relation mother mum mom father dad parent brother sister sibling aunt uncle cousin son daughter
  child gran grandmother grandfather grandma grandpa eldest youngest 家人 亲戚 长辈 家里 妈 爸 哥 弟 姐 妹 奶奶 爷爷
  外婆 外公 老大 老二
mother mum mom mama father dad papa parent 妈 母 爸 父 爹 娘
brother sister sibling twin cousin aunt uncle nephew niece 哥 弟 姐 妹 表 堂 叔 舅 姑 侄
child children kid son daughter baby toddler newborn pregnant pregnancy expect birth nursery 孩 娃 儿子 女儿 宝宝
  怀孕 预产 生娃
grandmother grandma gran granny grandfather grandpa grandparent 奶奶 爷爷 外婆 外公 姥
wife husband spouse partner married marriage marry wedding divorce divorced single engaged fiance bride marital
  widow 老婆 老公 妻 丈夫 结婚 离婚 婚 对象 单身 爱人
ex former boyfriend girlfriend date dating breakup relationship lover 前任 前男友 前女友 以前的对象 男朋友 女朋友 恋
  分手
friend mate buddy roommate flatmate housemate share neighbour neighbor lodger 朋友 室友 合租 邻居 同住 闺蜜
live home house flat apartment address reside city town move rent landlord village street district place 住 家 搬
  城市 房 租 地址 村 小区 老家
country abroad native nationality passport visa citizen immigrant born grew hometown 国 护照 签证 籍 出生地 老家
  长大
document passport licence license identity certificate permit expire valid 证 护照 驾照 到期 失效 有效
job work profession occupation career employ employer employed living boss office company trade position shift wage
  hire 工作 职业 上班 谋生 公司 单位 老板 做什么 入职 岗位 同事
nurse doctor surgeon pharmacy pharmacist teacher teach engineer lawyer chef driver pilot translator programmer
  developer firefighter brigade police farmer accountant architect journalist electrician carpenter plumber designer
  护士 医生 药房 老师 教 工程师 律师 厨师 司机 飞行员 翻译 程序员 消防 警 农 会计 建筑师 记者 电工 木匠 设计师
office treasurer chair president secretary captain role member club society committee board 会计 主席 会长 秘书 队长
  职务 担任 社团 俱乐部
school university college study student exam test class lesson course degree graduate thesis revise learn homework
  teacher 学校 大学 上学 学生 考 课 复习 毕业 论文 学习 备考
money budget cost price pay paid euro dollar pound yuan afford spend expensive cheap salary fund 钱 预算 块 元 价 贵
  便宜 工资 花费 开销 付
debt owe lend lent borrow loan repay return back 欠 债 借 还
car vehicle drive driver motorbike motorcycle motor scooter bike bicycle ride van truck automobile wheel park 车
  开车 驾 骑 机车 摩托 自行车 停车 辆
plane fly flight airport airline air aeroplane airplane 飞机 飞 航班 机场 坐飞机
train rail railway station subway metro bus tram commute 火车 高铁 地铁 公交 车站 通勤
travel trip holiday vacation journey tour tourist abroad leave away break getaway 旅行 旅游 出差 度假 休假 假期 放假
  出门
boat ship ferry sail sailing yacht seasick vessel sea cruise 船 艇 帆 晕船 出海 海
swim swimmer pool water dive diving scuba snorkel beach wave drown 游泳 泳 水 潜水 浮潜 下水 沙滩
hike hiking walk mountain climb climber trail trek summit 爬山 登山 徒步 攀 山
run runner marathon race jog sprint training train 跑 马拉松 比赛 训练
sport football soccer club team fan support match league basketball tennis rugby cricket goal player volleyball 球
  足球 篮球 网球 比赛 球迷 队 支持
ski skiing snow snowboard ice winter skate 滑雪 雪 滑冰 冬
gym fitness exercise workout yoga muscle weight 健身 锻炼 瑜伽 运动 减肥
music song sing singer band concert gig choir album record tune listen 音乐 歌 唱 乐队 演唱会 合唱 听
instrument piano guitar violin cello drum flute trumpet play practise practice 乐器 琴 吉他 鼓 笛 小号 弹 拉
film movie cinema series show episode watch spoiler plot ending documentary 电影 影 剧 片 看剧 剧透 结局 综艺
book read reader reading novel fiction literature author poem story library comic 书 读 小说 虚构 文学 作者 诗 漫画
game gamer gaming chess console video board 游戏 棋 打牌 桌游
paint painter draw art artist sketch sculpture museum craft knit sew pottery 画 艺术 绘 美术 博物馆 手工 编织 陶
photo picture camera photography film lens portrait image 照片 拍 相机 摄影 图
collect collector collection hobby pastime stamp vintage antique 收藏 爱好 集邮 古董 兴趣
garden plant flower tree gardener grow vegetable 花园 种 花 植物 树 菜园 园
language speak speaker tongue english french german spanish polish chinese japanese italian russian korean swedish
  dutch portuguese arabic bilingual translate 语 语言 外语 英文 中文 英语 日语 法语 德语 西班牙 方言 翻译
name call nickname spell address known spelling surname title 名 叫 称呼 小名 外号 写法 姓
birthday born birth age old year anniversary 生日 出生 岁 年龄 年纪
colour color red green blue yellow black white purple pink orange shade 颜色 色 红 绿 蓝 黄 黑 白 紫 粉
size big small large tall height shoe foot feet boot inch cm shirt wear clothes dress trousers hat 码 尺 鞋 脚 身高
  大小 衣 裤 穿 帽
body hand arm leg ankle knee back eye ear head finger handed injury broke broken 手 臂 腿 脚踝 膝 眼 耳 头 受伤 摔
  骨折 撇子
glasses contact lens see sight vision blind colourblind 眼镜 隐形 视力 近视 色盲
hear hearing deaf audio voice sound noise loud quiet headphone 听力 耳 语音 声音 吵 安静
ill illness sick disease diabetes diabetic insulin medical condition health medicine pill doctor hospital treatment
  surgery migraine chronic 病 糖尿病 胰岛素 药 医院 身体 健康 手术 治疗 头疼
dentist tooth teeth appointment checkup clinic 牙 约 诊所 体检
wheelchair step stair stairs ramp lift elevator access disability disabled accessible entrance 轮椅 楼梯 坡道 电梯
  无障碍 残 入口
sleep bed night insomnia awake nap wake early late dream tired 睡 床 失眠 熬夜 起床 醒 困 夜
fear afraid scared terrified phobia panic anxious nervous relaxed calm 怕 恐 慌 紧张 焦虑 放松 害怕
sad cry depressed lonely grief funeral died death loss mourn 难过 哭 抑郁 孤独 去世 葬礼 丧
religion religious church mosque temple pray muslim christian jewish buddhist halal kosher faith fast ramadan 宗教
  教堂 寺 信仰 祷告 穆斯林 清真 佛 斋
message text ping call phone mobile number contact email mail reach telephone voice 电话 手机 消息 短信 号码 联系 打
  尾号 邮 发
meeting call slot appointment schedule agenda calendar conference 会 会议 约 日程 开会 电话会
party celebrate celebration surprise bash birthday guest invite gift present 派对 聚会 惊喜 庆生 庆祝 礼物 客人 邀请
joke gag tease fun laugh mock humour 玩笑 说笑 笑话 取笑 打趣 调侃
tool drill hammer saw screwdriver ladder repair fix 工具 钻 锤 锯 螺丝 梯 修
renovate renovation rebuild build builder kitchen bathroom paint wall roof decorate construction 装修 改造 工程 厨房
  浴室 刷 墙 屋顶 建
computer laptop notebook pc macbook thinkpad tablet iphone android phone software code program keyboard server
  screen projector device gadget printer 电脑 手机 软件 代码 程序 键盘 投影 设备 打印
code password pin lock key door entry alarm 码 密码 锁 钥匙 门 门禁
bring carry fetch take deliver 带 拿 捎
promise swear vow commit pledge said 保证 答应 承诺 说好
move start begin new join leave quit resign retire 开始 入职 搬 离职 辞职 退休 换
weather rain sun cold hot heat warm summer winter 天气 雨 晒 冷 热 夏 冬
politics election vote party government politician 政治 选举 投票 政府
public stranger private secret 公开 外人 陌生 私下 保密
allow permit change alter permission may right admin 权限 允许 调整 改 只有 能改
"""
_WHEN = regex.compile(
    r"\b(?:when|what (?:time|day|date|month|year)|which (?:day|date|month|weekend)|how (?:long|often|soon))\b"
    r"|什么时候|何时|几[号点月时]|哪[天年月]|多久|多少号|啥时",
    regex.IGNORECASE,
)
_TIMED = regex.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day|tomorrow|tonight|noon|midnight|weekend|week|month|year|(?:19|20)\d\d|\d{1,2}(?::\d\d|[ap]m|st|nd|rd|th))\b"
    r"|\d{1,2}(?:月|号|日|点)|(?:[一二三四五六]|[七八九十])月|(?:周|星期|礼拜)(?:[一二三四五六]|[日末天])|明[天年]|下[周个]|(?:19|20)\d\d年?|月底|每",
    regex.IGNORECASE,
)
_HOW_MANY = regex.compile(
    r"\bhow (?:many|much|big|old|tall|far)\b|多少|几[个只条岁位块人]|多[大高远重]", regex.IGNORECASE
)
_COUNTED = regex.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|hundred)\b|[两三四五六]|[七八九十百千]",
    regex.IGNORECASE,
)
_RUN = regex.compile(r"\p{Han}+")


def _read(table: str) -> dict[str, tuple[int, ...]]:
    """English stem or Chinese word -> its fields."""
    fields: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(table.strip().replace("\n  ", " ").splitlines()):
        for word in {*stems(line), *_RUN.findall(line)}:
            fields[word] = (*fields.get(word, ()), number)
    return fields


_FIELDS = _read(_TABLE)
_LONGEST = max(len(word) for word in _FIELDS if _RUN.fullmatch(word))


@lru_cache(maxsize=4_096)
def fields_of(text: str) -> frozenset[str]:
    """The fields that the words of a text belong to, each as a term no word can be."""
    folded = unicodedata.normalize("NFKC", text[:READ_CHARS]).casefold()
    found = {number for stem in stems(folded) for number in _FIELDS.get(stem, ())}
    for run in _RUN.findall(folded):
        for at in range(len(run)):
            for size in range(1, _LONGEST + 1):
                found.update(_FIELDS.get(run[at : at + size], ()))
    terms = {f"\0field {number}" for number in found}
    if _WHEN.search(text) or _TIMED.search(text):
        terms.add("\0field when")
    if _HOW_MANY.search(text) or _COUNTED.search(text):
        terms.add("\0field how many")
    return frozenset(terms)


def is_field(term: str) -> bool:
    return term.startswith("\0")
