"""French: calling, crowds, order, negation, and a few whole-line cues."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "b_call": (
        "salut|bonjour|bonsoir|coucou|he|hey|eh|dis|dites|dis moi|alors|bon|ok|oui|non|merci|pardon|"
        "s'il te plait|stp|s'il vous plait|svp|excuse moi|cher|chere|ecoute|et|mais|oh|ah|bonne nuit|allez|tiens|"
        "voyons|monsieur|madame|mon ami|mon cher"
    ),
    "b_ask": (
        "demande a|demandez a|je demande a|l'avis de|avis de|que pense|que dit|que dirait|qu'en pense|"
        "je veux entendre|j'aimerais entendre|j'aimerais l'avis de|appelle|appelez|d'abord|puis|ensuite|"
        "c'est pour|je parle a|question pour|je veux que|au tour de|je voulais dire|plutot|je pensais a|laisse|"
        "laissez"
    ),
    "b_about": "de|sur|avec|comme|selon|que|quand|le|la|un|une|mon|ma|son|chez|d'apres|a dit|par",
    "b_not": (
        "pas|pas toi|pas a|non pas|je ne demande pas a|au lieu de|plutot que|sauf|pas besoin de|"
        "je ne parle pas a|sans|tais toi|ce n'est pas pour"
    ),
    "b_notyou": (
        "pas toi|je ne te parle pas|je ne te demande pas|pas a toi|c'est pas a toi|je ne te parle pas a toi|"
        "ce n'est pas a toi|c'est pas pour toi|ce n'est pas pour toi|je ne te demandais pas|pas maintenant|"
        "pas avec toi|non pas toi"
    ),
    "b_drop": "sauf|excepte|a part|hormis|sans compter",
    "b_be": (
        "tu es|tu es maintenant|fais|joue|joue le role de|imagine que tu es|fais semblant d'etre|tu joues|"
        "comme si tu etais|incarne|deviens"
    ),
    "b_with": "avec|a|pour|de|entre|chez",
    "a_you": (
        "tu|toi|te|vous|peux tu|pourrais tu|tu peux|tu pourrais|est ce que tu|qu'en penses tu|que penses tu|"
        "as tu|sais tu|t'en penses|es tu|veux tu|ton|ta"
    ),
    "a_do": (
        "aide|aide moi|dis|explique|raconte|donne|montre|ecris|regarde|viens|quoi|que|qu'est|comment|quand|ou|"
        "pourquoi|quel|quelle|quels|combien|s'il te plait|stp|svp|reponds|chante|calme|recommande|conseille|"
        "propose|d'abord|puis|ensuite|je|j'ai|on|c'est|est ce que|merci|salut|bonjour|rappelle|souviens|fais|"
        "traduis|une idee|un avis|des idees|ca|commence"
    ),
    "a_tell": (
        "a dit|dit|disait|a recommande|m'a|a fait|est|etait|a deja|a|pense|pensait|n'a|n'est|va|veut|aime|avait"
    ),
    "a_hush": "tais toi|silence|chut|pas toi|ne reponds pas|arrete|attends|ne dis rien|laisse|la ferme",
    "a_own": "qu'en penses|tu en penses quoi|ton avis",
    "and": "et|ainsi que|avec|puis|plus",
    "or": "ou|ou bien|soit",
    "all": (
        "tout le monde|vous tous|vous toutes|tous|toutes|chacun|chacune|vous autres|entre vous|"
        "chacun d'entre vous|chacun de vous|vous|vous en pensez quoi"
    ),
    "all_call": (
        "les amis|les gars|les filles|l'equipe|la team|mes amis|equipe|les copains|a tous|la compagnie|la bande|"
        "les enfants|les gens|messieurs dames"
    ),
    "all_not": (
        "tout le monde dit|tout le monde sait|tout le monde pense|tout le monde me|avec tout le monde|tous les|"
        "toutes les|tous mes|tous ses|tous ces|toutes mes|mes amis m|avec mes amis|avec les amis|"
        "tout le monde est|tout le monde a|tous disent|a tout le monde|de tout le monde|tous deux|"
        "vous tous les deux"
    ),
    "two": "vous deux|tous les deux|toutes les deux|les deux|a vous deux",
    "three": "vous trois|tous les trois|toutes les trois|les trois|vous quatre|tous les quatre|tous les cinq",
    "whoever": (
        "quelqu'un|qui sait|qui peut|qui d'entre vous|lequel d'entre vous|qui connait|n'importe qui|qui veut|"
        "qui s'y connait|qui a"
    ),
    "bots": "bots|robots|agents|les ia|les bots",
    "other": "les autres|le reste",
    "each": (
        "chacun|chacune|chacun son|un mot chacun|une phrase chacun|un par un|individuellement|separement|chacun de vous"
    ),
    "apart": (
        "separement|chacun de son cote|chacun pour soi|chacun de votre cote|sans vous concerter|"
        "sans se concerter|sans en parler|individuellement|independamment|en secret|a l'aveugle|sans copier|"
        "sans regarder|chacun|chacune|vote secret"
    ),
    "debate": (
        "debattez|debat|discutez|discutez en|discutez entre|entre vous|mettez vous d'accord|concertez vous|"
        "a tour de role|chacun votre tour|brainstorming|brainstormez|remue meninges|convainquez|disputez|"
        "argumentez|echangez|l'un apres l'autre|cadavre exquis"
    ),
    "talk": "discuter|debattre|ensemble|en equipe",
    "no_talk": (
        "sans vous concerter|sans se concerter|sans en parler|sans discuter|ne discutez pas|sans debattre|"
        "ne vous disputez pas|arretez de vous disputer"
    ),
    "turns": "a tour de role|chacun votre tour|dans l'ordre|l'un apres l'autre|un par un|dans cet ordre",
    "first": "d'abord|en premier|premierement|commence|commencez|premier|premiere|pour commencer",
    "second": "deuxieme|deuxiemement|second|seconde",
    "then": "puis|ensuite|apres|et puis|et ensuite|suivi de|et apres",
    "last": "enfin|en dernier|a la fin|finalement|pour finir|termine|conclut|dernier|derniere",
    "after": "apres|derriere|une fois que|a la suite de",
    "before": "avant|avant que",
    "hush_all": (
        "taisez vous|silence|chut|ne repondez pas|pas de reponse|ne dites rien|arretez de parler|laissez nous|"
        "fermez la|ne vous en melez pas|ce n'est pas pour vous|je ne vous parle pas|pas besoin de repondre|"
        "les bots silence|n'intervenez pas|calmez vous les bots|que personne ne reponde|un peu de silence|"
        "s'il vous plait silence|silence svp|on se tait|gardez le silence|restez tranquilles"
    ),
    "feel": (
        "triste|deprime*|pleure*|pleurer|seul|seule|tout seul|toute seule|epuise*|fatigue*|angoisse*|anxieu*|"
        "anxiete|peur|stresse*|stress|mort|decede*|mourir|hopital|quitte*|rupture|rompu|rate mon|j'ai rate|rate|"
        "echoue|echec|a bout|au bout|je craque|craquer|je n'en peux plus|j'en peux plus|marre|decourage*|decu|"
        "decue|perdu|vire|licencie*|mal au coeur|le moral|moral a zero|moral|besoin de parler|me sens mal|"
        "je me sens|chagrin|solitude|inquie*|vide|nul|nulle|me manque|manque|dure journee|sale journee|dors plus|"
        "insomnie|reconfort*|console*"
    ),
    "quarrel": (
        "dispute*|disput*|bagarre|engueul*|insult*|calme*|paix|faute|excuse*|reconcili*|mediat*|arbitre|crier|"
        "conflit|fach*|soyez gentils|ca suffit"
    ),
    "calm": (
        "calmez vous|calmez les|on se calme|paix|arretez|stop|faites la paix|du calme|ne vous disputez pas|"
        "arretez de vous disputer|excusez vous|doucement|ne vous fachez pas|soyez gentils|reconciliez vous|"
        "on respire|ca suffit|tout doux"
    ),
    "plan": (
        "plan|planifier|planning|organis*|itineraire|programme|prepar*|calendrier|budget|menu|etapes|"
        "premiere etape|par ou commencer|objectif|economiser|demenag*|mariage|fete|week end a|jours a|"
        "emploi du temps|liste de courses"
    ),
    "play": (
        "jeu de role|fais semblant|faisons semblant|imagine que|joue le role|personnage|scene|taverne|dragon|"
        "epee|auberge|sortilege|chevalier|je suis le client|comme si"
    ),
    "recall": (
        "tu te souviens|te souviens|te rappelles|tu te rappelles|je t'ai dit|que je t'avais dit|j'avais dit|"
        "c'etait quoi|quel etait mon"
    ),
    "keep": (
        "souviens toi que|rappelle toi|n'oublie pas|note que|retiens|desormais|a partir de maintenant|je prefere|"
        "allergique|je ne mange pas|appelle moi|la prochaine fois|je n'aime pas"
    ),
    "opinion": (
        "qu'en pensez vous|vous en pensez quoi|pensez vous|avis|votre avis|opinion|opinions|recommand*|conseil*|"
        "preferez vous|mieux|vos avis"
    ),
    "greet": (
        "salut|bonjour|bonsoir|coucou|bonne nuit|bonne annee|joyeux noel|joyeux anniversaire|bon week end|"
        "a demain|au revoir|ca va|bonne journee|bon appetit|joyeuses fetes"
    ),
    "bored": (
        "ennuie|je m'ennuie|on s'ennuie|blague|raconte une blague|fait beau|il pleut|quel temps|faites moi rire|"
        "divertis*"
    ),
    "follow": (
        "et|mais|alors|donc|pourquoi|comment ca|comment|lequel|laquelle|le premier|le deuxieme|la premiere|"
        "la deuxieme|celui|celle|ca|cela|un autre|une autre|encore|plus|moins cher|explique|c'est a dire|"
        "vraiment|serieux|sur|merci|ok|d'accord|ah|oh|combien|aussi|et si|haha|mdr|ptdr"
    ),
    "ask": (
        "quoi|que|comment|quand|ou|pourquoi|quel|quelle|combien|qui|peux|pouvez|aide|besoin|conseill*|est ce que|dis"
    ),
    "hail": "salut|bonjour|coucou|dis|merci|cher|chere|dis moi|pardon",
    "a_act": "aide|dis|explique|raconte|d'abord|commence|ensuite|puis|stp|s'il te plait|conseille",
    "a_done": "a fini|aura fini",
    "shift": "au fait|autre chose|autre question|sinon",
    "b_stop": "assez de|arrete de|arrete|plus de|stop",
    "who": "qui|lequel|laquelle",
}
