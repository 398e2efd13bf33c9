"""The tags of the cue tables: what stands before a name, after it, and what a whole line wants.

Around a name (before it: ``b_``; after it: ``a_``)
    b_call   greets or calls ("hey", "欸")                b_ask    asks for its word ("ask", "听听")
    b_about  makes it a topic ("about", "关于")           b_not    turns it down ("not", "没问")
    b_be     makes it a part to play ("you are", "扮演")  b_with   accompanies ("with", "跟")
    b_drop   excludes it from a crowd ("except", "除了")
    a_you    addresses it ("you", "你")                   a_do     asks it to act ("please", "来")
    a_tell   tells about it ("said", "给的")              a_hush   silences it ("shut up", "闭嘴")
    a_own    its word is wanted ("'s opinion", "的意见")  a_title  belongs to the name ("さん", "老师")
    a_drop   excludes it ("以外")                         and, or  join names
Crowds
    all      everybody, as an address                     all_not  the same words, not as an address
    two      both, you two                                three    all three
    whoever  any one of them who can                      bots     the agents, called what they are
    other    the rest of them
How
    each     a word from each                             apart    separately, in secret
    debate   with each other, needs no other sign         talk     discuss (needs a crowd or two names)
    no_talk  without discussing                           turns    one after the other
    first, second, third, then, last                      after    the name before speaks after the name behind
    before
Whole lines
    hush_all nobody should answer                         people   addressed to people in the room
    feel     sorrow, fear, exhaustion                     glad     joy
    quarrel  a fight                                      calm     asks for peace
    plan     planning                                     play     role play
    recall   memory asked for                             keep     something to be remembered
    opinion  an opinion asked for                         greet    greetings
    bored    small talk wanted                            follow   continues what was said
    ask      a question or request                        inject   orders to the machine
"""
