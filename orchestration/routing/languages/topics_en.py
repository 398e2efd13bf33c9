"""What people talk about, in English words. Cards and messages are read by the same table and meet in a topic."""

from __future__ import annotations

from typing import Final

TOPICS: Final = {
    "comfort": (
        "comfort|comforts|comforting|listener|feelings|feeling|emotion*|empath*|support|supportive|stress|"
        "relationship|relationships|therap*|counsel*|heart|caring|warm|compassion*|mental health|anxiety|soothing|"
        "kind|consol*|psycholog*|gentle|hugs|care|grief|confidant*|agony aunt"
    ),
    "mediate": (
        "mediat*|conflict|conflicts|rules|moderat*|neutral|referee|peace*|judge|fair|arbitrat*|even-handed|diplomat*|"
        "dispute*|ban|banned|spam|server rules|channel rules|even handed|report a user|harass*|mute someone|off-topic|"
        "nsfw|spamming|troll|trolling|kick him|rule|self promo|promo|advertis*|allowed to|post in here|post here|"
        "channel|channels|pinged|appeal|unban|warned|guidelines|verified|this server|the server|reported|off topic|"
        "bullying|slur|reporting|raid|doxx*|timeout for|strike|strikes|discord|who do i report|complain*|settle"
    ),
    "law": (
        "law|legal|lawyer|contract|contracts|lease|landlord|tenant|deposit|sue|lawsuit|court|copyright|patent|"
        "trademark|clause|liability|liable|rights|employment law|notice period|severance|attorney|solicitor|gdpr|"
        "privacy policy|terms of service|nda|non compete|custody|visa law|small claims|evict*|breach|compensation"
    ),
    "travel": (
        "travel*|trip|trips|flight|flights|train|trains|hotel|hostel|visa|passport|itinerary|itineraries|airport|"
        "luggage|suitcase|abroad|vacation|holiday|holidays|sightsee*|tour|tourist|beach|road trip|backpack*|booking|"
        "book a|airbnb|layover|jet lag|customs|border|ferry|cruise|tickets|interrail|bus to|by train|lisbon|rome|"
        "paris|tokyo|madrid|seville|barcelona|berlin|prague|vienna|london|amsterdam|island|carry on|window seat|"
        "packing|overnight train|weekend in|days in|get to|connection|map|route|visit|visiting|sightseeing|city break|"
        "porto|venice|florence|naples|athens|budapest|krakow|copenhagen|stockholm|oslo|iceland|switzerland|austria|"
        "portugal|spain|italy|france|germany|croatia|greece|turkey|morocco|thailand|japan|seoul|bali|"
        "weekend in prague|night train|eurail|by plane|fly to|where to stay|rome2rio|cheap flights|ryanair|departure|"
        "arrival|platform|station|tourists"
    ),
    "code": (
        "code|coding|programming|programmer|program in|function|functions|variable|compiler|compile|compiling|debug*|"
        "bug|bugs|segfault|pointer|pointers|memory leak|stack overflow|heap|recursion|algorithm*|api|apis|endpoint|"
        "endpoints|backend|frontend|database|postgres|sql|query|index|migration*|deploy*|web server|git|"
        "merge conflict|rebase|commit|branch|docker|kubernetes|python|javascript|typescript|java|rust|c++|golang|std|"
        "vector|iterator|template|templates|linker|undefined behavior|undefined behaviour|const|null pointer|nullptr|"
        "array|arrays|string|regex|thread|threads|mutex|deadlock|async|race condition|cache|latency|timeout|timeouts|"
        "500|502|503|504|stack trace|exception|refactor*|unit test|systems|microservice*|json|yaml|webhook|webhooks|"
        "rate limit*|oauth|auth|token|library|framework|script|repo|pull request|ci|pipeline|build fails|"
        "move semantics|destructor|constructor|smart pointer*|virtual|struct|class|loop|callback|lambda|cpp|redis|"
        "kafka|queue|schema|rollback|hotfix|orm|ssl|cert|certificate|cron|replica|connection pool|rest|grpc|graphql|"
        "ptr|unique ptr|shared ptr|header|headers|makefile|cmake|gcc|clang|llvm|valgrind|gdb|overload*|operator|"
        "inherit*|polymorphi*|stl|raii|memory|allocator|compile*|build error|lambda*|iterators|dereference*|buffer|"
        "off by one|bit shift|bitwise|enum|enums|namespace|preprocessor|macro|macros|thread safe|atomic|crashes|"
        "core dump|leaks|segmentation fault|linked list|hash map|hashmap|binary tree|big o|sort algorithm|"
        "load balancer|worker|http|p95|p99|throughput|deployment|staging server|env var|environment variable|logs|"
        "log file|trace|tests pass|monolith|lock|locks|transaction|transactions|users table|table|join|foreign key"
    ),
    "computer": (
        "computer|laptop|pc|windows|linux|mac|macos|ubuntu|distro|wifi|wi-fi|router|network|networks|internet|"
        "ethernet|vpn|dns|firewall|printer|driver|drivers|hard drive|ssd|ram|gpu|cpu|boot|reboot|blue screen|crash*|"
        "freeze|freezes|frozen|slow computer|virus|malware|password|backup|backups|restore|recover|deleted file|file|"
        "files|install|uninstall|update|usb|bluetooth|monitor|keyboard|mouse|phone|android|iphone|charger|battery|"
        "it support|hardware|nas|home server|terminal|shell|ssh|disk|partition|fan|overheat*|raspberry pi|smart home|"
        "ip address|port|ports|tech|engineer|bash|kernel"
    ),
    "film": (
        "film|films|movie|movies|cinema|director|actor|actress|oscar|plot|sequel|tv|series|show|season|episode|"
        "netflix|documentary|thriller|horror|screenplay|screening"
    ),
    "book": "book|books|novel|novels|read|reading|author|literature|bookshelf|library|memoir|biography|fiction",
    "poem": (
        "poem|poems|poet|poetry|haiku|verse|rhyme|sonnet|limerick|stanza|lyrics|ode|void|nihilis*|meaningless*|"
        "meaning of life|existential|despair|darkness|abyss|futil*|gloomy"
    ),
    "music": (
        "music|song|songs|playlist|album|band|guitar|piano|drums|bass|sing|singing|melody|chord|chords|concert|gig|"
        "vinyl|samba|fado|bossa nova|jazz|rock|hip hop|classical|singer|ballad|lute|tune|choir|ukulele|bard|karaoke|"
        "anthem|dj|samba song|good samba|bossa|party song|party songs|dance song|songs for|playlist for"
    ),
    "game": (
        "game|games|gaming|gamer|steam|xbox|playstation|nintendo|switch|level up|boss fight|speedrun|multiplayer|"
        "co-op|fps|rpg|mmo|minecraft|fortnite|elden ring|zelda|mario|pokemon|console|controller|loot|noob|ranked|"
        "esports|board game|chess|dlc|respawn|meme|memes"
    ),
    "anime": "anime|manga|cosplay|otaku|waifu|shonen|studio ghibli",
    "joke": (
        "joke|jokes|comedian|comedy|funny|humor|humour|roast|roasts|meme|memes|pun|puns|sarcas*|banter|prank|laugh|"
        "laughs|stand-up|comeback|snarky|pickup line|pick-up line|burn|hilarious|witty|entertain|lmao|limericks|"
        "insult me|ridiculous"
    ),
    "invest": (
        "invest*|stock|stocks|shares|bond|bonds|etf|portfolio|dividend*|crypto|bitcoin|trading|broker|index fund|"
        "pension|401k|mutual fund"
    ),
    "budget": (
        "budget*|save money|saving|savings|spend*|spending|rent|salary|money|debt|loan|credit card|expenses|afford|"
        "cheap|cost of living|paycheck|financial|subscription|subscriptions|raise|side hustle|emergency fund|broke|"
        "bills|coupon|pay off|mortgage|frugal"
    ),
    "startup": (
        "startup|business|business model|founder|fundraising|investor|investors|pitch|revenue|profit|customers|market|"
        "marketing|entrepreneur*|side project|franchise|open a shop|open a cafe|company|b2b|saas|growth|venture"
    ),
    "housing": (
        "house|apartment|flat|mortgage|renovat*|furniture|real estate|down payment|interior|paint the wall|tiles|"
        "plumbing|kitchen remodel|ikea|home improvement|move out|leak|boiler"
    ),
    "medical": (
        "doctor|medicine|medication|pill|pills|symptom*|fever|cough|headache|sore throat|allerg*|antibiotic*|"
        "ibuprofen|paracetamol|blood test|blood pressure|cholesterol|clinic|hospital|diagnos*|rash|infection|flu|"
        "vaccine|dose|dosage|side effect*|migraine|nausea|injury|sprain|x-ray|lab results|dentist|toothache|heal|"
        "heals|healing|wound|bandage|poison|poisoned"
    ),
    "fitness": (
        "fitness|workout|workouts|work out|gym|exercise|exercises|squat|squats|deadlift*|bench press|bench|push-up*|"
        "pushup*|pull-up*|pullup*|pull up|push up|cardio|hiit|strength|muscle|muscles|abs|core|plank|running|run a|"
        "marathon|5k|10k|half marathon|jog*|stretch*|warm up|warm-up|reps|sets|lifting|weights|dumbbell*|protein|"
        "protein shake|creatine|bulk|cut weight|lose weight|weight loss|calorie*|fat|trainer|coach|cycling|swim*|yoga|"
        "sore|leg day|rest day|shape|get fit|in shape|motivat*|couch to|biceps|shoulders|glutes|kettlebell|treadmill|"
        "stamina|endurance|athlete|vo2|cutting|bulking|shred|week program|training program|get ripped|pushups|pullups|"
        "sit ups|crunches|rest between|warmup|warm ups|form|knees hurt|bodyweight|resistance band*|rowing|burpees|"
        "steps a day|heart rate|beginner routine|pull-ups|push-ups|stretch|flexib*|posture|hamstring*|quads|chest day|"
        "personal best|one rep|1rm|vo2 max|gains|skinny|toned|six pack"
    ),
    "nutrition": (
        "nutrition*|diet|dietitian|calories|calorie|macros|vitamin*|supplement*|healthy eating|meal prep|snack|snacks|"
        "keto|vegan|vegetarian|carb*|protein|fiber|fibre|sugar|breakfast|lunch|fasting"
    ),
    "sleep": (
        "sleep|sleeping|insomnia|asleep|nap|naps|bedtime|meditat*|mindful*|breathing exercise|white noise|relax*|zen|"
        "dream|dreams|nightmare*|melatonin|snoring|wind down|wake up at|calm my mind|breathe"
    ),
    "math": (
        "math|maths|algebra|calculus|geometry|equation*|derivative*|integral*|probability|statistics|theorem|proof|"
        "matrix|vectors|trigonometry|fraction*|logarithm*|quadratic|prime number*"
    ),
    "physics": (
        "physics|gravity|newton|velocity|acceleration|force|energy|momentum|electric*|magnet*|quantum|relativity|"
        "optics|friction|thermodynamic*|circuit|voltage|wavelength|experiment"
    ),
    "chem": "chemistry|chemical|molecule*|atom|atoms|acid|reaction|periodic table|compound|ion|catalyst",
    "english": (
        "english|grammar|tense|present perfect|past perfect|vocabulary|pronunciation|essay|ielts|toefl|spelling|idiom|"
        "idioms|preposition*|article the|phrasal verb*|proofread|sentence|writing in english|translate|translation|"
        "accent"
    ),
    "study": (
        "study|studying|exam|exams|homework|school|class|grades|college|university|teacher|student|thesis|revision|"
        "procrastinat*|essay deadline|lecture|semester|finals|tutor|learn|learning|flashcards|scholarship|"
        "dissertation|concentrate|focus|gpa|major"
    ),
    "career": (
        "career|job|jobs|resume|cv|interview|interviews|promotion|boss|coworker*|colleague*|salary negotiation|raise|"
        "quit my job|resign*|linkedin|hiring|recruiter|workplace|job offer|cover letter|notice|part-time"
    ),
    "cook": (
        "cook|cooks|cooking|recipe|recipes|chef|bake|baking|oven|dinner|lunch|dish|dishes|sauce|pasta|risotto|soup|"
        "stew|roast|grill|marinade|marinate|knead|dough|bread|cake|dessert|butter|garlic|onion|spice|spices|wine|"
        "wines|restaurant|restaurants|menu|cheese|steak|chicken|fish|salad|vegetables|ingredients|season|seasoning|"
        "simmer|saute|souffle|tart|omelette|omelet|egg|eggs|potato*|tomato*|rice|kitchen|knife|cream|leftovers|pan|"
        "pairing|pairs with|pair with|paella|curry|taste|tastes|burnt|gravy|crust|fondue|bouillabaisse|cassoulet|"
        "brunch|foodie"
    ),
    "sport": (
        "football|soccer|basketball|tennis|match|goal|goals|league|champions league|world cup|offside|penalty|score|"
        "scored|stadium|striker|goalkeeper|keeper|derby|benfica|transfer window|team won|premier league|la liga|"
        "bundesliga|nba|nfl|baseball|rugby|f1|formula 1|coach sacked|hat trick|hat-trick|olympics"
    ),
    "photo": (
        "photo|photos|photograph*|camera|lens|aperture|shutter|iso|exposure|raw|jpeg|portrait|portraits|"
        "landscape shot|edit photos|editing|image editing|image|images|lightroom|photoshop|bokeh|white balance|"
        "composition|lighting|tripod|selfie|golden hour|crop|cropping|street shots|shot|shots|picture|pictures|"
        "depth of field|macro|filter|filters|flash|noise|grain|backlit|contrast|saturation|color grading|retouch*|"
        "visual|iphone camera|long exposure|astrophotography|thumbnail|icon|background"
    ),
    "design": (
        "design|designer|ui|ux|layout|layouts|colour|colours|color|colors|palette|font|fonts|typography|figma|mockup|"
        "mockups|wireframe*|prototype|logo|button|buttons|icon|icons|landing page|cta|whitespace|spacing|dark mode|"
        "accessib*|contrast|hero image|sidebar|modal|visual|onboarding screen|screen|screens|responsive|usability|"
        "brand|branding|illustration|tooltip|nav bar|navbar|navigation|dropdown|form field*"
    ),
    "data": (
        "data|analyst|analytics|analysis|sql|dashboard|dashboards|a/b|a/b test|ab test|metrics|metric|kpi|chart|"
        "charts|graph|numbers|sample size|significan*|p-value|p value|conversion|retention|churn|cohort|cohorts|"
        "funnel|statistics|statistical|spreadsheet|excel|pivot|query|dataset|etl|velocity|trend|trends|average|median|"
        "outlier*|correlation|forecast|segment|dau|mau|report|regression analysis|spike|tracking|events|bounce rate|"
        "experiment"
    ),
    "product": (
        "product|product manager|roadmap|roadmaps|scope|user story|user stories|feature|features|backlog|sprint|"
        "priorit*|milestone*|launch|release|requirements|stakeholder*|mvp|okr|okrs|deadline|specification|"
        "acceptance criteria|customer feedback|ticket|tickets|epic|epics|standup|stand-up|kickoff|planning|project|"
        "project plan|beta|go to market|go-to-market|timeline|cut scope|ship|estimate|estimates|retro|retrospective|"
        "velocity"
    ),
    "test": (
        "testing|test|tests|qa|regression|flaky|bug triage|triage|test plan|test case*|test coverage|coverage|"
        "edge case*|repro|reproduce|reproduction|steps to reproduce|smoke test|bug report|automation|selenium|"
        "playwright|cypress|e2e|quality|release candidate|staging|verify|checklist|unit tests|broken build|defect*|"
        "acceptance test|load test"
    ),
    "finance": (
        "finance|budget|budgets|invoice|invoices|invoicing|pricing|price|prices|tax|taxes|vat|accounting|accountant|"
        "expense|expenses|expense report|reimburse*|burn rate|runway|cash flow|margin|margins|cost|costs|quarterly|"
        "revenue|profit|p&l|forecast|payroll|billing|discount|refund*|payment|payments|purchase order|quote for|"
        "subscription tier|cfo|audit|spend|roi|ledger|contract value|annual plan price|overcharg*"
    ),
    "love": (
        "love|dating|date|dates|date idea|girlfriend|boyfriend|crush|ex|breakup|break up|marriage|wedding|romance|"
        "romantic|partner|valentine*|tinder|propose|anniversary|text back|first date|relationship|relationships|flirt*"
    ),
    "life": (
        "life|life advice|advice|decision|decide|chores|declutter|housework|habits|productivity|everyday|roommate|"
        "roommates|neighbour*|neighbor*|adulting|guidance|wise|organiz*|organis*|etiquette"
    ),
    "pet": "cat|cats|dog|dogs|pet|pets|puppy|kitten|vet|hamster|leash|litter",
    "plant": (
        "plant|plants|garden|gardening|herb|herbs|herbal|seeds|soil|flower|flowers|berries|berry|mushroom|mushrooms|"
        "forage|foraging|moss|tree|trees|leaf|leaves|roots|bark|nettle|vine"
    ),
    "weather": ("weather|rain|rains|snow|storm|storms|wind|forecast|sunny|cloud|clouds|fog|temperature|thunder|season"),
    "star": (
        "zodiac|horoscope|tarot|astrology|fortune telling|fortune teller|palm reading|star sign|mercury retrograde|"
        "prophecy"
    ),
    "history": "history|historical|ancient|medieval|empire|world war|roman|dynasty|archaeolog*|century",
    "philosophy": (
        "philosoph*|ethics|existential*|meaning of life|stoic*|moral|nietzsche|nihilis*|free will|consciousness|absurd"
    ),
    "science": (
        "science|scientific|universe|space|black hole|planet|planets|evolution|biology|dna|cell|astronomy|sci-fi|"
        "time travel|time machine|alien|aliens|robot dog|companion|wormhole|paradox|spaceship|dimension|dimensions|"
        "galaxy|trivia|dinosaur*|teleport*|star wars|star trek|dalek*|tardis|multiverse|parallel universe|lightspeed|"
        "light speed|mars|cyborg|android|dune|asimov|grandfather paradox|warp"
    ),
    "beauty": (
        "makeup|skincare|skin care|lipstick|sunscreen|acne|hair|haircut|outfit|outfits|fashion|wear|clothes|dress|"
        "perfume|nail polish|wardrobe"
    ),
    "parent": "baby|toddler|kids|parenting|parent|diaper|daycare|kindergarten|newborn|my son|my daughter|teenager",
    "car": (
        "car|cars|engine|tire|tires|tyre*|oil change|driving|driver's license|brake|brakes|ev|parking|mechanic|"
        "mileage|motorbike|bike|chain"
    ),
    "story": (
        "story|stories|storyteller|tale|tales|bedtime|bedtime story|bedtime tale|fairy tale|fairytale|"
        "once upon a time|fable|legend|hedgehog|lighthouse|lantern|myth|narrat*|cosy|cozy|fireside|folk tale"
    ),
    "rpg": (
        "dungeon master|dm|dungeon|initiative|roll|rolls|dice|d20|saving throw|campaign|session zero|hit points|hp|"
        "spell slot|spell slots|npc|npcs|narrates|narrate|scene|scenes|rules question*|armor class|advantage|"
        "skill check|perception check|check|level up|character sheet|homebrew|long rest|short rest|grappl*|"
        "concentration|what do we see|what happens|world|lore|encounter|trap|traps|door|dc|bonus action|multiclass|"
        "feat|rules|opportunity attack|crit|natural 20|initiative order|map|tavern|cave|setting|this turn|my turn|"
        "attack roll|attack twice|can i attack|actions|reaction|ac|cube|monster manual|stat block|hit dice|roll for|"
        "skill|perception|stealth check|persuasion|deception|natural 1|dungeon crawl|session|homebrew rules|prone|"
        "flanking bonus|spell save"
    ),
    "combat": (
        "knight|tactics|tactic|tactical|heraldry|duel|duels|sword|swords|shield|shields|lance|joust*|siege|ambush|"
        "army|battle|battlefield|fortif*|cavalry|formation|flank|flanking|armour|armor|coat of arms|banner|crest|"
        "defend|defence|defense|honour|honor|squire|parry|fencing|blade|phalanx|castle walls|chivalr*|banners|"
        "swordfight|outnumbered|archers|hold the line|strategy|storm the|the keep|assault|breach|raid|castle|gate|"
        "walls|attack|fortress|stronghold|invade|infiltrate|foe|foes|enemy|enemies|troops|soldiers|warrior|warriors|"
        "fight|melee|weapon|weapons|spear|axe|dagger|helmet|steed|horse|tournament|noble|nobles|king|kingdom|crown|"
        "chivalry|challenge him|honourable|oath|charge|bridge|crossbow*|retreat|stance|hold the|rear guard|vanguard|"
        "scouts"
    ),
    "nature": (
        "druid|animal|animals|beast|beasts|wildlife|forest|wilderness|survival|survive|campfire|camp|camping|weather|"
        "herbs|tracks|track|wolf|wolves|bear|bears|owl|deer|river water|shelter|wild|poison ivy|hike|hiking|trail|"
        "nature|edible|snake|snakes|bird|birds|mushroom|mushrooms|berries|berry|fire without|frost|swamp|drinkable|"
        "paw print*|moss|insects|spider bite|antlers"
    ),
    "wordplay": (
        "improv|improvise|word game|word games|rhyme|rhymes|rhyming|pun|puns|riddle|riddles|tongue twister*|charades|"
        "mad libs|anagram*|palindrome*|scrabble|crossword|20 questions|twenty questions|word association|hangman|"
        "spoonerism*|silly|mirror|mimic|repeat after|synonym*|yes and|backwards|play a game|word for|wordle|"
        "alliteration|would you rather|let's improvise|improvise a|finish my sentence|two truths|never have i ever|"
        "word chain"
    ),
    "write": (
        "write|writing|writer|editor|copywriting|headline|blog|article|newsletter|essay|email|e-mail|letter|speech|"
        "toast|caption|draft|cover letter|press release|proofread"
    ),
    "planner": (
        "plan|planner|planning|plans|schedule|organised|organized|structured|to-do|checklist|goals|goal|itinerary|"
        "roadmap|steps|routine|week plan|calendar|agenda|timetable|trips|money|study|study plan|priorities|milestone"
    ),
    "religion": (
        "cleric|prayer|pray|bless|blessing|holy|temple|sister hope|church|undead|curse|cursed|heal|heals|healing|"
        "revive|resurrect*|paladin|faith|divine|god|gods|deity|potion|potions|bandage"
    ),
    "language": (
        "spanish|french|german|japanese|korean|chinese|portuguese|italian|language|learn a language|conjugat*"
    ),
    "eco": "economy|economics|inflation|interest rate*|politics|news|election|policy|government",
    "drink": "coffee|espresso|latte|tea|cocktail|cocktails|whiskey|whisky|beer|wine|bartender|brew|barista|gin",
}
