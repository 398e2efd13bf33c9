"""Portuguese: calling, crowds, order, negation, and a few whole-line cues."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "b_call": (
        "oi|ola|ei|e ai|opa|bom dia|boa tarde|boa noite|por favor|obrigado|obrigada|valeu|desculpa|entao|bom|"
        "olha|escuta|mas|e|sim|nao|ok|querido|querida|ah|o|alo|fala|cara"
    ),
    "b_ask": (
        "pergunta a|pergunta pro|pergunta pra|pergunto a|pergunta ao|quero ouvir|quero que|a opiniao de|"
        "a opiniao do|a opiniao da|chama|chama o|chama a|o que acha|o que pensa|o que diz|primeiro|depois|para|"
        "pro|pra|e com|quis dizer|quero falar com|agora|e a vez de|deixa|deixa o|deixa a"
    ),
    "b_about": "sobre|de|do|da|com|como|segundo|que|quando|o|a|um|uma|meu|minha|seu|falou|disse",
    "b_not": (
        "nao|nao e|nao voce|nao a|nao o|em vez de|em vez do|menos|sem|nao preciso de|nao preciso do|"
        "nao perguntei a|nao perguntei pro|cala a boca|nao to falando com"
    ),
    "b_notyou": (
        "nao voce|nao e com voce|nao perguntei pra voce|nao te perguntei|nao to falando com voce|nao e pra voce|"
        "nao falei com voce|nao e contigo|agora nao|nao contigo|nao estou perguntando a voce|nao pra voce"
    ),
    "b_drop": "menos|exceto|fora|tirando|sem contar|a nao ser",
    "b_be": ("voce e|voce agora e|finge ser|finja ser|faz de conta que voce e|atua como|imagina que voce e|interpreta"),
    "b_with": "com|para|pra|de|entre|a",
    "a_you": "voce|vc|tu|te|pode|poderia|voces|sabe|acha|o que voce|consegue|tem como|sua|seu|cê|me ajuda",
    "a_do": (
        "ajuda|me ajuda|diz|me diz|explica|conta|me conta|recomenda|indica|que|qual|como|quando|onde|por que|"
        "quanto|quem|faz|escreve|olha|vem|por favor|responde|fala|canta|acalma|da|me da|primeiro|depois|eu|meu|"
        "minha|me|oi|obrigado|tem|e|preciso|quero|lembra|anota|traduz|calcula|bora|comeca"
    ),
    "a_tell": (
        "disse|falou|diz|recomendou|me deu|fez|ja|sempre|nunca|e|era|esta|ta|nao|tem|acha|foi|ontem|vai|indicou|"
        "so fala|so pensa|so sabe|so quer|so joga|so reclama|so ri|so faz|so diz|so vive"
    ),
    "a_hush": (
        "cala a boca|cala|silencio|quieto|quieta|nao fala|nao responde|fica quieto|fica quieta|voce nao|espera|"
        "chega|descansa"
    ),
    "and": "e|com|mais|tambem",
    "or": "ou|ou entao",
    "all": "todos|todas|voces|todo mundo|cada um|cada um de voces|todos voces|entre voces|voces todos",
    "all_call": "gente|pessoal|galera|turma|amigos|amigas|time|equipe|povo|meninos|meninas|grupo|rapaziada",
    "all_not": (
        "todo mundo disse|todo mundo diz|todo mundo fala|todo mundo acha|todo mundo sabe|com todo mundo|todos os|"
        "todas as|todos meus|todos dizem|meus amigos|minha turma|minha equipe|meu time|do time|a gente|"
        "com os amigos|o time|o pessoal do|a galera do|todos sabem|casa de voces"
    ),
    "two": "voces dois|voces duas|os dois|as duas|ambos",
    "three": "voces tres|os tres|as tres|os quatro|os cinco",
    "whoever": (
        "alguem|quem sabe|quem pode|quem de voces|qual de voces|quem entende|qualquer um|quem conhece|quem manja"
    ),
    "bots": "bots|robos|agentes|maquinas|ias",
    "other": "os outros|o resto|os demais",
    "each": ("cada um|cada uma|cada qual|um de cada vez|uma frase cada|uma palavra cada|separadamente|individualmente"),
    "apart": (
        "separadamente|cada um por si|por conta propria|sem conversar|sem combinar|sem olhar|sem copiar|"
        "individualmente|em segredo|independentemente|as cegas|cada um|cada uma|voto secreto"
    ),
    "debate": (
        "debatam|debate|discutam|entrem em acordo|entre voces|um com o outro|tempestade de ideias|brainstorm|"
        "revezem|revezando|se revezem|conversem|briguem|convencam|cheguem a um acordo|por turnos"
    ),
    "talk": "debate|discutir|juntos|em equipe",
    "no_talk": "sem conversar|sem combinar|sem discutir|nao discutam|nao briguem|parem de brigar",
    "turns": "um de cada vez|por turnos|em ordem|um depois do outro|nessa ordem|revezando",
    "first": "primeiro|primeira|comeca|comece|pra comecar|antes",
    "second": "segundo|em segundo",
    "then": "depois|em seguida|e depois|logo apos|ai|entao|seguido",
    "last": "por ultimo|no final|finalmente|ultimo|ultima|termina|fecha|encerra",
    "after": "depois de|depois do|depois da|apos|atras de",
    "before": "antes de|antes do|antes da",
    "hush_all": (
        "calem a boca|calem se|silencio|fiquem quietos|fiquem quietas|nao respondam|nao falem|nao se metam|"
        "parem de falar|quietos|nao e pra voces|nao e com voces|sem bots|deixem a gente|ninguem responde|"
        "nao precisa responder|nao to falando com voces|nao interrompam|silencio por favor|um pouco de silencio|"
        "fiquem quietos por favor|calados|fiquem calados"
    ),
    "feel": (
        "triste|deprimid*|chorar|chorando|chorei|sozinho|sozinha|cansad*|exaust*|ansios*|ansiedade|medo|"
        "assustad*|estressad*|estresse|morreu|faleceu|hospital|terminou comigo|terminamos|termino|reprovei|"
        "reprovado|fracass*|nao aguento|nao aguento mais|desanimad*|decepcion*|demitid*|perdi meu|dia ruim|"
        "pessimo|desabafar|consol*|abraco|saudade|solidao|ninguem me|preocupad*|vazio|vazia|insonia|doi|arrasad*|"
        "mal hoje|me sinto|me sentindo"
    ),
    "quarrel": (
        "brig*|discut*|xing*|calma|paz|culpa|desculp*|reconcili*|mediar|mediador|gritar|conflito|parem com isso|"
        "sejam amigos"
    ),
    "calm": (
        "nao briguem|calma|calma gente|paz|parem|parem de brigar|chega|facam as pazes|peca desculpa|sem briga|"
        "se acalmem|parem com isso|sejam amigos|facam as pazes logo|deixem disso"
    ),
    "plan": (
        "plano|planejar|planej*|organiz*|roteiro|itinerario|agenda|preparar|calendario|orcamento|cardapio|passos|"
        "primeiro passo|por onde comeco|meta|economizar|juntar dinheiro|mudanca|casamento|festa|fim de semana em|"
        "dias em|cronograma|rotina"
    ),
    "play": (
        "finge|finja|faz de conta|rpg|imagina que|interpreta|personagem|cena|taverna|dragao|espada|feitico|"
        "cavaleiro|sou o cliente"
    ),
    "recall": "lembra|voce lembra|lembra que|eu te disse|eu disse|te falei|eu falei|qual era meu|como era",
    "keep": (
        "lembra que eu|nao esquece|nao esqueca|anota|anota ai|a partir de agora|de agora em diante|prefiro|"
        "sou alergic*|nao como|me chama de|da proxima vez|nao gosto"
    ),
    "opinion": (
        "o que voces acham|o que acham|que acham|opiniao|opinioes|o que voces pensam|recomend*|melhor|sugest*|preferem"
    ),
    "greet": (
        "oi|ola|bom dia|boa tarde|boa noite|feliz ano novo|feliz natal|feliz aniversario|parabens|tchau|"
        "ate amanha|ate logo|tudo bem|bom fim de semana|e ai|cheguei"
    ),
    "bored": "tedio|entediad*|que tedio|piada|conta uma piada|tempo bom|que calor|que frio|chovendo|me divirtam",
    "follow": (
        "e|mas|entao|por que|como assim|como|qual|o primeiro|o segundo|a primeira|a segunda|esse|essa|isso|outro|"
        "outra|mais|mais barato|e se|explica|serio|verdade|tem certeza|obrigado|obrigada|valeu|ok|ta|ah|kkk|kkkk|"
        "haha|quanto|tambem"
    ),
    "ask": "que|qual|como|quando|onde|por que|quanto|quem|pode|ajuda|recomend*|preciso|alguem|tem",
    "hail": "oi|ola|ei|obrigado|obrigada|bom dia|querido",
    "a_act": "primeiro|ajuda|diz|explica|conta|recomenda|por favor|comeca|depois",
    "shift": "alias|outra coisa|mudando de assunto|outra pergunta",
    "b_stop": "chega de|para de|sem mais|basta de",
    "who": "quem|qual",
}
