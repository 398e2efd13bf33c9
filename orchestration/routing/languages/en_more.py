"""English: how to answer, and what whole lines want."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "each": (
        "each of you|each one of you|each|one each|every one of you|one word each|one line each|a line each|"
        "one sentence each|apiece|from each|each agent|each give|you each|separately|individually|one by one|"
        "respectively|everyone give|each bot|each character|one from each|single sentence each|a sentence each|"
        "two each|three each"
    ),
    "apart": (
        "separately|separate answers|separate opinions|separate replies|separate takes|separate|individually|"
        "individual answers|independently|independent|independent opinions|on your own|on your owns|"
        "by yourselves|privately|in private|in secret|secretly|secret vote|secret ballot|blind vote|blind|"
        "blind taste|anonymous|anonymously|without looking|without peeking|no peeking|no copying|don't copy|"
        "dont copy|don't look at|dont look at|do not look at|without reading|without seeing|don't read|dont read|"
        "without talking to|without discussing|without consulting|no discussing|no discussion|don't discuss|"
        "dont discuss|don't confer|dont confer|no conferring|without conferring|no peeking at|don't coordinate|"
        "no coordinating|in parallel|at the same time|simultaneously|at once|all at once|whisper to me|dm me|"
        "each on your own|each of you on your own|without influencing|uninfluenced|no cheating|don't influence|"
        "no talking to each other|each in your own|each from your own|one by one without|don't peek|each of you|"
        "individual|straw poll|gut reaction|without hearing|without knowing what|no collaborating|"
        "no collaboration|without collaborating|no teaming up|no consulting|no comparing|without comparing|"
        "no sharing|no spoilers between|keep it to yourselves|each write down|sealed|sealed answers|"
        "sealed envelope|no looking|not looking|blindly|on separate"
    ),
    "debate": (
        "debate|debate it|debate this|have a debate|argue|argue it out|argue about|argue over|argue among|"
        "argue among yourselves|argue with each other|fight it out|duke it out|battle it out|battle|hash it out|"
        "hash this out|talk it over|talk it out|talk it through|talk among yourselves|talk amongst yourselves|"
        "discuss among|discuss among yourselves|discuss amongst|discuss with each other|discuss it|discuss this|"
        "discuss together|brainstorm|brainstorm together|brainstorming|let's brainstorm|convince each other|"
        "persuade each other|convince one another|roast each other|interview each other|challenge each other|"
        "correct each other|critique each other|respond to each other|react to each other|answer each other|"
        "reply to each other|listen to each other|build on each other|build on|building on|riff off|riff on|"
        "bounce off|bounce ideas|play off each other|compare notes|take turns|taking turns|turn by turn|in turns|"
        "in turn|round robin|round-robin|one after another|one after the other|one at a time|relay|pass it on|"
        "pass the story|continue the story|chain story|story chain|tag team|back and forth|huddle|party huddle|"
        "confer|deliberate|put your heads together|heads together|come to an agreement|come to a consensus|"
        "reach a consensus|reach consensus|reach an agreement|agree on|settle it between|settle this between|"
        "sort it out between|decide together|decide among|work it out together|work together|work it out|"
        "collaborate|team up|co write|write together|improvise together|improvise a scene|act out|duet|"
        "sing together|rap battle|pros and cons between|devil's advocate|for and against|one for and one against|"
        "one argues|point counterpoint|between yourselves|amongst yourselves|among yourselves|panel discussion|"
        "roundtable|round table|town hall|jury|jury duty|dialogue|have a conversation|conversation between|"
        "a back and forth|thrash it out|negotiate|spar"
    ),
    "talk": (
        "discuss|discussion|talk|chat|together|argue|debate|jointly|collectively|as a team|as a group|each other|"
        "one another"
    ),
    "no_talk": (
        "don't discuss|dont discuss|no discussion|no discussing|without discussing|don't debate|no debate|"
        "no debating|without debating|don't argue|dont argue|no arguing|stop arguing|without talking to|"
        "don't talk to each other|no talking to each other|don't look at each other|dont look at each other|"
        "don't look at each other's|without looking at each other|without seeing each other|"
        "not look at each other|without reading each other|don't read each other|don't copy each other|"
        "no copying each other|without consulting each other|don't consult|without hearing each other|"
        "don't influence each other|without influencing each other|without conferring|don't confer|no conferring|"
        "don't answer each other|don't reply to each other|don't respond to each other|don't react to each other|"
        "don't build on|don't peek at each other|each other's answers|each others answers|each other's replies|"
        "stop fighting|don't fight|no fighting|hate each other|love each other|no collaborating|no collaboration|"
        "no teaming up|no consulting|no comparing|without comparing"
    ),
    "turns": (
        "take turns|taking turns|in turn|in turns|in order|in that order|in this order|one after another|"
        "one after the other|one by one|one at a time|round robin|sequentially|in sequence|step by step|"
        "go around|relay|respectively in order|turn by turn|that order"
    ),
    "first": (
        "first|first up|goes first|go first|starts|start|start with|starting with|begin with|begins|begin|opens|"
        "open|kick off|kicks off|leads|lead|to start|firstly|first of all|number one|1st|#1|up first"
    ),
    "second": "second|secondly|2nd|goes second|number two",
    "third": "third|thirdly|3rd|goes third|number three",
    "then": (
        "then|and then|after that|afterwards|afterward|next|followed by|subsequently|later|once done|when done|"
        "goes next|follow|follows|after which|hand over to|pass to|pass it to|picks up|take over|takes over|"
        "before"
    ),
    "last": (
        "last|lastly|finally|at the end|in the end|goes last|closes|close|wrap up|wraps up|wraps it up|decides|"
        "sums up|sum up|concludes|finish|finishes|to finish|has the last word|final word|final say|end with|"
        "to close|closing"
    ),
    "after": ("after|following|once|behind|as soon as|when|comes after|goes after|speaks after|right after|only after"),
    "hush_all": (
        "be quiet|quiet please|please be quiet|quiet everyone|everyone quiet|everybody quiet|shut up|"
        "everyone shut up|all of you shut up|bots shut up|stop talking|stop replying|stop responding|"
        "stop answering|don't reply|dont reply|do not reply|don't answer|dont answer|do not answer|don't respond|"
        "dont respond|do not respond|no replies|no reply|no replies please|no answers please|no reply needed|"
        "no response needed|no need to reply|no need to answer|no need to respond|not talking to you|"
        "wasn't talking to you|wasnt talking to you|not talking to any of you|not talking to the bots|"
        "not asking you|not asking any of you|wasn't asking you|not for you|not for the bots|not for you guys|"
        "nobody asked you|no one asked you|stay quiet|stay silent|stay out of this|stay out of it|keep quiet|"
        "keep out of this|keep out of it|silence|silence please|hush|hush now|hush everyone|shush|shh|shhh|"
        "pipe down|zip it|give us a minute|give us a moment|give us a sec|leave us alone|leave us be|"
        "mind your own business|butt out|take a break|everyone take a break|take five|go to sleep|sleep mode|"
        "mute|mute yourselves|ignore this|ignore me|ignore us|ignore this message|ignore my last message|"
        "please ignore|talking to a human|humans only|human only|between humans|just us humans|no bots|"
        "no bots please|no bots for|no ai|without bots|bots stay out|bots be quiet|pause the bots|hold off|"
        "hold your replies|hold the replies|hold your horses everyone|don't interrupt|dont interrupt|"
        "stop interrupting|enough from you|enough out of you|no comments|no comment from|nothing from you|"
        "nobody answer|nobody reply|nobody say anything|no one answer|no one reply|not now bots|not now everyone|"
        "don't chime in|no chiming in|don't jump in|not a question for you|this isn't for you|"
        "this is not for you|stand down|speak only when|stop replying please|please stop replying|everyone stop|"
        "stop all of you|enough everyone|that's enough everyone|no more replies|no more answers|let me think|"
        "let me think alone|let us talk|let me talk to|leave me alone|go quiet|quiet down|quiet now|quiet you|"
        "bots off|bots shush|shush bots|can you all be quiet|hush for|quiet for|silence for|say nothing|"
        "keep it down|not a word|no talking|nobody speak|nobody talk|no one speak|stop chatting|stop spamming|"
        "stop commenting|radio silence|pause please|enough|that's enough|that is enough|enough now"
    ),
    "feel": (
        "sad|so sad|depress*|miserable|lonely|loneliness|really alone|so alone|feeling down|feel down|"
        "feeling low|feel low|down lately|heartbroken|heartbreak|break up|breakup|broken up|dumped|dumped me|"
        "cried|tears|grief|griev*|mourn*|passed away|death|funeral|lost my|cancer|diagnos*|sick with worry|"
        "panicking|terrified|overwhelm*|burnt out|burned out|burnout|burning out|can't cope|cant cope|"
        "can't anymore|can't do this|cant do this|can't go on|can't take|cant take|falling apart|fall apart|"
        "breaking down|breakdown|hopeless|helpless|worthless|i failed|not good enough|never good enough|"
        "hate myself|hate my life|ashamed|embarrass*|humiliat*|hurting|heart hurts|in pain|numb|feel lost|"
        "feeling lost|rejected|rejection|ghosted|betray*|cheated on|cheated|abandoned|nobody likes|no one likes|"
        "nobody cares|no one cares|nobody understands|no friends|not one friend|no one to talk|nobody to talk|"
        "miss her|miss him|miss them|i miss|missing my|homesick|laid off|lost my job|got fired|bullied|bully|"
        "yelled at|screamed at|rough day|bad day|terrible day|horrible day|awful day|hard day|tough day|long day|"
        "rough week|bad week|hard week|tough week|rough night|rough time|hard time|tough time|vent|can i vent|"
        "need to vent|need a hug|comfort|comfort me|cheer me up|cheer up|listen to me|someone to talk|"
        "need someone|talk to someone|feel like crap|feel like shit|feel awful|feel terrible|feel bad|"
        "feel horrible|feel sick|feel empty|feel nothing|feel worthless|feel stupid|feel like a|feeling like a|"
        "unloved|unwanted|devastated|crushed|shattered|gloomy|bummed|not ok|not okay|not doing well|"
        "not doing great|not doing so|suffer*|nightmare*|can't sleep|cant sleep|can't stop crying|couldn't sleep|"
        "didn't get in|didn't get the|want to give up|giving up|give up|what's the point|whats the point|"
        "no point|pointless|i'm a mess|im a mess|hate everything|disappoint*|let everyone down|let down|"
        "weird that i miss|put down|put to sleep|put my cat down|put my dog down|put him down|put her down|"
        "feel invisible|invisible|love me|never loved|left me on read|nobody would notice|no one would notice|"
        "in surgery|surgery|rejection letter|rejected again|pretending i'm fine|i'm so not|all for nothing|"
        "stopped talking to me|not in the mood|laughed at me|made fun of me|mocked me|humiliated|don't matter|"
        "do not matter|i don't matter|matter to anyone|got dumped|just got dumped|dumped over|broke my heart|"
        "unappreciated|left out|excluded|hospice|say goodbye"
    ),
    "quarrel": (
        "quarrel*|bicker*|squabbl*|yell*|shout*|insult*|blame|blaming|accus*|your fault|my fault|whose fault|"
        "who's right|whos right|who is right|who's wrong|apolog*|say sorry|make up|make peace|truce|calm down|"
        "calm them|calm both|break it up|settle down|cool it|cool down|stop fighting|stop arguing|"
        "stop it you two|knock it off|cut it out|mediat*|mediator|step in|gets ugly|get ugly|before this gets|"
        "ugly|conflict|dispute|reconcile|hostile|deleted my|on purpose|you always|you never|coward|be nice|"
        "play nice|get along|bury the hatchet|referee|umpire|arbitrat*|judge between|take sides|side with|feud|"
        "out of hand|went too far|too far|crossed the line|crossed a line|backstab*|kill each other|"
        "at each other|each other's throats|squabble|bickering|stop the fighting|keep fighting|fighting again|"
        "had a fight|big fight|arguing|argument|civil|keep it civil|be civil|settle this|someone neutral|"
        "peace please|peace|drama|beef between|called me a|took my side"
    ),
    "calm": (
        "calm down|calm them|calm them both|calm both|calm everyone|calm this|peace|truce|break it up|"
        "stop fighting|stop arguing|stop bickering|don't fight|dont fight|knock it off|cut it out|cool it|"
        "settle down|settle this|chill|chill out|play nice|be nice|get along|make up|make peace|apologize|"
        "apologise|say sorry|mediate|mediator|step in|referee|who's right|whos right|whose fault|neutral|"
        "someone neutral|stop it you two|stop it both|enough you two|easy now|take a breath|take it easy|"
        "deep breath|sort this out|bury the hatchet|hug it out|kiss and make up|no fighting|not because of me|"
        "de escalate|defuse|ceasefire|keep it civil|be civil|civil|settle this for us|settle this for|"
        "sort it out between|someone settle|stop this|no more insults|insults|play fair|shake hands|sides|"
        "enough already|that is enough|break up this|stop yelling|lower your voices|use your words|"
        "be kind to each other"
    ),
    "plan": (
        "plan|planning|plans|schedule|scheduling|timeline|timetable|roadmap|milestone*|itinerary|agenda|program|"
        "programme|routine|budget for|prepare|preparing|prep|preparation|organise|organize|organizing|arrange|"
        "steps|first step|next step|where do i start|where to start|how do i start|how should i start|checklist|"
        "to do list|todo|to-do|strategy|deadline|launch|until launch|weeks until|days until|set up|savings goal|"
        "goal|goals|save up|saving for|allocate|split my|move to|moving to|relocat*|week program|week plan|"
        "meal plan|study plan|workout plan|training plan|weekend trip|road trip|trip to|day trip|days in|"
        "nights in|wedding|birthday party|throw a party|dinner for|host*|menu for|outline|break down|"
        "breakdown of|phases|sprint|backlog|project plan|from zero to|by friday|by monday|by next|by the end of|"
        "in three months|before i|next month|next week|next year|get ready|map out|figure out how to"
    ),
    "play": (
        "pretend|pretend you're|pretend you are|pretend to be|roleplay|role play|role-play|rp|imagine you're|"
        "imagine you are|imagine we're|act as|act out|in character|stay in character|scene|campaign|quest|"
        "initiative|roll initiative|roll for|roll a|i roll|rolls|dungeon|tavern|inn|castle|dragon|sword|knight|"
        "wizard|spell|cast a spell|i cast|potion|goblin|orc|cave|we enter|i enter|i draw my|draws|attack the|"
        "sneak*|stealth|what do we see|what do i see|once upon a time|let's play|lets play|you be the|"
        "i'll be the|ill be the|you play|i'm a|improvise|improv|story time|tell me a story|bedtime story|"
        "tell us a story|continue the story|narrate|npc|character|captain|starship|detective|interrogat*|suspect|"
        "pirate|kingdom|my lord|your majesty|milord|m'lady|thou|thee|hast|yes and|scenario|simulate|be my|"
        "interview me|mock interview|judges|cooking show|game show|dm|ambush|lantern|the stranger|waiter|"
        "customer|bartender"
    ),
    "recall": (
        "remember|do you remember|remember when|did i say|did i tell|did i mention|have i told|i told you|i said|"
        "i mentioned|told you|what did i|what was the|which one did i|what was my|what's my|whats my|what is my|"
        "what are my|do you know my|you know my|remind me what|remind me|when did i|where did i|who did i|"
        "how old did|last time i|last week i|earlier i|i already|already know|what have i|recall|you forgot|"
        "did you forget|have you forgotten|my favourite|my favorite|my birthday|my allergies|my allergy|memory"
    ),
    "keep": (
        "remember|remember that|please remember|remember i|remember my|note that|make a note|take note|"
        "for the record|keep in mind|bear in mind|don't forget|dont forget|never forget|from now on|in future|"
        "in the future|for future|next time|call me|save this|write this down|write down|i prefer|i only|i like|"
        "i don't like|i dont like|i don't eat|i dont eat|i can't eat|i hate|i love|i'm allergic|im allergic|"
        "allergic|allergy|i'm vegan|i'm vegetarian|vegan|vegetarian|my birthday|my name is|my pronouns|"
        "i'm left handed|fyi|btw i|lactose|gluten|only window|window seat|window seats|always give me|always|"
        "never suggest|stop suggesting"
    ),
    "opinion": (
        "what do you think|thoughts|opinion|opinions|what's your take|your take|hot take|take on|views|view on|"
        "your view|do you think|do you agree|agree|should i|should we|which is better|better|or not|rate|rating|"
        "recommend|suggest|advice|feedback|favorite|favourite|best|prefer|would you rather|what about|how about|"
        "pick|choose|vote|verdict|reckon|how do you feel"
    ),
    "greet": (
        "hi|hello|hey|hiya|yo|sup|what's up|whats up|wassup|morning|good morning|gm|good evening|evening|"
        "good afternoon|good night|night|nighty night|gn|goodnight|bye|goodbye|see you|see ya|later|cya|ttyl|brb|"
        "back|i'm back|im back|i'm home|im home|happy new year|happy birthday|merry christmas|happy holidays|"
        "happy easter|happy friday|happy monday|tgif|good to see|long time no see|how's everyone|how is everyone|"
        "how are you all|how are you|how are we|how's it going|hows it going|how goes|anyone up|anyone there|"
        "anyone here|anyone home|welcome|cheers|greetings|howdy|hola|salut|ciao|have a good|have a great|"
        "have a nice|sleep well|sweet dreams|off to bed|heading to bed|weekend|finally friday|"
        "finally the weekend"
    ),
    "bored": (
        "bored|boring|entertain me|entertain us|nothing to do|amuse me|tell me a joke|tell a joke|joke|"
        "make me laugh|cheer|chat with me|just chatting|random|fun fact|what's new|whats new|how's life|"
        "nice weather|lovely day|beautiful day|nice day|sunny|snowing|raining|weekend|monday again|coffee|"
        "slow day|waiting for"
    ),
    "follow": (
        "and|and the|and what|and how|and if|and then|but|but what|but why|but how|so|then|what about|how about|"
        "why|why not|why is that|how come|how so|what do you mean|meaning|explain|explain yourself|explain that|"
        "elaborate|more|tell me more|go on|continue|keep going|again|another|another one|one more|more please|"
        "the first|the second|the third|first one|second one|third one|last one|the other|the other one|"
        "the latter|the former|that one|this one|which one|which|that|those|these|it|it's|its|them|him|her|he|"
        "she|there|same|instead|else|anything else|something else|cheaper|is it|is that|are they|are you sure|"
        "you sure|sure|really|seriously|for real|wait|hmm|hm|huh|what|ok|okay|k|yes|yeah|yep|no|nope|nah|thanks|"
        "thank you|thx|ty|got it|i see|makes sense|fair|true|right|exactly|lol|lmao|haha|hahaha|rofl|nice|cool|"
        "great|wow|oh|ah|ooh|ugh|rude|ouch|not working|didn't work|doesn't work|still|tried|did that|done|also|"
        "too|does that|do they|would that|could i|can i|should i|for example|example|like what|such as|how much|"
        "how long|how many|how far|when|where|who|on windows|on mac|do you think"
    ),
    "ask": (
        "what|what's|whats|how|how's|why|when|where|which|who|who's|can|could|would|should|does|do|did|is|are|"
        "was|were|will|any|help|tell|explain|give|show|write|recommend|suggest|please|pls|need|want|looking for|"
        "wondering|advice|tips|ideas|idea|thoughts|opinion"
    ),
    "feel_soft": (
        "hospital|stress|stressed|stressful|pressure|tired of|so tired|scared|afraid|worried|worry|worrying|"
        "insomnia|lost|stuck|sick|hurt|hurts|failed|failing|died|exhausted|useless|broken|heavy|blue|mess|"
        "failure|regret|fear|cry|crying|divorce*|upset|panic|drained|struggling|struggle|jealous|empty|"
        "meh lately|ruined|fired|broke up|disappointed|alone|hug|hugs|ignored|screwed up|my ex|insecure|anxious|"
        "anxiety|guilt|guilty"
    ),
}
