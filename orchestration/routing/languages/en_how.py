"""English: how several are to answer: apart, together, in which order."""

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
        "a back and forth|thrash it out|negotiate|spar|passing it along|passing it on|pass it along|"
        "taking it in turns|each adding|picking up where|building off|improvise it together"
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
        "goes next|follow|follows|after which|hand over to|pass to|pass it to|picks up|take over|takes over|before|"
        "once that's done|once that is done|once it's done|once this is done|when that's done|when it's done|"
        "once you're done|once she's done|once he's done|once they're done|after this|with that done|later on"
    ),
    "last": (
        "last|lastly|finally|at the end|in the end|goes last|closes|close|wrap up|wraps up|wraps it up|decides|"
        "sums up|sum up|concludes|finish|finishes|to finish|has the last word|final word|final say|end with|"
        "to close|closing"
    ),
    "after": ("after|following|once|behind|as soon as|when|comes after|goes after|speaks after|right after|only after"),
    "before": "before|prior to",
}
