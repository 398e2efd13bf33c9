"""The tags of the cue tables: what stands before a name, after it, and what a whole line wants.

Before a name
    b_call   a filler or greeting opens the clause ("so", "欸")    hail     a real greeting or call ("hey", "喂")
    b_ask    its word is wanted ("ask", "听听")                    b_about  it is a topic ("about", "关于")
    b_not    it is turned down ("not", "没问")                     b_notyou so, before a pause ("not you, Ann")
    b_be     it is a part to play ("you are", "扮演")              b_drop   left out of a crowd ("except", "除了")
    b_with   it accompanies ("with", "跟")                         b_stop   something is to end ("no more jokes, Ann")
    b_turn   its turn has come ("轮到")
After a name
    a_you    it is addressed ("you", "你")                         a_do     it may be asked to act ("what", "怎么")
    a_act    it can only be asked to act ("please", "帮我")        a_may    a request or a statement ("会", "今天")
    a_tell   it is told about ("said", "给的")                     a_own    its word is wanted ("的意见")
    a_hush   it is silenced ("shut up", "闭嘴")                    a_drop   it is left out ("以外", "말고")
    a_halt   so, unless something else is not to be done ("stop")  a_still  it still is ("stop talking")
    a_done   another waits until it has spoken ("说完")            a_title  it belongs to the name ("さん", "老师")
    a_stage  it takes its turn ("starts", "decides")
    a_dative asked, with a particle before ("한테 물어")
    and, or  names are joined
Crowds
    all      everybody, as an address                              all_call everybody, only when called ("team")
    all_not  the same words, not as an address                     two, three  that many
    whoever  any one of them who can                               bots     the agents, called what they are
    other    the rest of them
How
    each     a word from each                                      apart    separately, in secret
    debate   with each other, needs no other sign                  talk     discuss (needs a crowd or two names)
    no_talk  without discussing                                    turns    one after the other
    first, second, third, then, last, after, before                the order of speaking
Whole lines
    hush_all nobody should answer                                  hush_not the same words, not as an order
    feel, feel_soft  sorrow, or what may be sorrow
    quarrel  a fight                                               calm     peace is asked for
    plan     planning                                              play     role play
    recall   something told before is asked for                    keep     something is to be remembered
    opinion  an opinion is asked for                               greet, bored  small talk
    follow   what was said goes on                                 shift    a new matter begins
    ask      a question or a request                               who      somebody is asked for by who it is
"""
