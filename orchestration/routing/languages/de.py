"""German: calling, crowds, order, negation, and a few whole-line cues."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "b_call": (
        "hallo|hi|hey|he|na|moin|servus|guten morgen|guten tag|guten abend|gute nacht|danke|bitte|sag mal|sag|"
        "also|so|ok|okay|nein|ja|entschuldigung|sorry|und|aber|oh|ach|lieber|liebe|hor mal|du|gut|morgen|nee|"
        "mensch|tach|gruss dich|tschuldigung|komm|kurze frage|frage"
    ),
    "b_ask": (
        "frag|frage|frag mal|fragt|ich frage|ich meinte|ich meine|meinte|meine|was meint|was sagt|was denkt|"
        "wie sieht|ich will|ich mochte|ich hatte gern|ruf|hol|lass|lasst|zuerst|erst|dann|danach|die meinung von|"
        "meinung von|an|fur|jetzt|nur|sondern|eher|lieber|ich brauche|kann|konnte|konntest|was wurde|nun ist|"
        "dran ist|als nachstes|zum schluss|von"
    ),
    "b_about": (
        "uber|von|mit|wie|laut|dass|wenn|weil|als|der|die|das|ein|eine|mein|meine|dein|bei|zu|hat|wegen|ob|findet|hatte"
    ),
    "b_not": (
        "nicht|nicht du|nicht an|ich meine nicht|ich frage nicht|statt|anstatt|ausser|ohne|kein|keine|"
        "ich brauche nicht|nicht fur|ich meinte nicht|halt den mund|sei still|bloss nicht|nicht mit"
    ),
    "b_notyou": (
        "nicht du|dich hab ich nicht gefragt|dich nicht|dich habe ich nicht gefragt|nicht dich|"
        "ich meine nicht dich|nicht mit dir|dich habe ich nicht gemeint|dich meine ich nicht|dich meinte ich nicht|"
        "nicht jetzt|jetzt nicht|ich rede nicht mit dir|dich frage ich nicht|nicht fur dich|ich frage nicht dich"
    ),
    "b_drop": "ausser|bis auf|ohne|abgesehen von",
    "b_be": (
        "du bist|du bist jetzt|spiel|spiele|tu so als warst du|stell dir vor du bist|sei|als|verhalte dich wie|"
        "du spielst"
    ),
    "b_with": "mit|zu|fur|von|zwischen|bei|an",
    "a_you": (
        "du|dir|dich|dein|deine|deiner|kannst|kannst du|konntest|konntest du|hast|hast du|bist du|bist|weisst|"
        "weisst du|findest|findest du|meinst|meinst du|magst|magst du|willst|sag|sag mal|ihr|wie siehst|"
        "was meinst|was denkst|was sagst|wurdest|wurdest du|glaubst|denkst|hilfst"
    ),
    "a_do": (
        "bitte|hilf|erklar|erklare|erzahl|zeig|gib|schreib|mach|schau|komm|was|wie|wann|wo|warum|wieso|welche|"
        "welcher|welches|wer|wieviel|sing|beruhige|empfiehl|such|zuerst|erst|dann|ich|wir|mein|mir|gibt|ist das|"
        "soll|danke|hallo|antworte|merk|vergiss|denk|ubersetz|pruf|rechne|eine idee|irgendwelche|kurz|mal|noch|"
        "sag"
    ),
    "a_tell": (
        "hat|hatte|sagt|sagte|meint|meinte|ist|war|wird|wollte|will|macht|kann|findet|fand|gestern|schon|immer|"
        "manchmal|nie|auch|empfahl|mir"
    ),
    # "still" alone: in English it asks whether somebody is there yet.
    "a_halt": "still",
    "a_still": "bitte|jetzt|mal|sein",
    "a_hush": (
        "sei still|sei ruhig|still|ruhe|halt den mund|halts maul|klappe|nicht du|schweig|warte|antworte nicht|"
        "sag nichts|pause|nicht antworten|halt dich raus"
    ),
    "a_own": "s meinung",
    "and": "und|sowie|mit|plus",
    "or": "oder|entweder|beziehungsweise",
    "all": (
        "alle|ihr|euch|ihr alle|jeder|jede|zusammen|jeder von euch|alle zusammen|alle mal|ihr beide|"
        "untereinander|allesamt"
    ),
    "all_call": (
        "leute|freunde|team|zusammen|alle|ihr lieben|jungs|madels|gruppe|runde|kollegen|mannschaft|volk|"
        "allerseits|miteinander|kinder"
    ),
    "all_not": (
        "alle sagen|alle sagten|alle meinen|mit allen|alle meine|alle anderen|alle wissen|jeder sagt|jeder weiss|"
        "jeder meint|alle leute|die leute|meine freunde|meine leute|mit freunden|mein team|das team|im team|"
        "alle haben|alle sind|alle die|alle paar|alle zwei|alle drei tage|jeder hat|jeder ist|jeder in|"
        "jede woche|jede nacht|jede menge|bei euch zu hause|jeder mensch|zusammen mit|zusammen in|zusammen sind|"
        "euer haus|alle in|alle waren|ich zusammen|jede art"
    ),
    "two": "ihr beiden|ihr beide|ihr zwei|euch beide|euch beiden|beide",
    "three": "ihr drei|euch drei|alle drei|ihr vier|alle vier|ihr funf|alle funf",
    "whoever": (
        "jemand|irgendwer|irgendjemand|wer weiss|wer kann|wer von euch|wer kennt|wer hat ahnung|"
        "kennt sich jemand|kann jemand|wer mag|wer ist zustandig|wer will"
    ),
    "bots": "bots|roboter|agenten|maschinen|kis|ki",
    "other": "die anderen|der rest|alle anderen",
    "each": (
        "jeder|jede|jeder von euch|jeweils|einzeln|einer nach dem anderen|je ein|je einen|je eine|jeder einen|"
        "ein wort von jedem|ein satz von jedem"
    ),
    "apart": (
        "jeder fur sich|einzeln|getrennt|separat|unabhangig|unabhangig voneinander|ohne absprache|"
        "ohne euch abzusprechen|geheim|heimlich|ohne zu gucken|nicht absprechen|jeder einzeln|jeder|blind|"
        "ohne abzuschreiben|geheime abstimmung|getrennt voneinander|voneinander getrennt|ohne einander|"
        "jeder allein|jeder alleine|nicht abgucken|einander nicht"
    ),
    "debate": (
        "diskutiert|diskutieren|debattiert|debatte|streitet|streitgesprach|besprecht|beratet|beratschlagt|"
        "sprecht euch ab|einigt euch|untereinander|miteinander|abwechselnd|der reihe nach|brainstormt|"
        "brainstorming|uberzeugt euch|uberzeugt einander|tauscht euch aus|pro und contra|reihum|kabbelt|"
        "macht das unter euch"
    ),
    "talk": "diskussion|diskutieren|zusammen|gemeinsam|miteinander",
    "no_talk": (
        "ohne absprache|ohne euch abzusprechen|nicht absprechen|nicht diskutieren|ohne diskussion|streitet nicht|"
        "nicht streiten|hort auf zu streiten|ohne zu diskutieren"
    ),
    "turns": "abwechselnd|der reihe nach|nacheinander|reihum|in dieser reihenfolge|einer nach dem anderen",
    "first": "zuerst|erst|als erster|als erste|als erstes|fang|fangt|beginnt|beginn|erstens|zunachst|anfangs",
    "second": "zweiter|zweite|zweitens|als zweiter",
    "then": "dann|danach|anschliessend|und dann|gefolgt von|spater|darauf|im anschluss",
    "last": "zuletzt|zum schluss|am ende|schliesslich|am schluss|als letzter|als letzte",
    "after": "nach|hinter|sobald",
    "before": "vor|bevor",
    "hush_all": (
        "seid still|seid ruhig|seid leise|ruhe|ruhe bitte|ruhe jetzt|still jetzt|haltet den mund|"
        "haltet die klappe|klappe|antwortet nicht|nicht antworten|keine antwort|sagt nichts|schweigt|"
        "haltet euch raus|nicht fur euch|ich rede nicht mit euch|redet nicht|mischt euch nicht|bots ruhe|"
        "lasst uns|keine bots|sprecht nicht|mal ruhig|keiner antwortet|nicht dazwischenreden|"
        "bitte nicht antworten|seid bitte still|seid bitte ruhig|bitte still|bitte ruhig|bitte ruhe|mal still|"
        "jetzt still|kurz still|bitte schweigt|seid mal still|seid mal ruhig"
    ),
    "feel": (
        "traurig|depri*|weine|weinen|geweint|einsam|allein|alleine|erschopft|mude vom|fertig|am ende|kaputt|"
        "angst|angstlich|panik|gestresst|stress|uberforder*|verzweifel*|gestorben|tot|verstorben|krankenhaus|"
        "verlassen|schluss gemacht|getrennt|trennung|durchgefallen|gescheitert|versagt|kann nicht mehr|"
        "ich kann nicht|hoffnungslos|enttauscht|gekundigt|gefeuert|entlassen|beschissen|mies|schlechter tag|"
        "mieser tag|troste*|trost|umarmung|vermisse|heimweh|sorgen|sorge|leer|wertlos|nutzlos|schlaflos|weh|"
        "keiner mag|niemand|uberlastet|ausgebrannt|fuhle mich|heulen|zum heulen|liebeskummer"
    ),
    "quarrel": (
        "streit*|zank*|beleidig*|beruhig*|frieden|schuld|entschuldig*|versohn*|vermitt*|schlichte*|anschreien|"
        "schreien|konflikt|vertrag*|jetzt reicht es|regt euch ab|seid lieb"
    ),
    "calm": (
        "streitet nicht|nicht streiten|hort auf|beruhigt euch|frieden|vertragt euch|ruhig blut|seid nett|"
        "entschuldigt euch|schlichten|vermitteln|schluss jetzt|kommt runter|seid lieb|nicht schon wieder streiten|"
        "jetzt reicht es|jetzt reicht es aber|vertragt euch wieder|reicht euch die hand|regt euch ab"
    ),
    "plan": (
        "plan|planen|organisier*|reiseplan|zeitplan|ablauf|vorbereit*|kalender|budget|menu|speiseplan|schritte|"
        "erster schritt|wo fange ich|womit fange|ziel|sparen|umzug|hochzeit|party|feier|wochenende in|tage in|"
        "einkaufsliste|trainingsplan|lernplan|programm|roadmap"
    ),
    "play": (
        "rollenspiel|tu so|tut so|stell dir vor|spiel mit|spielt|szene|taverne|drache|schwert|zauber|ritter|"
        "figur|ich bin der gast|als ob|held|verlies"
    ),
    "recall": (
        "erinnerst du|weisst du noch|erinnern|hab ich gesagt|habe ich gesagt|hatte ich gesagt|dir gesagt|"
        "dir erzahlt|wie hiess|was war mein|was war noch"
    ),
    "keep": (
        "merk dir|merke dir|vergiss nicht|denk dran|denk daran|notier*|ab jetzt|ab sofort|in zukunft|kunftig|"
        "ich mag kein|ich mag keine|allergisch|allergie|ich esse kein|nenn mich|nachstes mal|ich bevorzuge|"
        "vegetari*|vegan"
    ),
    "opinion": (
        "was meint ihr|was denkt ihr|was sagt ihr|wie findet ihr|meinung|meinungen|ansicht|empfehl*|besser|"
        "eure meinung|ratschlag|tipps|haltet ihr"
    ),
    "greet": (
        "hallo|hi|guten morgen|morgen|guten tag|guten abend|gute nacht|moin|servus|tschuss|bis morgen|"
        "frohes neues|frohe weihnachten|gluckwunsch|alles gute|schonen tag|schones wochenende|mahlzeit|"
        "wie geht's|wie gehts|na"
    ),
    "bored": (
        "langweil*|mir ist langweilig|unterhaltet mich|witz|erzahl einen witz|schones wetter|wetter|regnet|"
        "schneit|kaffee|was gibts neues"
    ),
    "follow": (
        "und|aber|also|warum|wieso|wie|welche|das erste|das zweite|der erste|der zweite|die erste|die zweite|das|"
        "dies|der|andere|anderes|noch eins|noch einen|mehr|billiger|gunstiger|erklar|was heisst|"
        "was meinst du damit|wirklich|echt|ernsthaft|sicher|danke|ok|ach so|aha|haha|wieviel|auch|und wenn|"
        "trotzdem|na gut"
    ),
    "ask": (
        "was|wie|wann|wo|warum|wer|welche|welcher|welches|kann|konnt|kannst|hilf|brauche|empfehl*|tipps|gibt|"
        "soll|wieviel"
    ),
    "hail": "hallo|hey|hi|sag mal|danke|lieber|liebe|moin|guten morgen",
    "a_act": "bitte|hilf|erklar|erzahl|zuerst|erst|dann|sag|zeig|empfiehl",
    "a_done": "fertig ist",
    "shift": "ubrigens|andere frage|was anderes|themawechsel|nebenbei",
    "b_stop": "genug|schluss mit|hor auf|keine weiteren|kein weiterer|keine",
    "who": "wer|wem|wen|wessen|welcher|welche",
}
