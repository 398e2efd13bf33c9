"""Spanish: calling, crowds, order, negation, and a few whole-line cues."""

from __future__ import annotations

from typing import Final

CUES: Final = {
    "b_call": (
        "hola|oye|oiga|ey|eh|bueno|vale|por favor|gracias|perdona|perdon|disculpa|buenos dias|buenas|"
        "buenas tardes|buenas noches|querido|querida|a ver|mira|pues|entonces|y|pero|si|no|ok|amigo|amiga|don|"
        "dona|venga|anda|ay"
    ),
    "b_ask": (
        "pregunta a|preguntale a|pregunto a|que responda|que conteste|que diga|que hable|quiero oir a|quiero que|"
        "la opinion de|opinion de|opina|opinas|llama a|dile a|que opina|que piensa|que dice|que diria|que cree|"
        "primero|luego|despues|me refiero a|para|le toca a|te pregunto a ti|necesito a|esta para|quisiera que|"
        "es para|hablo con|hablaba con|a|de parte de"
    ),
    "b_about": "sobre|de|con|como|segun|dijo|dice|que|cuando|porque|el|la|un|una|mi|su|este|esta|lo de",
    "b_not": (
        "no|no tu|no a|no le pregunto a|no hablo con|no me refiero a|en vez de|en lugar de|menos|no quiero a|"
        "no necesito a|sin|no era para|no es para|callate|ahora no"
    ),
    "b_notyou": (
        "no tu|no te pregunto|no te preguntaba a ti|no te lo pregunto a ti|no es a ti|a ti no|no hablo contigo|"
        "no te pregunto a ti|no te preguntaba|no te hablo a ti|no te hablaba a ti|no era para ti|no es para ti|"
        "no contigo|contigo no|ahora no|no a ti|no te lo decia a ti"
    ),
    "b_drop": "menos|excepto|salvo|sin contar a|sin|aparte de",
    "b_be": (
        "eres|ahora eres|actua como|finge ser|haz de|haces de|se|como si fueras|imagina que eres|hazte pasar por|"
        "tu eres|interpreta a"
    ),
    "b_with": "con|a|para|de|entre|segun|por",
    "a_you": (
        "tu|te|ti|puedes|podrias|me puedes|me ayudas|sabes|crees|opinas|piensas|tienes|quieres|eres|estas|vas|"
        "usted|puede|podria|ves|que opinas|que piensas|que crees|que te|dime"
    ),
    "a_do": (
        "ayuda|ayudame|dime|explica|explicame|cuenta|cuentame|recomienda|recomiendame|que|como|cuando|donde|"
        "por que|cual|cuanto|cuantos|haz|escribe|mira|ven|por favor|responde|habla|canta|calma|di|da|dame|pon|"
        "planea|primero|luego|despues|y|me|mi|yo|hola|gracias|buenos|es|hay|necesito|quiero|tengo|puedo|recuerda|"
        "acuerdate|a ver|traduce|revisa|calcula|empieza"
    ),
    "a_tell": (
        "dijo|dice|ha dicho|recomendo|me dijo|me dio|hizo|ya|siempre|nunca|es|era|esta|estaba|no|tiene|cree|"
        "piensa|me ha|ha|tambien|se|va|fue|ayer"
    ),
    "a_hush": "callate|calla|silencio|no hables|no respondas|no contestes|para|tu no|espera|no|descansa|fuera",
    "a_own": "opina|que opina",
    "and": "y|e|con|mas|tambien",
    "or": "o|u|o bien",
    "all": (
        "todos|todas|vosotros|vosotras|ustedes|todo el mundo|cada uno|cada uno de vosotros|todos vosotros|"
        "todos ustedes|entre todos|entre vosotros|entre ustedes|os"
    ),
    "all_call": (
        "chicos|chicas|gente|equipo|amigos|amigas|grupo|peña|muchachos|familia|señores|colegas|companeros|a todos|tropa"
    ),
    "all_not": (
        "todos dicen|todos dijeron|todos los|todas las|todos mis|todos sus|con todos|todos saben|a todos les|"
        "de todos|todos piensan|todo el mundo dice|todo el mundo sabe|todo el mundo piensa|con mis amigos|"
        "mis amigos|mis amigas|los amigos|mi equipo|mi familia|la gente|el equipo|la familia|todos estan|"
        "todos en|todos eran|el grupo|vuestra casa|os quiero|mucha gente|toda la gente"
    ),
    "two": "los dos|las dos|ambos|ambas|vosotros dos|ustedes dos",
    "three": "los tres|las tres|los cuatro|los cinco|vosotros tres|ustedes tres",
    "whoever": (
        "alguien|quien sabe|quien puede|quien de vosotros|quien de ustedes|cual de vosotros|quien entiende|"
        "cualquiera|quien me|quien quiere|quien se|quien conoce"
    ),
    "bots": "bots|robots|agentes|maquinas|las ias",
    "other": "los demas|el resto|las demas|los otros",
    "each": (
        "cada uno|cada una|cada cual|uno por uno|una frase cada uno|una palabra cada uno|por separado|individualmente"
    ),
    "apart": (
        "por separado|cada uno por su cuenta|por su cuenta|por vuestra cuenta|sin hablar entre|sin consultar|"
        "sin mirar|sin copiar|sin comentarlo|individualmente|en secreto|independientemente|a ciegas|voto secreto|"
        "cada uno|cada una|cada cual"
    ),
    "debate": (
        "debatid|debatan|debate|discutid|discutan|discutidlo|discutanlo|poneos de acuerdo|ponganse de acuerdo|"
        "entre vosotros|entre ustedes|lluvia de ideas|por turnos|haced turnos|tomen turnos|convenceos|"
        "convenzanse|hablad entre|hablen entre|pelead|conversad|conversen|el uno al otro|cadena|negociad"
    ),
    "talk": "debate|discutir|hablar entre|juntos|en equipo",
    "no_talk": (
        "sin hablar entre|sin discutir|sin debatir|no discutais|no os peleeis|no se peleen|no debatais|"
        "no discutan|no os copieis|sin consultaros"
    ),
    "turns": "por turnos|en orden|uno tras otro|uno por uno|en ese orden|por orden",
    "first": "primero|primera|empieza|empiece|que empiece|para empezar|comienza|antes",
    "second": "segundo|en segundo lugar",
    "then": "luego|despues|a continuacion|y despues|y luego|seguido|mas tarde|entonces|siguiente",
    "last": "al final|por ultimo|finalmente|ultimo|ultima|termina|cierra|acaba",
    "after": "despues de|tras|detras de|cuando termine|cuando acabe",
    "before": "antes que|antes de",
    "hush_all": (
        "callaos|callad|callense|silencio|silencio todos|no respondais|no respondan|no contesteis|no contesten|"
        "no hableis|no hablen|calladitos|no os metais|no se metan|no hace falta que respondais|"
        "no es para vosotros|no es con vosotros|no hablo con vosotros|bots silencio|dejadnos|dejennos|"
        "no interrumpais|no interrumpan|sin bots|que nadie responda|no respondais nadie|callaos por favor|"
        "por favor silencio|un poco de silencio|quietos|estaos callados|guardad silencio|guarden silencio"
    ),
    "feel": (
        "triste|deprimid*|llorar|lloro|llorando|sola|solo me siento|muy sola|me siento solo|me siento sola|"
        "me siento|agotad*|cansad*|ansiedad|ansios*|angusti*|miedo|asustad*|estresad*|estres|agobiad*|murio|"
        "fallecio|ha muerto|hospital|me dejo|me ha dejado|rompimos|ruptura|suspendi|he suspendido|fracas*|"
        "no puedo mas|no aguanto|desanimad*|decepcion*|perdido|despid*|me han despedido|hundid*|mal dia|fatal|"
        "desahog*|consuel*|abrazo|echo de menos|extrano a|soledad|nadie me|preocupad*|vacio|vacia|insomnio|harta|"
        "harto|duele|sin ganas|rota|roto"
    ),
    "quarrel": (
        "pele*|discut*|bronca|insult*|calma|tranquil*|paz|culpa|perdon|disculp*|reconcili*|mediar|mediador|gritar|"
        "gritos|haya paz|conflicto|llevaos bien|enfad*|ya vale|dejadlo ya"
    ),
    "calm": (
        "no os peleeis|no se peleen|no peleeis|calma|calmaos|calmense|tranquilos|paz|haya paz|parad|paren|basta|"
        "ya esta bien|dejad de discutir|haced las paces|hagan las paces|pedid perdon|sin pelear|no discutais|"
        "no discutan|no discutais mas|llevaos bien|haced las paces ya|no os enfadeis|dejadlo ya|ya vale|"
        "hablad con calma"
    ),
    "plan": (
        "plan|planear|planificar|organiz*|itinerario|agenda|preparar|preparo|montar|calendario|presupuesto|menu|"
        "pasos|primer paso|por donde empiezo|objetivo|ahorrar|que compro|programa|rutina|mudanza|boda|fiesta|"
        "para el sabado|fin de semana en|dias en"
    ),
    "play": (
        "finge|finjamos|juego de rol|imagina que|haz de|actua|actuad|interpreta|personaje|escena|taberna|dragon|"
        "espada|posada|hechizo|rol|como si fueras|soy el cliente|caballero"
    ),
    "recall": (
        "te acuerdas|recuerdas|que te dije|te dije|dije que|te conte|cual era mi|como se llamaba|acuerdas|se me olvido"
    ),
    "keep": (
        "recuerda que|acuerdate|no olvides|no te olvides|apunta|anota|a partir de ahora|de ahora en adelante|"
        "prefiero|soy alergic*|no como|llamame|la proxima vez|no me gusta"
    ),
    "opinion": (
        "que opinais|que opinan|que pensais|que piensan|que os parece|que les parece|opinion|opiniones|que tal|"
        "mejor|recomend*|que preferis|que prefieren|opinais"
    ),
    "greet": (
        "hola|buenos dias|buenas tardes|buenas noches|buenas|feliz ano|feliz navidad|feliz cumple*|adios|"
        "hasta manana|hasta luego|que tal|ya estoy aqui|feliz ano nuevo|chao|felices fiestas"
    ),
    "bored": (
        "aburrid*|aburro|me aburro|entreteneme|entretenedme|chiste|cuentame un chiste|que calor|que frio|"
        "buen tiempo|que dia|llueve"
    ),
    "follow": (
        "y|pero|entonces|por que|como|cual|el primero|el segundo|la primera|la segunda|ese|esa|eso|esto|este|"
        "otro|otra|mas|mas barato|y si|que quieres decir|explica|explicate|de verdad|en serio|seguro|gracias|"
        "vale|ok|ya|ah|jaja|jajaja|cuanto|tambien|y uno"
    ),
    "ask": "que|como|cuando|donde|por que|cual|cuanto|quien|puedes|podeis|ayuda|recomienda*|necesito|dime|hay",
    "hail": "hola|oye|ey|gracias|perdona|querido|querida|buenos dias",
    "a_act": "primero|ayuda|ayudame|dime|explica|cuenta|recomienda|por favor|empieza|luego|despues|canta",
    "a_done": "termine|acabe",
    "shift": "por cierto|otra cosa|cambiando de tema|otra pregunta",
    "b_stop": "basta de|no mas|deja de|para de|ya basta",
    "who": "quien|quienes|cual",
}
