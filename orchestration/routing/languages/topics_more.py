"""What people talk about, in Japanese, Korean, Spanish, French, German, Portuguese, Russian and Arabic words."""

from __future__ import annotations

from typing import Final

TOPICS: Final = {
    "comfort": (
        "悩み相談|悩み|相談|聞き役|やさしい|癒し|励まし|慰め|心|상담|고민|위로|다정|공감|힐링|escucha|"
        "apoyo emocional|consuelo|emociones|sentimientos|relaciones|ecoute|reconfort|soutien|emotions|relations|"
        "zuhoren|zuhorer*|trost|gefuhle|beziehung*|kummer|seelsorge|escuta|consolo|apoio|acolhimento|психолог*|"
        "поддержк*|по душам|утешен*|чувств*|отношени*|دعم|نفسي|استماع|مواساة|مشاعر|فضفضة|悩ん|愚痴|つらい話|"
        "고민상담|마음|힘들|آلام|جلسة|نفسية|выслуша*|душевн*|психологическ*|desahogar|seelisch"
    ),
    "law": (
        "法律相談|契約|弁護士|賃貸|敷金|訴え|법률|계약|변호사|전세|보증금|소송|legal|abogado|contrato|alquiler|"
        "derecho|avocat|contrat|bail|droit|loyer|proprietaire|anwalt|vertrag|mietvertrag|kaution|recht|vermieter|"
        "kundigungsfrist|advogado|aluguel|direito|юрист|договор|аренд*|суд|адвокат|закон|قانون|عقد|محامي|ايجار"
    ),
    "travel": (
        "旅行|観光|切符|新幹線|飛行機|宿|ホテル|温泉|パスポート|여행|맛집|코스|숙소|비행기|기차|호텔|부산|제주|"
        "관광|항공권|일본|viaje*|vuelo*|tren|trenes|hotel|billete*|itinerario*|aeropuerto|maleta|vacaciones|"
        "playa|pasaporte|madrid|sevilla|barcelona|lisboa|roma|paris|escapada|excursion|autobus|voyage*|vol|vols|"
        "billet*|gare|valise|vacances|plage|aeroport|sejour|week end a|reise*|reisen|flug|fluge|zug|zuge|bahn|"
        "bahnhof|fahrkarte|koffer|urlaub|strand|flughafen|ausflug|umsteigen|interrail|nachtzug|fahrplan|"
        "anschluss|viagem|viajar|voo|trem|passagem|passagens|mala|ferias|praia|roteiro|поездк*|путешеств*|билет*|"
        "поезд*|самолет*|отел*|виза|отпуск*|море|аэропорт*|чемодан*|маршрут*|экскурс*|رحلة|رحلات|سفر|اسافر|طيران|"
        "طيارة|فندق|فيزا|تاشيرة|جواز|مطار|تذكرة|تذاكر|سياحة|قطار|حجز|اسطنبول|دبي|venedig|wien|venezia|italia|"
        "porto|prag|lyon|munchen|hamburg|berlin|zurich|강릉|경주|여수|속초|서울|인천|грузи*|тбилиси|питер|москв*|"
        "стамбул|сочи|казан*|تركيا|القاهرة|ماليزيا|京都|大阪|沖縄|北海道|箱根|花見|東京"
    ),
    "code": (
        "プログラミング|コード|プログラム|バグ|エラー|関数|サーバー|デバッグ|配列|変数|ループ|コンパイル|"
        "デプロイ|개발자|개발|코딩|코드|프로그래밍|프로그램|서버|버그|에러|함수|배포|데이터베이스|알고리즘|"
        "파이썬|자바|programacion|programar|programador*|codigo|servidor|error|bucle|programmation|programmer|"
        "coder|serveur|boucle|bogue|programmier*|programm|fehlermeldung|datenbank|schleife|quellcode|programacao|"
        "программ*|код|сервер|баг|ошибк*|скрипт|функци*|цикл|питон|деплой|база данных|برمجة|برمجية|كود|برنامج|"
        "سيرفر|خطا|دالة|بايثون|مبرمج|Python|python|リスト|逆順|java|javascript|git|sql|docker|サーバ|スクリプト|"
        "엑셀|스크립트|리스트|питон*|массив"
    ),
    "computer": (
        "パソコン|PC|ＰＣ|pc|ネット|ルーター|重い|固まる|起動|画面|再起動|スマホ|充電|データ|ファイル|削除|"
        "ワイファイ|インストール|컴퓨터|노트북|인터넷|와이파이|공유기|느려|멈춰|화면|파일|삭제|복구|휴대폰|"
        "핸드폰|배터리|윈도우|설치|키보드|프린터|블루스크린|부팅|ordenador|computadora|portatil|red|redes|"
        "internet|wifi|pantalla|impresora|disco duro|archivo|teclado|movil|bateria|actualiz*|ordinateur|reseau|"
        "reseaux|ecran|imprimante|disque dur|fichier|clavier|portable|batterie|mise a jour|rechner|laptop|"
        "netzwerk*|wlan|router|bildschirm|drucker|festplatte|datei|tastatur|handy|akku|absturz|distro|"
        "distribution|betriebssystem|linux|einrichten|neustart|computador|notebook|rede|tela|impressora|arquivo|"
        "celular|atualiz*|roteador|компьютер*|ноут*|комп|железо|сеть|сети|роутер|интернет|вайфай|экран|принтер|"
        "диск|файл*|телефон*|батаре*|винд*|видеокарт*|процессор*|тормозит|зависает|виснет|перезагр*|клавиатур*|"
        "флешк*|драйвер*|техник*|تقنية|كمبيوتر|حاسوب|لابتوب|جهاز|شبكة|نت|انترنت|راوتر|الراوتر|واي فاي|شاشة|طابعة|"
        "ملف|ملفات|قرص|ويندوز|بطارية|جوال|موبايل|هاتف|تحديث|فيروس|يعلق|بطيء|شاحن|برنامج|تطبيق|엑셀|꺼져|꺼지|"
        "꺼지는데|안 켜져|안켜|먹통|오류|로그인|не видит|не включается|завис*|ноутбук*|принтер*|dns|servidor dns|"
        "vpn|nas|heimnetz|platte|platten|configur*|شاشة الجوال|تستجيب|起動しない|動かない|遅い|フリーズ|メモリ|"
        "設定"
    ),
    "film": (
        "映画|ドラマ|監督|俳優|영화|드라마|배우|pelicula*|cine|serie|series|actor|film|films|cinema|kino|"
        "schauspiel*|filme*|фильм*|кино|сериал*|актер*|فيلم|افلام|مسلسل|سينما"
    ),
    "book": (
        "本|小説|読書|책|소설|독서|libro*|novela*|leer|livre*|roman|romans|lire|buch|bucher|lesen|livro*|книг*|"
        "роман|читать|كتاب|كتب|رواية"
    ),
    "music": (
        "音楽|曲|歌|バンド|ギター|ピアノ|음악|노래|가수|밴드|기타|콘서트|musica|cancion*|banda|guitarra|piano|"
        "concierto|playlist|musique|chanson*|guitare|concert|groupe|musik|lied|lieder|gitarre|konzert|klavier|"
        "cancao|musicas|violao|show|samba|fado|музык*|песн*|гитар*|концерт*|группа|موسيقى|اغنية|اغاني|عود|"
        "حفلة غنائية"
    ),
    "game": (
        "ゲーム|攻略|ガチャ|対戦|レベル|ボス|게임|롤|레벨|juego*|videojuego*|partida|jeu|jeux|jeux video|spiel*|"
        "zocken|jogo*|игр*|поиграть|геймер*|катк*|لعبة|العاب"
    ),
    "anime": "アニメ|漫画|マンガ|声優|今期|ロボアニメ|推し|애니|만화|웹툰|anime|manga|аниме|манга|انمي|مانجا",
    "joke": (
        "冗談|お笑い|ギャグ|ダジャレ|面白い|농담|유머|개그|웃긴|chiste*|broma*|humor|meme*|gracioso|blague*|"
        "humour|drole|witz*|scherz*|lustig|piada*|brincadeira|zoeira|шутк*|мем*|прикол*|юмор|анекдот*|смешн*|"
        "كوميد*|نكتة|نكت|مزح"
    ),
    "cook": (
        "料理|料理人|レシピ|献立|居酒屋|煮|焼く|焼き|炒め|揚げ|味噌|醤油|出汁|だし|魚|肉|野菜|鍋|弁当|お酒|"
        "日本酒|つまみ|包丁|卵|ご飯|米|天ぷら|寿司|刺身|味|作り方|夕飯|晩ご飯|요리|레시피|음식|밥|김치|찌개|국|"
        "고기|반찬|먹을|간식|회|cocina*|cocinar|receta*|cena|comida|almuerzo|menu|vino|vinos|postre|horno|salsa|"
        "arroz|bacalao|plato*|paella|tarta|huevo*|carne|pescado|verduras|ajo|cebolla|restaurante*|tortilla|"
        "cocinero|cuisine*|cuisiner|recette*|diner|repas|dejeuner|vin|vins|gateau|four|sauce|viande|poisson|"
        "legumes|dessert|restaurant*|fromage|pain|oeuf*|plat|beurre|farine|koch*|kochen|rezept*|abendessen|"
        "mittagessen|essen|wein|weine|kuchen|ofen|sosse|fleisch|fisch|gemuse|nachtisch|brot|eier|teig|backen|"
        "braten|nudeln|kartoffel*|suppe|gericht|kase|knoblauch|wurzen|cozinha*|cozinhar|receita*|jantar|almoco|"
        "vinho*|bolo|forno|molho|peixe|sobremesa|feijao|bacalhau|prato|queijo|рецепт*|готовить|приготов*|еда|"
        "ужин*|обед*|борщ|пирог*|суп|мясо|рыба|вино|ресторан*|тесто|духовк*|салат|طبخ|طبخة|اكل|اكلة|وصفة|عشاء|"
        "غداء|مطعم|لحم|دجاج|رز|حلويات|كيك|gigot|agneau|cuire|cuisson|bechamel|mijoter|肉じゃが|隠し味|カレー|"
        "ラーメン|餃子|唐揚げ|味付け|낙지|칼국수|회는|떡볶이|비빔밥|뭐 먹|плов|блин*|шашлык*|كبسة|شوربة|gulasch|"
        "schnitzel|soße|carne asada|gazpacho|croquetas|moqueca|brigadeiro|feijoada"
    ),
    "sport": (
        "サッカー|野球|試合|優勝|ゴール|축구|야구|경기|골|농구|futbol|partido*|gol|goles|liga|jugador*|penalti|"
        "entrenador|campeon*|seleccion|estadio|marcador|baloncesto|football|foot|match|matchs|but|buts|ligue|"
        "joueur*|penalty|equipe de france|fussball|tor|tore|spiel|spieler|bundesliga|elfmeter|nachspielzeit|"
        "trainer|mannschaft|verein|meister|weltmeister*|abseits|stadion|pokal|geschossen|gewonnen|tabelle|"
        "futebol|gols|jogo do|jogador*|campeonato|time do|copa do mundo|benfica|flamengo|brasileirao|футбол*|"
        "матч*|гол|голы|лига|игрок*|чемпион*|хоккей|كرة|مباراة|هدف|دوري|لاعب|كاس|artilheiro|escalacao|tecnico|"
        "goleiro|rodada|entradas del partido|partidazo|fichaje|alineacion|portero|buteur|gardien|mercato|"
        "torschutze|torwart|aufstellung|transfer|вратар*|забил|счет|득점|선수"
    ),
    "study": (
        "勉強|テスト|試験|宿題|国語|英語|学校|授業|受験|漢字|文法|単語|古文|作文|テスト範囲|공부|시험|숙제|학교|"
        "수업|과제|estudi*|examen*|deberes|universidad|clase|tarea|etud*|examen|examens|devoirs|universite|cours|"
        "lern*|prufung*|hausaufgabe*|schule|studium|klausur*|prova|provas|dever|faculdade|aula|учеб*|учить|"
        "экзамен*|школ*|универ*|домашк*|урок*|сесси*|دراسة|امتحان|واجب|مدرسة|جامعة|درس|ادرس"
    ),
    "english": (
        "英語|文法|単語|英文|発音|英作文|和訳|英訳|영어|문법|영단어|ingles|gramatica|anglais|grammaire|englisch|"
        "grammatik|англий*|грамматик*|انجليزي|الانجليزية|قواعد|現在完了|過去形|関係代名詞|仮定法|前置詞|冠詞|"
        "受動態|不定詞|動名詞|時制|진행형|현재완료"
    ),
    "chinese": "国語|漢字|古文|敬語|読解|漢文|四字熟語|作文",
    "medical": (
        "病気|薬|熱|頭痛|病院|症状|風邪|약|병원|두통|열|감기|증상|medic*|fiebre|dolor de|sintoma*|farmacia|tos|"
        "gripe|medecin|fievre|mal de tete|symptome*|toux|grippe|arzt|fieber|kopfschmerz*|symptom*|husten|medizin|"
        "remedio|febre|dor de|врач*|лекарств*|температур*|боль|голова болит|симптом*|кашель|грипп|طبيب|دواء|"
        "حرارة|صداع|اعراض|سعال"
    ),
    "fitness": (
        "筋トレ|運動|ランニング|ダイエット|운동|헬스|달리기|다이어트|gimnasio|ejercicio*|correr|entren*|musculo*|"
        "sport|musculation|courir|entrainement|muscle*|fitness|training|laufen|muskel*|joggen|abnehmen|academia|"
        "treino|exercicio*|спортзал*|трениров*|бег|бегать|мышц*|похуд*|رياضة|تمارين|جيم|عضلات|ركض"
    ),
    "plan": "計画",
    "planner": (
        "計画|予定|スケジュール|旅程|段取り|계획|일정|스케줄|코스|짜줘|plan|planes|planificar|organizar|"
        "itinerario*|agenda|planning|planifier|organis*|programme|itineraire*|planen|planung|organisier*|"
        "zeitplan|ablauf|plano|planejar|cronograma|roteiro|план*|планир*|распис*|дела|по списку|список*|спис*|"
        "график|организ*|собраться|تخطيط|خطة|خطط|جدول|ترتيب|رتب*|ارتب|مهام|قائمة|مواعيد|برنامج"
    ),
    "love": (
        "恋|恋愛|彼氏|彼女|告白|デート|片思い|연애|남자친구|여자친구|고백|데이트|썸|짝사랑|amor|novio|novia|"
        "pareja|cita|ex|amour|copain|copine|rendez vous|couple|liebe|freund|freundin|beziehung|date|namoro|"
        "namorad*|любов*|парень|девушк*|отношени*|свидани*|бывш*|حب|حبيب*|زواج|خطوبة|علاقة"
    ),
    "pet": (
        "猫|犬|ペット|고양이|강아지|gato*|perro*|mascota*|chat|chien*|animal de compagnie|katze*|hund*|haustier*|"
        "cachorro*|кот|кошк*|собак*|щенок|قطة|كلب"
    ),
    "weather": "天気|雨|雪|날씨|비|눈|tiempo|lluvia|meteo|pluie|wetter|regen|chuva|погод*|дождь|снег|طقس|مطر",
    "star": "占い|星座|운세|별자리|horoscopo|tarot|horoscope|horoskop|гороскоп*|таро|ابراج|برج",
    "invest": (
        "株|投資|주식|투자|inversion*|invertir|bolsa|acciones|investir|bourse|aktie*|investier*|geldanlage|"
        "investimento*|акци*|инвест*|крипт*|استثمار|اسهم"
    ),
    "budget": (
        "貯金|節約|家計|お金|저축|절약|돈|가계부|ahorr*|dinero|presupuesto|gasto*|econom*|argent|budget|depense*|"
        "sparen|geld|ausgaben|economizar|dinheiro|orcamento|деньг*|бюджет*|накоп*|эконом*|зарплат*|ميزانية|توفير|"
        "فلوس|راتب|مصاريف"
    ),
    "career": (
        "仕事|面接|履歴書|転職|会社|上司|취업|면접|이력서|직장|회사|이직|상사|trabajo|entrevista|curriculum|jefe|"
        "travail|entretien|cv|patron|arbeit|bewerbung|lebenslauf|chef ist|job|vorstellungsgesprach|trabalho|"
        "curriculo|chefe|работ*|собеседован*|резюме|начальник*|عمل|وظيفة|مقابلة|سيرة ذاتية|مدير"
    ),
    "life": (
        "生活|家事|掃除|生活費|생활|살림|청소|hogar|limpieza|maison|menage|haushalt|putzen|casa|limpeza|быт|"
        "уборк*|بيت|تنظيف"
    ),
    "photo": (
        "写真|カメラ|사진|카메라|foto*|camara|photo*|appareil photo|kamera|fotografi*|camera|фото*|камер*|снимок|"
        "صورة|تصوير|كاميرا"
    ),
    "sleep": (
        "睡眠|眠れない|不眠|수면|잠|불면|dormir|sueno|insomnio|sommeil|schlaf*|schlafen|sono|сон|уснуть|"
        "бессонниц*|نوم|ارق"
    ),
    "math": (
        "数学|計算|方程式|수학|방정식|미적분|matematic*|ecuacion*|mathemati*|equation*|mathe|gleichung*|"
        "математик*|уравнен*|رياضيات|معادلة"
    ),
    "story": (
        "物語|昔話|童話|이야기|동화|cuento*|historia|conte|histoire|geschichte|marchen|conto|сказк*|истори*|قصة|حكاية"
    ),
    "shop": "買い物|通販|쇼핑|구매|compr*|achet*|kaufen|einkauf*|comprar|купить|покупк*|подешевле|شراء|تسوق",
}
