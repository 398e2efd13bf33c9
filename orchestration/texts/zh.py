"""中文。 One entry a code, sorted by area; the same codes and placeholders stand in every language."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # ------------------------------------------------------------------ notices of a turn
    "notice_basic_mode": "连续几轮都失败了，我先改成一次只给一个简短回答。发送 /resume 可恢复。",
    "notice_recovered": "一切恢复正常，大家都回来了。",
    "notice_turn_failed": "抱歉，这条我没能回答，请稍后再试。",
    # ------------------------------------------------------------------ rights and general refusals
    "not_allowed": "这个操作只有本群管理员可以使用。",
    "not_yours": "只有提出这个问题的人或管理员可以这样做。",
    "storage_unavailable": "数据库正忙，什么都没有改动，请再试一次。",
    # ------------------------------------------------------------------ the cast and its cards
    "agent_changed_meanwhile": "刚才有别人同时修改了“{name}”，请重新查看后再改一次。",
    "agent_unknown": "这里没有叫“{name}”的角色。现有角色：{names}。",
    "card_alias_taken": "“{name}”已经是{holder}的名字了，请换一个别名。",
    "card_aliases_too_many": "一个角色最多 {limit} 个别名，现在有 {count} 个。",
    "card_avatar_not_url": "头像必须是以 https:// 开头的网址（中间不能有空格）。",
    "card_emoji": "头像表情只能是一个表情符号，不能有空格。",
    "card_field_too_long": "“{field}”太长：{length} 个字符，最多 {limit} 个。",
    "card_name_control": "名字里有无法显示的符号（换行或控制字符），请使用文字、数字、空格或表情。",
    "card_name_empty": "角色需要一个名字，至少要有一个看得见的字。",
    "card_name_taken": "“{name}”已经有了（角色 {holder}），请换个名字，例如“{hint}”。",
    "card_name_too_long": "名字太长：{length} 个字符，最多 {limit} 个。",
    "card_talkativeness": "活跃度必须是 0 到 1 之间的数字。",
    "cast_full": "这里已有 {limit} 个角色，不能再多了，请先移除一个。",
    "cast_full_speaking": "这里已有 {limit} 个角色在说话，请先暂停或移除一个。",
}
