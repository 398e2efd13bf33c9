"""English: around names, crowds."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "b_call": (
        "hey|hi|hello|hiya|heya|yo|oi|ok|okay|k|so|well|oh|ah|um|uh|er|dear|please|pls|plz|sorry|excuse me|"
        "thanks|thank you|thx|ty|cheers|good morning|morning|gm|good evening|evening|good afternoon|good night|"
        "night|gn|howdy|greetings|sup|hmm|hm|right|alright|all right|now|and|but|also|psst|ahoy|my dear|wait|"
        "actually|anyway|btw|by the way|quick question|question|come on|c'mon|look|listen|yes|yeah|yep|no|nope|"
        "nah|sure|great|cool|nice|lol|haha|help|help me|welcome|welcome back|congrats|you there|then|or|maybe|"
        "perhaps|thoughts|honestly|fine|peace|good|oh hey|hey there|hi there|oh well|ok so|okay so|ok then|"
        "same question|your turn|over to you|go|go on|come|what about you|how about you|what say you|"
        "what do you think|i ask you|tell me|be honest|seriously|o|oh dear|mate|lord|lady|sweet|poor|good old|ey|"
        "ay|hola|salut|bonjour|hallo|moin|ciao|merci|danke|gracias|your turn now|first off|firstly"
    ),
    "b_ask": (
        "ask|asking|tell|let|let's hear from|lets hear from|let's hear|hear from|hear|call|calling|paging|page|"
        "summon|get|bring in|bring|cc|ping|pinging|want|i want|i'd like|id like|i would like|need|i need|over to|"
        "back to|question for|one for|this one's for|this is for|for|want to hear from|like to hear from|"
        "love to hear from|love to hear|love|curious what|wondering what|wonder what|curious if|wondering if|"
        "curious how|what does|what do|what did|what would|what might|what will|how would|how does|how do|"
        "how should|can|could|would|should|have|invite|consult|summoning|looking for|i meant|i mean|meant|"
        "meant for|i'm asking|im asking|i am asking|i asked|i was asking|was asking|was talking to|talking to|"
        "i'm talking to|im talking to|just|only|just ask|only ask|where's|wheres|where is|maybe|perhaps|rather|"
        "instead|i choose|i pick|i'd rather have|rather have|rather hear|prefer|someone like|any thoughts from|"
        "thoughts from|opinion from|opinions from|input from|take from|answer from|answers from|advice from|"
        "word from|verdict from|second opinion from|help from|feedback from|a line from|a joke from|i'd ask|"
        "start with|starting with|begin with|end with|finish with|followed by|first|then|next|lastly|finally|"
        "after that|and then|then let|first let|let me ask|give it to|hand it to|hand over to|pass it to|pass to|"
        "turn to|defer to|addressed to|directed at|attention|attn|wake up|go ahead|take it away|you're up|"
        "step in|where are you|both|either|from both|neither"
    ),
    "b_about": (
        "about|like|of|by|with|from|at|on|to|than|as|told|tell|said|says|saw|met|thinks|think|thought|heard|hear|"
        "because|since|that|if|when|while|what|whether|why|how|according to|agree with|disagree with|love|hate|"
        "miss|blame|thank|called|named|quoting|quote|calling|reading what|read what|between|via|per|my|her|his|"
        "our|the|a|an|this|another|some|no|every|unlike|without|loves|hates|likes|tease|manage|rein in|handle|"
        "stop|shut|control|ignore|forward|sent|gave|give|show|showed|asked|was|so|even|poor|guess|hope|wish|know|"
        "knows|knew|before|after|until|for"
    ),
    "b_not": (
        "not|not you|not asking|not for|wasn't asking|wasnt asking|wasn't talking to|wasnt talking to|"
        "i wasn't asking|not talking to|didn't ask|didnt ask|i didn't ask|didn't mean|did not mean|did not ask|"
        "don't need|dont need|do not need|don't want|dont want|do not want|no need for|no need to ask|don't ask|"
        "dont ask|do not ask|rather than|instead of|anyone but|anybody but|anything but|never mind|nevermind|"
        "forget|forget about|leave|leave out|skip|not from|no more|nobody asked|no one asked|without|who asked|"
        "wasn't for|wasnt for|isn't for|isnt for|was not for|is not for|not to|not the|no not|no offense|"
        "no offence|sorry not|please not|definitely not|certainly not|anyone other than|not calling|i don't mean|"
        "i dont mean|don't let|dont let|do not let|don't bring|ignore|not addressing|wrong person|"
        "sit this one out|stay out of it|keep out of this|quiet|hush|shush|shh|silence|shut up|shut it|be quiet|"
        "stop it|enough|zip it|pipe down|hold on|let me not hear from"
    ),
    "b_notyou": (
        "not you|wasn't asking you|wasnt asking you|i wasn't asking you|not asking you|i'm not asking you|"
        "not talking to you|wasn't talking to you|wasnt talking to you|didn't ask you|didnt ask you|i didn't ask you|"
        "nobody asked you|no one asked you|who asked you|didn't mean you|don't mean you|i don't mean you|"
        "not you this time|never asked you|not now|not today|not this time|not right now|no thanks|no thank you|"
        "maybe later|not yet|another time"
    ),
    "b_drop": (
        "except|except for|but not|all but|everyone but|everybody but|apart from|other than|besides|minus|"
        "without|excluding|bar|save for|aside from|not counting|not including|anyone but|anybody but|leaving out|"
        "leave out"
    ),
    "b_be": (
        "you are|you're|youre|you are now|you're now|you are also|be|become|act as|act like|pretend to be|"
        "pretend you're|pretend you are|play|play as|playing|playing as|roleplay as|role play as|impersonate|"
        "speak as|talk as|talk like|speak like|answer as|reply as|respond as|pose as|imagine you're|"
        "imagine you are|imitate|mimic|i am|i'm|im|my name is|name is|named|i'm now|call yourself|"
        "in the voice of|in the style of|as"
    ),
    "b_with": ("with|to|for|between|at|of|by|on|against|from|and|than|like|among|told|tell|telling|without|front of"),
    "a_you": (
        "you|u|ya|your|you're|youre|you'd|you've|you'll|can you|could you|would you|will you|do you|did you|"
        "are you|were you|have you|should you|please|pls|plz|can u|could u|would u|do u|r u|may you|might you|"
        "won't you|don't you|aren't you|if you|what do you|what's your|whats your|how do you|how are you|"
        "how would you|what would you|why do you|why are you|when do you|where do you|kindly|what did you|"
        "when will you|when can you|did u|have u|what are you|that was|that hurt|that is mean|that is rude|"
        "that is so|how dare you"
    ),
    "a_do": (
        "please|pls|plz|kindly|help|tell|explain|give|show|write|make|check|look|calm|cheer|sing|draw|find|say|"
        "speak|describe|suggest|recommend|pick|choose|plan|translate|review|fix|read|play|let|lend|remind|remember|"
        "don't forget|dont forget|note|noted|save|keep|stop|come|go|wake|hurry|answer|reply|respond|list|count|"
        "compare|summarise|summarize|tl|tldr|thoughts|opinion|opinions|ideas|idea|any|any thoughts|any idea|"
        "any ideas|any tips|any advice|quick|quick question|question|what|what's|whats|how|how's|hows|why|when|"
        "where|which|who|is|are|was|does|do|did|can|could|should|would|will|am|have|has|i|i'm|im|i've|ive|i'd|my|"
        "me|we|we're|our|let's|lets|this|that|these|it's|its|there|if|guess|teach|take|talk|tell me|run|roll|start|"
        "begin|finish|first|second|third|then|last|next|after|go first|on|with|thank|thanks|ty|thx|hi|hello|hey|"
        "good|morning|night|love|lol|haha|same|ok|okay|yes|no|nah|sorry|congrats|happy|need|want|wanna|gimme|lemme|"
        "halp|i'd like|been|feel|feeling|never|never mind|the|a|an|one|for|about|in|at|to|of|also|again|still|just|"
        "now|today|tomorrow|tonight|so|but|and|because|since|though|or|not|try|add|set|put|turn|use|grab|bump|ship|"
        "schedule|book|order|rate|roast|judge|settle|weigh|join|lead|open|close|share|post|send|draft|outline|"
        "sketch|guide|walk|break|confirm|verify|test|debug|sanity|proofread|edit|rewrite|rank|estimate|calculate|"
        "compute|forecast|predict|tally|mediate|comfort|hug|listen|chat|entertain|distract|motivate|push|pull|"
        "spell|define|name|here|around|awake|up|online|you there|your|ur|your turn|out|off|down|over|closes|"
        "should speak|should answer|should start|should go first|should reply|should go|can start|can go first|"
        "to start|give me|write me|save me|got a|got any|got time|got the|got some|got your|got room|got anything|"
        "got one|got another|is it|is he|is she|is that true|is that right|is that ok|is that okay|is that correct|"
        "is that normal|is that safe|is that enough|is that possible|is that you|is this true|is this right|"
        "is this ok|is this okay|is this correct|is this normal|is this safe|is this enough|is this you|are we|"
        "are they|are there|was it|was he|was she|was i|was that true|was that right|was that ok|was that okay|"
        "was that correct|was that normal|was that safe|was that enough|was that possible|was that you|"
        "was this true|was this right|was this ok|was this okay|was this correct|was this normal|was this safe|"
        "was this enough|was this you|were we|were they|do we|do they|do i|do those|do these|does he|does she|"
        "did we|did they|did i|did he|did she|can i|can we|can it|can that|can this|can they|can he|can she|"
        "could i|could we|could it|could that|could this|could they|could he|could she|will i|will we|will it|"
        "will that|will this|will they|will he|will she|would i|would we|would it|would that|would this|would they|"
        "would he|would she|should i|should we|should it|should that|should this|should they|should he|should she|"
        "has he|has she|have we|have they|have i|may i|may we|should say|should tell|should tell us|should explain|"
        "should comment|should present|should respond|should weigh in|should chime in|should summarise|"
        "should summarize|should conclude|should add|should introduce|should narrate|should judge|gets to start|"
        "has to start|may start|may begin"
    ),
    "a_tell": (
        "said|says|say that|told|tells|already|thinks|thought|was|wasn't|were|has|hasn't|had|is|isn't|isnt|is so|"
        "is such|is a|is the|is right|is wrong|was right|was wrong|is too|is really|is always|is being|keeps|"
        "kept|always|never|also|just|did|didn't|does|doesn't|doesnt|went|gave|made|sent|wrote|posted|suggested|"
        "recommended|mentioned|asked|wants|wanted|needs|liked|likes|loves|hates|and i|seems|seemed|sounds|"
        "sounded|looks|looked|will|would|won't|used|uses|helped|roasted|called|got|gets|took|takes|broke|fixed|"
        "forgot|knows|knew|even|really|actually said|left|came|comes|explained|taught|showed|answered|replied|"
        "promised|shipped|booked|picked|chose|found|bought|drew|sang|cooked|burned|owes|owe|sucks|rocks|rules|"
        "failed|passed|finished|started|stopped|the other|yesterday|last|earlier|been|on the|in the|at the|from|"
        "to|who|or not|stuff|style|lol|himself|herself|itself|themselves"
    ),
    "a_hush": (
        "shut up|shut it|be quiet|quiet|hush|shush|shh|silence|zip it|stop talking|stop|don't talk|dont talk|"
        "don't answer|dont answer|do not answer|don't reply|dont reply|do not reply|don't respond|dont respond|"
        "stay out|stay quiet|stay silent|keep quiet|sit this one out|sit this out|sit down|stand down|back off|"
        "go away|not you|not now|not today|hold on|hold your tongue|wait|be silent|pipe down|enough|no comment|"
        "leave it|pls stop|please stop|please be quiet|please shut up|please don't|you can rest|take a break|"
        "take five|you don't need to|you dont need to|you needn't|must not speak|must not|mustn't|shall not speak|"
        "may not speak|can't speak|should not answer|shouldn't answer|keep out of this|keep out|stay out of this|"
        "stay out of it|mute|muted|off duty|let others speak|let someone else|let the others|no need|"
        "no need to reply|no need to answer|on mute|no thanks|no thank you|not your turn|not your call|not for you|"
        "this isn't for you|this is not for you|let me finish|let her speak|let him speak|let them speak|can wait|"
        "you can go|go to sleep|go to bed|you're dismissed|dismissed|at ease|cut it out|knock it off|give it a rest|"
        "zip|don't worry about it|not your problem|not your business|you can skip|skip this|skip this one|"
        "ignore this|ignore this one|ignore that|ignore me"
    ),
    "a_own": (
        "'s opinion|'s take|'s view|'s thoughts|'s advice|'s input|'s verdict|'s perspective|'s call|'s answer|"
        "'s help|'s read|'s feedback|'s say"
    ),
    "a_title": (
        "san|chan|kun|sama|sensei|senpai|bro|dude|mate|buddy|dear|darling|my friend|my dear|my man|old friend|"
        "sir|madam|ma'am|boss|bot|friend|baby|babe|love|honey|bestie|king|queen|pal"
    ),
    "a_halt": (
        "stop|wait|please stop|pls stop|please don't|please dont|please do not|not now|not today|hold on|no need|"
        "must not|mustn't|enough|can wait"
    ),
    "a_still": (
        "talk|talking|answer|answering|reply|replying|respond|responding|speak|speaking|comment|commenting|say|saying|"
        "interrupt|interrupting|chime|jump|post|posting|write|writing|please|now|already|it|that|this|for now|for a|"
        "thanks|thank|both|guys|everyone|all|pls|ok|okay|till|until|you"
    ),
    "a_drop": (
        "aside|excluded|excepted|not included|can skip|can sit this one out|sits this one out|doesn't have to|"
        "doesn't need to"
    ),
    "and": (
        "and|&|plus|with|as well as|n|and also|along with|together with|and then|then|also|vs|versus|und|et|y|e|и|&amp"
    ),
    "or": "or|or maybe|either|and/or|o|ou|oder|или|or else",
    "all": (
        "everyone|everybody|y'all|yall|all of you|you all|you guys|all y'all|you lot|you folks|you people|"
        "every one of you|each of you|each one of you|everyone here|everyone in here|you peeps|yous|youse|yourselves|"
        "the lot of you|among yourselves|amongst yourselves|you each|all agents|all bots|the whole team|"
        "the whole gang|whole gang|one and all|all hands|each from you|any of you all|all you|you all three|"
        "whole team|entire team|whole crew|whole squad|whole party|entire party|whole group|entire group|whole cast|"
        "entire cast|whole room|question for the group|question for all of you|asking the group|asking everyone|"
        "to the whole group|for the group|to the group|question for everyone|question to all|each character|"
        "each agent|each bot|every one|each player|every agent|every character|every bot|each person here|"
        "each member|every member|each of them|what do we all|do we all|are we all|how do we all|what are we all|"
        "what do we think|how do we feel about|quick poll|poll time|show of hands|raise your hand|hands up who|"
        "hands up if|you're all|you are all|question for you all|all of ya|each and every one of you|"
        "every last one of you"
    ),
    "all_call": (
        "guys|folks|gang|team|squad|crew|party|people|friends|all|ladies|gentlemen|ladies and gentlemen|fam|lads|"
        "mates|fellas|dudes|peeps|party members|adventurers|companions|comrades|colleagues|council|panel|chat|room|"
        "here|channel|my friends|my dears|dears|dear friends|boys|girls|boys and girls|kids|class|troops|heroes|"
        "party huddle|team huddle|council of|group|question for the group|question for everyone|dear all|hi all|"
        "hello all|hey all|morning all|guys and girls|you lovely people|lovely people|peoples|cast|my crew|"
        "my lovelies|lovelies|dear group|hey group|hi group|beautiful people|nerds|humans and bots|everyone here|"
        "darlings|my loves|loves|teammates|roomies|dear team|my team of|council members|panelists|pals|besties|"
        "legends|buddies"
    ),
    "all_not": (
        "everyone said|everyone says|everyone thinks|everyone thought|everyone knows|everyone knew|everyone in|"
        "everyone at|everyone on|everyone else is|everyone else has|everyone was|everyone is|everyone's|everybody's|"
        "everyone has|everyone had|everyone loves|everyone loved|everyone hates|everyone should|everyone left|"
        "everyone keeps|everyone tells|everyone told|everyone around|everyone laughed|everyone wants|everyone got|"
        "everyone went|everyone seems|everybody said|everybody says|everybody thinks|everybody knows|everybody in|"
        "everybody at|everybody is|everybody was|everybody has|with everyone|to everyone|for everyone|from everyone|"
        "like everyone|than everyone|of everyone|at everyone|not everyone|about everyone|told everyone|"
        "because everyone|since everyone|that everyone|why everyone|so everyone|if everyone|where everyone|"
        "love everyone|with everybody|to everybody|for everybody|not everybody|with people|some people|other people|"
        "many people|most people|people are|people say|people think|people in|people who|people at|people keep|"
        "of people|my friends|with friends|some friends|friends are|friends with|friends and|friends of|friends say|"
        "old friends|new friends|best friends|my team|our team|the team|a team|team is|team has|team at|team lead|"
        "team meeting|team building|dev team|sales team|football team|soccer team|design team|new team|their team|"
        "his team|her team|team up|which team|what team|the party|a party|party at|party is|birthday party|my party|"
        "party for|third party|dinner party|house party|after party|party planning|our party|the chat|this chat|"
        "a chat|chat with|group chat|chat about|the room|my room|a room|this room|room is|living room|the channel|"
        "this channel|a channel|all the|all of the|all of my|all of this|all of it|all my|all day|all night|at all|"
        "after all|all in|all i|all that|all this|all right|above all|all about|is that all|that's all|all over|"
        "first of all|all out|all good|it all|all time|of all time|of all|all along|all because|all week|all weekend|"
        "all set|all year|all kinds|over all|all done|all alone|all fine|all gone|all these|all those|all his|"
        "all her|all our|not all|we all|us all|they all|them all|at all costs|right here|in here|around here|"
        "over here|from here|out here|here is|here's|here are|here to|here for|i'm here|im here|am here|was here|"
        "is here|are here|here i|be here|got here|get here|live here|new here|been here|here and|down here|"
        "works here|work here|the guys|those guys|these guys|some guys|two guys|guys at|guys are|my guys|guys in|"
        "good guys|bad guys|guys who|the crew|my crew|the squad|the gang|my gang|my fam|the fam|my folks|the folks|"
        "folks at|her folks|his folks|the panel|the council|my colleagues|my mates|my people|your people|the people|"
        "each day|each week|each month|each time|each one|each night|each year|each of the|each of my|each of these|"
        "each of us|each with|hate each other|love each other|with each other|know each other|like each other|"
        "talk to each other|see each other|we each|fighting each other|on each other|for each other|to each other|"
        "you're all i|you're all alone|you are all i|you're all set|you are all set|you're all good|you're all right|"
        "you're all that|you are all that|you are all alone|you're all over|poll said|poll says|the poll|"
        "what do we think of me|nerds at|my buddies|my pals|the nerds"
    ),
    "two": (
        "you two|both of you|the two of you|two of you|you both|both|you pair|the pair of you|pair of you|"
        "the both of you|either of you|you're two|you are two|you're my two|you are my two|be my two|as my two|"
        "as the two"
    ),
    "three": (
        "you three|the three of you|three of you|all three of you|all three|you four|the four of you|four of you|"
        "all four|all five|all four of you|all five of you|five of you|all six|all eight|all eight of you|"
        "three judges|three of ya|you're three|you are three|you're my three|you are my three|be my three|"
        "as my three|as three|be three|you're four|you are four|you're my four|you are my four|three of y'all"
    ),
    "whoever": (
        "who of you|which of you|which one of you|who among you|any of you|anyone|anybody|someone|somebody|who knows|"
        "who can|who could|who's good|whos good|who is good|who owns|who's awake|whos awake|who's up|whos up|"
        "who's around|who's free|who here|who else knows|who wants|who would|who handles|who's in charge|"
        "who is in charge|who do i ask|who should i ask|whoever|any takers|any volunteers|volunteer|volunteers|"
        "is there someone|is there anyone|one of you|any one of you|who's responsible|who is responsible|who has|"
        "who's got|who understands|anyone here|anyone know|does anyone|can anyone|can someone|could someone|"
        "would someone|somebody please|someone please|who'd|who can help|who's the best|who is the best|who might|"
        "who remembers|is anyone|has anyone|anyone else|someone here|who's the right one|who's best at|"
        "who is best at|whose turn|who's on duty|any kind soul|any expert|any experts|any of you lot|is one of you|"
        "can one of you|could one of you"
    ),
    "bots": (
        "bots|bot|agents|ais|ai|robots|robot|machines|characters|npcs|assistants|chatbots|all bots|every agent|"
        "every bot|clankers|every character|every other character|personas"
    ),
    "other": (
        "everyone else|everybody else|the others|the rest|the rest of you|rest of you|others|all the others|"
        "every other character|every other agent|all other agents|anyone else|the other two|the other three|"
        "the remaining"
    ),
    "hail": (
        "hey|hi|hello|hiya|heya|yo|oi|dear|hey there|hi there|morning|good morning|good night|good evening|"
        "thanks|thank you|thx|ty|sorry|excuse me|howdy|psst|ok|okay|ahoy|hey hey|oh hey|ok so|help|welcome back|"
        "greetings"
    ),
    "a_act": (
        "please|pls|plz|kindly|help|tell|explain|show|thoughts|first|second|third|last|start|then|should speak|"
        "should answer|should start|should go first|should reply|should go|speak|can start|can go first|to start|"
        "give me|write me|sing|recommend|suggest|teach|translate|calm|your turn|save me|cheer|describe|draw|play|1st|"
        "2nd|3rd|follow|open|close|sum up|wrap up|finish|summarise|summarize|motivate|cover|handle|take|argue|rate|"
        "roast|judge|settle|check|confirm|review|list|plan|guide|walk me|scout|heal|gimme|lend|remind|give us|"
        "tell us|show us|help us|save us|hit us|hit me"
    ),
    "a_done": ("is done|is finished|has finished|finishes|has spoken|has answered|has gone|speaks|has had a say|goes"),
    "shift": (
        "by the way|btw|different question|another question|new topic|unrelated|off topic|changing the subject|"
        "change of subject|on another note|random question|side note|separate question|different topic|anyway|"
        "also quick"
    ),
    "a_stage": (
        "starts|goes|begins|opens|decides|closes|speaks|answers|goes first|goes second|goes next|goes last|leads|"
        "sums up|wraps up|wraps it up|follows|finishes|ends|concludes|kicks off|covers|handles|takes|presents|"
        "shows|explains|replies|responds|reviews|checks|comments|continues|adds|sings|plays|judges|reacts|"
        "summarises|summarizes|takes over|picks up|heals|treats|guards|scouts|narrates|describes|draws|writes|"
        "reads|tells|gives|plans|cooks|rates|roasts|translates|tests|fixes|decides on|says|says something|asks|"
        "brings"
    ),
    "b_stop": (
        "no more|enough|enough of|enough with|stop|quit|cut the|cut out the|spare us|spare me|save the|hold the|"
        "not another|drop the|less of"
    ),
}
