package lexicon

import "time"

// Czech is the lexicon of Czech.
func Czech() Language {
	const (
		noCall = `(?:nevolej|nevolejte|nevolat|nezavolejte|netelefonuj|netelefonujte|netelefonovat|nekontaktuj|nekontaktujte|nekontaktovat|neobtěžuj|neobtěžujte|neobtěžovat|neotravuj|neotravujte|neotravovat|nerušte|neruš|nezvoňte)`
		call   = `(?:volat|volání|telefonovat|telefonování|kontaktovat|obtěžovat|otravovat|rušit|voláním|telefonáty|hovory)`
		me     = `(?:mi|mě|mne|nám|nás|sem|na toto číslo|na tohle číslo|na moje číslo|prosím|se mnou|vy)`
		more   = `(?:už|víc|více|nikdy|znovu|znova|příště|dál|nadále)`
		data   = `(?:mě|mne|nás|moje číslo|mé číslo|toto číslo|tohle číslo|moje údaje|mé údaje|moje jméno|mé ` +
			`jméno|číslo)`
		drop  = `(?:vyškrtni|vyškrtněte|vyškrtnout|vymaž|vymažte|vymazat|smaž|smažte|smazat|odstraň|odstraňte|odstranit|vyřaď|vyřaďte|vyřadit|odhlas|odhlaste|odhlásit|odeber|odeberte|odebrat|zruš|zrušte)`
		calls = `(?:hovory|hovorů|telefonáty|telefonátů|volání)`
		// who answered
		box = `(?:hlasov[aáéoué]+ schránk[auyěo]+u?|schránk[auyěo]+u?|záznamník(?:u|em)?|hlasov[áéou]+ ` +
			`pošt[auyě]+u?)`
		ted = `(?:(?:teď|teďka|nyní|momentálně|právě|bohužel|dočasně|v tuto chvíli|v tomto okamžiku|zrovna|dnes|` +
			`v současnosti|tady) )*`
		kdy = `(?:později|zítra|pozítří|dnes večer|večer|odpoledne|ráno|dopoledne|jindy|jiný den|někdy jindy|` +
			`potom|(?:v |ve )?(?:pondělí|úterý|středu|čtvrtek|pátek|sobotu|neděli)|příští týden|za ` +
			`(?:hodinu|hodinku|půl|půlhodinu|čtvrt|chvíli|chvilku|dvě|tři|čtyři|pět|deset|patnáct|dvacet|` +
			`třicet|asi|pár|několik|týden|[0-9]+)|(?:v|ve|po|kolem|před|od|okolo|až po|až v|až ve) (?:půl ` +
			`|čtvrt na |tři čtvrtě na )?(?:jedné|jednu|dvě|druhé|tři|třetí|čtyři|čtvrté|pět|páté|šest|` +
			`šesté|sedm|sedmé|osm|osmé|devět|deváté|deset|desáté|jedenáct|jedenácté|dvanáct|dvanácté|` +
			`poledne|polednem|práci|obědě|[0-9:.]+)|ještě jednou|znovu)`
		on = `(?:on|ona|manžel|manželka|maminka|tatínek|matka|otec|syn|dcera|můj (?:manžel|otec|táta|bratr|syn|` +
			`muž)|moje (?:manželka|matka|máma|žena|sestra|dcera)|pan [a-z]+|paní [a-z]+)`
		clovek = `(?:(?:s|se|skutečným|živým|živého|nějakým|opravdovým|skutečného|jiným|k) )*(?:člověkem|člověka|` +
			`operátorem|operátora|operátorkou|pracovníkem|pracovníka|živou osobou|skutečnou osobou|někým ` +
			`živým|člověku)`
	)
	return Language{
		Lines: Lines{
			Disclosure:    "Toto je automatický hovor. Kdykoli stiskněte 9 nebo řekněte stop a už vám volat nebudeme.",
			NotUnderstood: "Promiňte, nerozumím.",
			Goodbye:       "Děkuji za váš čas. Na shledanou.",
			StillThere:    "Jste tam ještě?",
			NoAnswer:      "Neslyším vás, proto teď zavěsím. Na shledanou.",
			OptedOut:      "Rozumím. Na toto číslo už volat nebudeme. Na shledanou.",
			Back:          "Promiňte, spojení na chvíli vypadlo.",
			MoveOn:        "To nevadí, pojďme dál.",
			Moment:        "Okamžik, prosím.",
			Trouble:       "Promiňte, máme technický problém a musím teď zavěsit. Na shledanou.",
			Acks:          []string{"Děkuji.", "Dobře."},
			Screening:     "Toto je automatický hovor od {{organization}} pro {{name|majitele tohoto čísla}}.",
			ScreeningAbout: "Toto je automatický hovor od {{organization}} pro {{name|majitele tohoto čísla}} ve " +
				"věci: {{reason}}.",
			Automated:   "Jsem automatický hlas, ne člověk. Toto je automatický hovor od {{organization}}.",
			Declined:    "Omlouvám se, o tom nemohu mluvit.",
			Voicemail:   "Tady {{agent}}, {{organization}}. Zkusíme to znovu jindy. Na shledanou.",
			WrongPerson: "Omlouvám se za vyrušení. Na shledanou.",
			Deceased:    "Je mi to velmi líto. Omluvte prosím tento hovor. Na shledanou.",
			Minor:       "Děkuji. Teď zavěsím. Na shledanou.",
			Busy:        "Rozumím. Omlouvám se za vyrušení. Na shledanou.",
			CallBack:    "Rozumím a poznamenám si to. Na shledanou.",
			WantsHuman: "Jsem automatický hlas a nemohu vás přepojit. Poznamenám si, že chcete mluvit s člověkem. " +
				"Na shledanou.",
		},
		Filler: []string{"no", "tak", "takže", "ehm", "eh", "ee", "hm", "hmm", "mm", "ach", "ále", "víte", "víte co",
			"podívejte", "poslyšte", "prosím", "prosím vás", "děkuji", "děkuju", "díky", "promiňte", "pardon",
			"nechte mě přemýšlet", "moment",
			"myslím", "myslím že", "že", "asi", "řekl bych", "řekla bych", "řekněme", "zdá se mi", "tuším", "zhruba",
			"kolem", "tak nějak", "vlastně", "pane", "paní", "a", "i", "ale", "to", "já"},
		Hello: []string{
			"haló", "halo", "dobrý den", "dobré ráno", "dobré odpoledne", "dobrý večer", "ahoj", "čau", "nazdar",
			"prosím haló", "ano prosím",
		},
		Parting: []string{"ahoj", "čau", "nazdar"},
		Bye: []string{
			"na shledanou", "nashledanou", "na slyšenou", "naslyšenou", "sbohem", "čau čau", "mějte se",
			"mějte se hezky", "hezký den", "pěkný den", "musím jít", "musím končit", "už musím jít", "dobrou noc",
		},
		Who: []string{
			"kdo je to", "kdo to je", "kdo volá", "kdo mluví", "kdo jste", "kdo jsi", "s kým mluvím",
			"s kým hovořím", "kdo je tam", "o co jde", "o co se jedná", "co potřebujete", "odkud voláte",
			"proč voláte", "co to je",
		},
		Repeat: []string{"co", "cože", "prosím", "jak", "jakže", "pardon", "promiňte", "ještě jednou", "znovu",
			"zopakujte", "zopakujte to", "zopakujte otázku", "můžete to zopakovat", "můžete zopakovat otázku",
			"mohl byste to zopakovat", "mohla byste to zopakovat", "opakujte", "řekněte to znovu",
			"nerozumím", "nerozuměl jsem", "nerozuměla jsem", "nerozumím vám", "neslyším", "neslyším vás",
			"neslyšel jsem", "neslyšela jsem", "co jste říkal", "co jste říkala", "co říkáte", "jaká byla otázka",
			"jak prosím",
			"nic neslyším", "špatně slyším",
		},
		Skip: []string{"nevím", "to nevím", "já nevím", "netuším", "nemám tušení", "nemám ponětí", "těžko říct",
			"nepamatuju si", "nepamatuji si", "to si nepamatuju", "nechci odpovídat", "nechci na to odpovídat",
			"raději ne", "radši neřeknu", "raději bych neodpovídal", "raději bych neodpovídala", "bez komentáře",
			"další otázka", "další otázku", "další", "přeskočte to", "přeskočit",
			"do toho vám nic není", "ani jedno", "ani jedna", "žádné z nich", "žádná z nich"},

		Record: []string{
			`(?:zanechte|zanechat|nechte|nechat|zanech|nech|namluvte|nahrajte|namluvit)(?: prosím| mi| nám| zde)* ` +
				`(?:vzkaz|zprávu|své jméno|svůj vzkaz|svoji zprávu|jméno|svou zprávu|své číslo)`,
			`po (?:zaznění )?(?:signálu|pípnutí|tónu|zvukovém signálu|zaznění tónu|zaznění signálu)`,
			`(?:toto je|tady je|zde je|u telefonu je) ` + box,
			`(?:dovolali|dovolal|dovolala) (?:jste )?(?:se )?(?:do|na) ` + box,
			box + ` (?:účastníka|pana|paní|čísla|uživatele)`,
			`(?:přesměrován|přesměrováno|přepojen|přepojeni) (?:do|na) ` + box,
			`(?:volaný|volané|vámi volaný|vámi volané|volaná) (?:účastník|číslo|stanice|osoba)`,
			`(?:účastník|číslo|osoba)(?: ,)? (?:kterého|které|kterou|kterému|na které) (?:voláte|se snažíte|jste ` +
				`volali)`,
			`(?:nemohu|nemohou|nemůžu|nemůže) ` + ted + `(?:přijmout|zvednout|vzít|přijímat) (?:váš |tvůj |vaše ` +
				`)?(?:hovor|telefon|telefonát|volání)`,
			`(?:ozvu|zavolám|ozveme|zavoláme) (?:se |vám |ti |zpět |, )*(?:co nejdříve|jakmile|hned jak|co nejdřív)`,
			`víš co máš dělat`,
		},
		Reached: []string{
			`(?:dovolali|dovolal|dovolala) (?:jste se|ses)`,
			`(?:nejsem|nejsme|není) ` + ted + `(?:k zastižení|dostupný|dostupná|dostupní|k dispozici|dosažitelný|` +
				`dosažitelná|doma k zastižení)`,
			`nemohu ` + ted + `(?:zvednout|vzít) telefon`, `nejsem ` + ted + `u telefonu`,
			`(?:zavolám|ozvu se) (?:vám |ti )?(?:zpět|později)$`, `(?:zavolejte|zkuste to)(?: prosím)? později$`,
			`nikdo není ` + ted + `(?:doma|k zastižení)`,
		},
		Full: []string{
			`(?:` + box + `|paměť)(?: [a-z]+)? je (?:bohužel |momentálně |již )?(?:plná|zaplněná|zaplněna|` +
				`přeplněná|plný)`,
			`(?:nelze|není možné|nemůže) (?:zanechat |přijmout |přijímat |uložit )?(?:žádné |další |nové ` +
				`)*(?:zprávy|vzkazy|zprávu|vzkaz)(?: zanechat)?`,
			box + ` (?:[a-z]+ ){0,3}není (?:ještě |dosud )?(?:nastavena|aktivována|aktivní|zřízena|nastavená|` +
				`aktivovaná)`,
			`nemá (?:nastavenou |aktivovanou |zřízenou |aktivní )?` + box,
			`(?:volané|zvolené) číslo (?:neexistuje|není přiděleno|není používáno)`,
		},
		Screen: []string{
			`(?:jméno|kdo jste|kdo volá|kdo jsi) (?:, )?a (?:[a-z]+ ){0,2}(?:důvod|proč|účel)`,
			`(?:uveďte|řekněte|sdělte|nahrajte|řekni) (?:prosím )?(?:důvod|účel) (?:hovoru|volání|vašeho)`,
			`(?:uveďte|řekněte|řekni) (?:prosím )?(?:své|svoje) jméno$`,
			`jaký je (?:důvod|účel) (?:vašeho |tvého )?(?:hovoru|volání)`,
			`(?:řekněte|řekni|můžete říct|můžete mi říct)(?: mi)? (?:, )?proč voláte`,
		},
		Screener: []string{
			`(?:filtr|filtrování|filtruje|prověřování|prověřuje) (?:hovorů|hovory|volání|hovoru)`,
			`(?:virtuální|digitální|osobní) (?:asistent|asistentka)`, `asistent(?:ka)? (?:google|truecaller)`,
			`(?:zjistím|podívám se|ověřím|zkontroluji) (?:, )?(?:jestli|zda) (?:[a-z]+ ){1,3}(?:dostupná|dostupný|` +
				`k dispozici|k zastižení)`,
			`(?:obdrží|dostane) (?:kopii|přepis) (?:tohoto )?(?:hovoru|rozhovoru)`,
			`(?:zůstaňte|vyčkejte|čekejte) (?:prosím )?na (?:lince|příjmu) (?:, )?(?:než|dokud|zatímco)`,
			`děkuji (?:, )?(?:zůstaňte|vyčkejte|čekejte)(?: prosím)? na (?:lince|příjmu)`,
		},
		Menu: []string{
			`(?:stiskněte|zmáčkněte|zvolte|volte|stlačte) (?:prosím )?(?:klávesu |tlačítko |číslo |číslici ` +
				`)?(?:[0-9]|nulu|jedna|jedničku|dva|dvojku|tři|trojku|čtyři|pět|šest|sedm|osm|devět|hvězdičku|` +
				`křížek)(?: |$)`,
			`všichni (?:naši )?(?:operátoři|pracovníci|poradci) jsou`,
			`(?:prvním|nejbližším) volným (?:operátorem|pracovníkem)`, `(?:první|nejbližší) volný operátor`,
			`(?:váš|vaše) (?:hovor|volání) je pro nás (?:velmi )?důležit[yéý]+`,
			`(?:hovor|hovory) (?:může být|je|jsou|bude|mohou být) (?:nahráván|nahrávány|monitorován|zaznamenáván)`,
			`(?:hlavní nabídka|hlavní nabídky|otevírací doba|úřední hodiny|jste v pořadí|číslo linky|poslouchejte ` +
				`pozorně)`,
		},
		Hold: []string{
			`^(?:(?:ano|jo|dobře|haló|no|jasně) (?:, )?)*(?:moment|momentík|momentíček|chvilku|chvíli|chviličku|` +
				`chvilinku|okamžik|vteřinku|minutku|malý moment|malou chvíli|počkejte moment|jen moment|jednu ` +
				`chvilku)(?: (?:, )?(?:prosím|jen|prosím vás))*$`,
			`^(?:(?:ano|jo|dobře|haló|no|jasně) (?:, )?)*(?:počkejte|počkej|vydržte|vydrž|nezavěšujte|vyčkejte|` +
				`zůstaňte na lince|strpení|strpení prosím|moment strpení)(?: (?:, )?(?:prosím|chvilku|chvíli|` +
				`moment|okamžik|vteřinku))*$`,
			`(?:hned |já |já vám |už )?(?:ji|ho|jí|mu|vám ji|vám ho) (?:zavolám|dám|předám|seženu|přivedu|zavolam ` +
				`k telefonu)$`,
			`(?:zavolám|dám vám|předám vám|předám vás|předám) (?:manžel|manžela|manželku|mamku|mámu|ji|ho|tátu|` +
				`maminku|tatínka)`,
			`(?:přepojím|přepojuji|spojím|spojuji) (?:vás|tě|vám)`,
			`(?:podívám se|kouknu|zjistím) (?:, )?(?:jestli|zda) (?:tu |tady )?(?:je|přišel|přišla)`,
			`(?:moment|chvilku|počkejte|vydržte|okamžik)(?: ,)? (?:zavolám|dám|předám|přepojím|podívám|hned|já|` +
				`přivedu)`,
			`(?:hned|už) (?:jde|přijde)$`,
			`^(?:prosím )?(?:nezavěšujte|nezavěšuj|nepokládejte(?: to| telefon)?|nepokládej(?: to)?)$`,
		},

		WrongPerson: []string{
			`(?:špatné číslo|omyl|špatně voláte|špatnou osobu|špatného člověka|špatnýho člověka)`,
			`(?:spletli|spletl|spletla) (?:jste )?(?:si )?(?:jste )?(?:se|číslo|si)?`,
			`(?:máte|máš|voláte|voláš) (?:asi )?(?:špatné|jiné|chybné) číslo`,
			`(?:nikdo|žádný|žádná|nikoho) (?:takový|takového|takhle|toho jména|s tímto jménem|pan [a-z]+|paní ` +
				`[a-z]+) (?:tady |tu )?(?:není|nebydlí|nemáme|nežije|nepracuje)`,
			`(?:tady|tu) (?:nikdo|žádný|žádná) (?:takový|toho jména|takového|pan [a-z]+|paní [a-z]+)`,
			`(?:už )?(?:tady|tu|zde) (?:už )?nebydlí`, `nebydlí (?:už )?(?:tady|tu)`,
			`neznám (?:nikoho takového|nikoho toho|toho pána|tu paní|tu osobu|toho člověka)`,
			`neznám (?:takového|takovou)`, `to (?:už )?není (?:už )?(?:jeho|její) číslo`,
			`(?:já )?nejsem (?:ta|ten|osoba|ten koho|ta koho|pan|paní)(?: [a-z]+)?`,
			`(?:odstěhoval|odstěhovala|přestěhoval|přestěhovala) se`, `mám (?:tohle|toto|to) číslo (?:teprve|od|nově)`,
		},
		Deceased: []string{
			on + ` (?:[a-z]+ ){0,3}(?:zemřel|zemřela|umřel|umřela|je mrtvý|je mrtvá|nežije|je po smrti|už není ` +
				`mezi námi)`,
			`^(?:(?:ne|bohužel|je mi líto|promiňte|už) (?:, )?)*(?:zemřel|zemřela|umřel|umřela|už nežije|` +
				`nežije)(?: [a-z]+)*$`,
			`(?:pohřbili|pochovali|ztratili) jsme (?:ho|ji)`, `(?:jeho|její) pohřeb`,
		},
		Minor: []string{
			`(?:moje |můj )?(?:maminka|mamka|máma|tatínek|taťka|táta)(?: a (?:táta|tatínek))? (?:není (?:doma|` +
				`tady|tu)|spí|je (?:v práci|ve sprše|v koupelně|venku)|se sprchuje|vaří)`,
			`(?:rodiče|naši) (?:nejsou|spí|jsou|pracují)`,
			`(?:je|bude) mi (?:teprve |jenom |jen |už )?(?:[3-9]|1[0-5]|tři|čtyři|pět|šest|sedm|osm|devět|deset|` +
				`jedenáct|dvanáct|třináct|čtrnáct|patnáct)(?: let| roky)?$`,
			`jsem (?:jenom |jen |ještě )?(?:dítě|malý|malá|malý kluk|malá holka)$`,
			`nesmím (?:mluvit|se bavit|telefonovat)(?: s (?:cizími|cizíma|neznámými))?`, `nemůžu mluvit s cizími`,
			`(?:chcete|chceš|mám) (?:mluvit s |dát |zavolat )(?:mamkou|maminkou|tátou|mámu|mamku|tátu|maminku|` +
				`tatínka)`,
		},
		Busy: []string{
			`(?:` + ted + `řídím|řídím|jím|obědvám|vařím|pracuji|pracuju|jedu autem|večeřím)(?: (?:teď|zrovna|` +
				`právě|auto|nyní))*$`,
			`(?:jsem|sedím|stojím) ` + ted + `(?:v (?:práci|autě|obchodě|vlaku|autobuse|kině|nemocnici|kostele|` +
				`zaměstnání)|na (?:poradě|schůzce|jednání|přednášce|obědě|cestě|návštěvě|schůzi|mítinku)|u ` +
				`(?:lékaře|doktora|zubaře|oběda)|za volantem|uprostřed)`,
			`mám (?:teď|právě|zrovna) (?:poradu|schůzku|jednání|klienta|hodinu|vyučování|mítink)$`,
			`(?:` + ted + `nemůžu|` + ted + `nemohu|nemůžu|nemohu) ` + ted + `(?:mluvit|telefonovat|hovořit|se ` +
				`bavit)(?: (?:teď|nyní))?$`,
			`(?:teď|zrovna|teďka) (?:se )?(?:mi )?(?:to )?nehodí$`, `(?:se mi to |mi to )?nehodí (?:teď|zrovna)$`,
			`není (?:teď |zrovna )?(?:dobrá|vhodná|nejlepší) (?:chvíle|doba)`,
			`je (?:teď )?(?:špatná|nevhodná) (?:chvíle|doba)`, `není (?:vhodný|dobrý) (?:čas|okamžik)`,
			`je (?:špatný|nevhodný) (?:čas|okamžik)`, `nemám ` + ted + `čas(?: (?:teď|na to|nyní))*$`,
			ted + `nemám čas`,
			`^(?:(?:ne|ano|haló|promiňte|bohužel|je mi líto) (?:, )?)*(?:jsem |mám )` + ted + `(?:moc |dost |` +
				`hodně )?(?:zaneprázdněný|zaneprázdněná|zaneprázdněn|napilno|moc práce|hodně práce)$`,
			`(?:spěchám|musím (?:už )?(?:jít|odejít|běžet))(?: teď)?$`,
		},
		GoAhead: []string{
			`(?:ale )?(?:jestli je to rychlé|když to bude rychlé|ptejte se|rychle prosím|povídejte|mluvte)`,
			`mám (?:minutu|minutku|dvě minuty|pár minut|chvilku|pět minut)`,
		},
		CallBack: []string{
			`(?:zavolejte|zavolej|volejte|volej|ozvěte se|ozvi se|zkuste|zkus|zkuste to|zkuste zavolat|` +
				`zatelefonujte|brnkněte)(?: (?:mi|mně|nám|prosím|zpátky|zpět|znovu|to|radši|raději|zase|mu|jí))* ` +
				kdy,
			`(?:zavolejte|zavolej)(?: mi)? (?:zpátky|zpět|znovu)$`,
			`(?:můžete|mohl byste|mohla byste|můžeš|mohl bys|mohli byste|mohla bys)(?: (?:mi|prosím|nám|zpátky|` +
				`zpět|to|raději))* (?:zavolat|volat|zkusit|ozvat se|se ozvat)(?: (?:zpátky|zpět|znovu|mi))*(?: ` +
				kdy + `|$)`,
			`(?:můžete|mohl byste|mohla byste|můžeš|mohl bys)(?: (?:mi|prosím|nám))* ` + kdy + ` (?:zavolat|volat|` +
				`ozvat)`,
			`(?:můžeme|mohli bychom) (?:si )?(?:promluvit |zavolat )?` + kdy, `(?:radši|raději|lepší) ` + kdy + `$`,
			`(?:prosím )?nevolejte (?:mi )?(?:před|tak brzy|tak pozdě|teď)`,
			on + ` (?:bude|přijde|se vrátí|vrátí se) (?:doma |domů )?(?:až )?` + kdy,
			`(?:budu|vrátím se|přijdu|bude|přijde|vrátí se) (?:doma |domů |volný |volná )?(?:až )?` + kdy +
				`(?: doma)?$`,
			`(?:dejte|dej) mi (?:hodinu|hodinku|půl hodiny|deset minut|chvilku|[0-9]+ minut)`,
			`(?:zavolejte|zavolej|volejte|zavolat|volat|zkuste|ozvěte)(?: [a-z]+){0,3} mezi`,
		},
		WantsHuman: []string{
			`(?:mluvit|hovořit|promluvit|spojit|spojte mě|přepojte mě|přepojit|dejte mi) (?:si )?(?:s |se |na |k ` +
				`)?` + clovek,
			`(?:chci|chtěl bych|chtěla bych|potřebuji|dám přednost|je tam)(?: raději)? ` + clovek,
			`(?:nemluvím|nebudu mluvit|nechci mluvit|nebavím se|nebudu se bavit) (?:s )(?:robotem|roboty|strojem|` +
				`stroji|automatem|automaty|počítačem|botem)`,
			`^(?:(?:ne|prosím) (?:, )?)*(?:operátora|operátor|člověka|člověk|živého člověka|zákaznický servis|` +
				`pracovníka)(?: (?:, )?prosím)?$`,
			`(?:živého|skutečného|živým|skutečným|opravdovým) člověk(?:a|em)`,
		},
		Robot: []string{
			`(?:jste|jsi|je to|to je|je tohle|mluvím|hovořím) (?:vy |ty |snad |opravdu |jenom |jen |` +
				`tady |teď |s |se |živý |živá |živým |skutečný |skutečná |skutečným |opravdový |` +
				`opravdovým |nějaký )*(?:robot|robotem|bot|botem|stroj|strojem|počítač|počítačem|automat|` +
				`automatem|nahrávka|nahrávkou|umělá inteligence|umělou inteligencí|člověk|člověkem)`,
		},
		Speak: []string{
			`(?:mluvíte|mluvíš|hovoříte|umíte|umíš)(?: prosím| také)* {l}`,
			`(?:můžete|můžeme|mohl byste|mohla byste)(?: prosím)? (?:mluvit|hovořit|pokračovat|` +
				`přejít)(?: v| do| na)? {l}`,
			`(?:mluvím|umím) (?:jen|jenom|pouze) {l}`,
			`^{l} prosím$`,
		},
		NotSpoken: []string{
			`(?:nemluvím|nerozumím|neumím)(?: moc| dobře)* {l}`,
		},
		Names: map[string][]string{
			"en": {"anglicky", "angličtina", "angličtině"}, "cs": {"česky", "čeština", "češtině"},
			"da": {"dánsky", "dánština", "dánštině"}, "de": {"německy", "němčina", "němčině"},
			"el": {"řecky", "řečtina", "řečtině"}, "es": {"španělsky", "španělština", "španělštině"},
			"fr": {"francouzsky", "francouzština", "francouzštině"}, "it": {"italsky", "italština", "italštině"},
			"nb": {"norsky", "norština", "norštině"}, "nl": {"nizozemsky", "holandsky", "nizozemština"},
			"pl": {"polsky", "polština", "polštině"}, "pt": {"portugalsky", "portugalština", "portugalštině"},
			"ro": {"rumunsky", "rumunština", "rumunštině"}, "sv": {"švédsky", "švédština", "švédštině"},
			"tr": {"turecky", "turečtina", "turečtině"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"hodinu": time.Hour, "hodinku": time.Hour, "půl hodiny": 30 * time.Minute,
				"půlhodinu": 30 * time.Minute, "půl hodinky": 30 * time.Minute, "půlhodinku": 30 * time.Minute,
				"hodinu a půl": 90 * time.Minute, "čtvrt hodiny": 15 * time.Minute, "čtvrthodinu": 15 * time.Minute,
				"čtvrthodinku": 15 * time.Minute, "tři čtvrtě hodiny": 45 * time.Minute, "chvíli": 10 * time.Minute,
				"chvilku": 10 * time.Minute, "pár minut": 10 * time.Minute, "pár hodin": 3 * time.Hour,
				"den": 24 * time.Hour, "pár dní": 3 * 24 * time.Hour, "týden": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minutu": time.Minute, "minuty": time.Minute, "minut": time.Minute, "hodiny": time.Hour,
				"hodin": time.Hour, "dny": 24 * time.Hour, "dní": 24 * time.Hour, "týdny": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"dnes": 0, "dneska": 0, "dnes večer": 0, "zítra": 1, "pozítří": 2, "příští týden": 7,
				"příštího týdne": 7, "příští měsíc": 30,
			},
			Weekdays: [7][]string{
				{"neděli", "neděle"}, {"pondělí"}, {"úterý"}, {"středu", "středa"}, {"čtvrtek"}, {"pátek"},
				{"sobotu", "sobota"},
			},
			Parts: map[string]int{
				"ráno": 9, "dopoledne": 9, "v poledne": 12, "poledne": 12, "polednem": 12, "po obědě": 13,
				"odpoledne": 14, "večer": 18, "dnes večer": 18, "po práci": 17,
			},
			Hours: map[string]int{
				"jedenáctou": 11,
				"osmou":      8,
				"sedmou":     7,
				"šestou":     6,
				"čtvrtou":    4,
				"druhou":     2,
				"jedné":      1, "druhé": 2, "třetí": 3, "čtvrté": 4, "páté": 5, "šesté": 6, "sedmé": 7, "osmé": 8,
				"deváté": 9, "desáté": 10, "jedenácté": 11, "dvanácté": 12, "třetí hodině": 3, "čtvrté hodině": 4,
				"páté hodině": 5, "šesté hodině": 6, "jednu": 1, "dvanáctou": 12, "desátou": 10, "devátou": 9,
				"pátou": 5,
			},
			Between: []string{"mezi"},
			At:      []string{"v", "ve", "po", "kolem", "okolo", "před", "od", "až po", "až v", "do"},
			OClock:  []string{"hodin", "hodiny", "hodině", "h"},
			AM:      []string{"ráno", "dopoledne"},
			PM:      []string{"odpoledne", "večer"},
			Before: map[string]int{
				"půl": -30, "čtvrt na": -45, "třičtvrtě na": -15, "tři čtvrtě na": -15, "za pět": -5,
			},
			Months: [12][]string{
				{"ledna", "leden"}, {"února", "únor"}, {"března", "březen"}, {"dubna", "duben"},
				{"května", "květen"}, {"června", "červen"}, {"července", "červenec"}, {"srpna", "srpen"},
				{"září"}, {"října", "říjen"}, {"listopadu", "listopad"}, {"prosince", "prosinec"},
			},
			MonthDays: [31][]string{
				{"prvního"}, {"druhého"}, {"třetího"}, {"čtvrtého"}, {"pátého"}, {"šestého"}, {"sedmého"},
				{"osmého"}, {"devátého"}, {"desátého"}, {"jedenáctého"}, {"dvanáctého"}, {"třináctého"},
				{"čtrnáctého"}, {"patnáctého"}, {"šestnáctého"}, {"sedmnáctého"}, {"osmnáctého"},
				{"devatenáctého"}, {"dvacátého"}, {"dvacátého prvního", "jednadvacátého"},
				{"dvacátého druhého", "dvaadvacátého"}, {"dvacátého třetího", "třiadvacátého"},
				{"dvacátého čtvrtého", "čtyřiadvacátého"}, {"dvacátého pátého", "pětadvacátého"},
				{"dvacátého šestého", "šestadvacátého"}, {"dvacátého sedmého", "sedmadvacátého"},
				{"dvacátého osmého", "osmadvacátého"}, {"dvacátého devátého", "devětadvacátého"},
				{"třicátého"}, {"třicátého prvního", "jednatřicátého"},
			},
			Past:     map[string]int{"včera": 1, "předevčírem": 2},
			Ago:      []string{"před"},
			Previous: []string{"minulý", "minulou", "minulé"},
		},
		Spelling: Spelling{
			At:         []string{"zavináč"},
			Dot:        []string{"tečka"},
			Dash:       []string{"pomlčka", "spojovník", "mínus"},
			Underscore: []string{"podtržítko"},
			Before:     []string{"je", "to je", "mail", "mejl", "email", "e mail", "adresa"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dvakrát": 2},
		},

		Harmless: []string{
			`(?:umřel|umřela|zemřel|zemřela|mrtvý|mrtvá) (?:smíchy|únavou|hlady|strachy|nudou|hanbou|zimou|žízní)`,
			`(?:skoro|málem) (?:umřel|umřela|zemřel)`,
			`(?:jaké|které|co) (?:je |to )*(?:špatné|nesprávné) číslo`,
		},
		Ages: []string{"let", "věk", "věku", "roky", "roků"},
		Aside: []string{
			"není tady", "není tu", "není doma", "ona tu není", "on tu není", "ona není doma", "on není doma",
			"to není ona", "to není on", "neslyším", "neslyším vás", "nic neslyším", "já neslyším",
		},
		Yes: []string{"ano", "jo", "jojo", "no jo", "ano ano", "jasně", "no jasně", "jistě", "zajisté", "samozřejmě",
			"určitě", "určitě ano", "přesně", "přesně tak", "správně", "to je správně", "souhlasí", "to souhlasí",
			"souhlasím", "je to tak", "dobře", "tak dobře", "okej", "ok", "okay", "v pořádku", "rád", "ráda", "moc rád",
			"moc ráda", "s radostí",
			"žádný problém", "není problém", "bez problému", "proč ne", "myslím že ano", "myslím že jo", "asi ano",
			"asi jo", "spíš ano", "spíše ano", "bezpochyby", "nepochybně", "rozhodně", "rozhodně ano", "mhm", "aha",
			"pravda", "potvrzuji"},
		No: []string{"ne", "ne ne", "nee", "ne děkuji", "ne díky", "vůbec ne", "určitě ne", "rozhodně ne",
			"samozřejmě že ne", "samozřejmě ne", "jistě že ne", "ještě ne", "teď ne", "dnes ne", "spíš ne", "spíše ne",
			"asi ne", "myslím že ne", "bohužel ne", "v žádném případě", "ani náhodou", "kdepak", "kdeže", "nikoli",
			"nikoliv", "nesouhlasí", "nesouhlasím", "to není pravda", "není to tak",
			"omyl", "to je omyl", "špatné číslo", "nemám zájem", "nezajímá mě to", "to ne", "moc ne", "ani trochu"},
		Unsure: []string{
			"možná", "možná že ano", "snad", "nevím", "to nevím", "nejsem si jistý", "nejsem si jistá", "záleží",
			"to záleží", "jak kdy", "někdy", "ano i ne", "ano a ne", "víceméně", "těžko říct", "nepamatuju si",
			"nepamatuji si", "netuším", "ještě nevím",
		},
		Hint: []string{
			"nemám", "nejsem", "nebyl", "nebyla", "nebylo", "není", "nemohu", "nemůžu", "nechci", "neviděl",
			"neviděla", "nikdy", "nic", "žádný", "žádná", "neměl", "neměla", "nedostal", "nedostala", "nebral",
			"nebrala", "nepřišel", "nepřišla", "nebudu", "neznám", "nebolí",
		},
		Mistaken: []string{
			"vlastně ne", "totiž", "chtěl jsem říct", "chtěla jsem říct", "teda", "ne počkejte", "počkejte", "počkat",
			"moment ne", "pardon ne", "spletl jsem se", "spletla jsem se", "lépe řečeno", "respektive", "myslel jsem",
			"myslela jsem",
		},
		YesAlone: []string{
			"to jsem já", "u telefonu", "u aparátu", "osobně", "mám", "jsem", "můžu", "mohu", "chci", "byl jsem",
			"byla jsem", "to je pravda", "super", "výborně", "skvěle", "hodí se", "hodí se mi to", "může být",
			"viděl jsem", "viděla jsem",
		},
		NoAlone: []string{
			"špatně", "nikdy", "nic", "žádný", "žádná", "nepravda", "nemám", "nejsem", "nemůžu", "nechci",
		},
		Not: []string{"ne", "bez", "ani"},

		Connectives: []string{
			"nebo", "před", "přes", "podle", "domů",
			"vám", "vaše",
		},

		Ordinals: [MaxOrdinals][]string{
			{"první", "číslo jedna", "možnost jedna"},
			{"druhý", "druhá", "druhé", "druhou", "číslo dvě", "číslo dva", "možnost dvě"},
			{"třetí", "číslo tři", "možnost tři"},
			{"čtvrtý", "čtvrtá", "čtvrté", "čtvrtou", "číslo čtyři"}, {"pátý", "pátá", "páté", "pátou", "číslo pět"},
			{"šestý", "šestá", "šesté", "číslo šest"}, {"sedmý", "sedmá", "sedmé", "číslo sedm"},
			{"osmý", "osmá", "osmé", "číslo osm"},
		},
		Last: []string{"poslední"},

		Spell:    czechNumbers.spell,
		Thousand: []string{"tisíc", "tisíce", "jeden tisíc"},
		Half:     []string{"a půl"},
		And:      []string{"a"},
		OutOf:    []string{"z", "ze"},
		Minus:    []string{"minus", "mínus"},
		Article:  []string{"jeden", "jedna", "jedno", "jednu", "jednoho"},
		Vague: []string{
			"chvíli", "chvilku", "jednu chvilku", "jeden moment", "trochu", "pár", "několik", "ještě jednou",
			"jeden z nich", "jedna z nich", "ještě jeden",
		},
		Counts: map[string]float64{
			"jednou": 1, "dvakrát": 2, "třikrát": 3, "čtyřikrát": 4, "pětkrát": 5, "ani jednou": 0, "vůbec": 0,
			"žádný": 0, "žádná": 0, "žádné": 0, "nic": 0, "nikdy": 0, "půl": 0.5, "půldruhého": 1.5,
			"jeden a půl": 1.5, "jedna a půl": 1.5, "tucet": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"dobře", "velmi dobře", "výborně", "skvěle", "skvělé", "úžasné", "úžasně", "perfektní", "spokojený",
			"spokojená", "šťastný", "šťastná", "rád", "ráda", "lépe", "lepší", "milý", "milá", "příjemné", "fajn",
			"ochotný", "ochotná", "moc děkuji",
		},
		Sad: []string{
			"špatně", "velmi špatně", "hrozně", "hrozné", "příšerné", "mizerně", "nespokojený", "nespokojená",
			"naštvaný", "naštvaná", "zlobím", "hůř", "horší", "bolest", "bolesti", "bolí", "problém", "problémy",
			"stížnost", "zklamaný", "zklamaná", "závratě", "nemocný", "nemocná", "smutný", "smutná", "podvod",
			"skandál", "hrubý", "obavy",
		},

		Urge: []string{
			"ano", "no", "už", "teď", "hned", "okamžitě", "konečně", "řekl jsem", "řekla jsem", "říkám",
			"chci abyste", "můžete", "mohl byste", "mohla byste", "musíte", "s tím", "to", "toho", "proboha",
			"prosím vás", "okej", "ok", "víc", "mi", "sem",
		},
		StopAlone: []string{
			"stop", "dost", "dost už", "přestaň", "přestaňte", "přestat", "nevolej", "nevolejte", "nevolat",
			"nechte mě", "nechte toho", "nech toho", "odhlásit", "odhlaste mě", "dejte mi pokoj", "dej mi pokoj",
			"konec volání",
		},
		Stop: []string{
			`\b` + more + `(?: (?:` + more + `|` + me + `))* ` + noCall + `\b`,
			`\b` + noCall + `(?: ` + me + `)* ` + more + `\b`,
			`\b` + noCall + ` (?:mi|mě|mne|nám|nás|sem|na toto číslo|na tohle číslo)(?:$| prosím\b)`,
			`^(?:prosím )?(?:mi|mě|sem) ` + noCall + `\b`,
			`\b(?:přestaň|přestaňte|přestat|skončete|skončit|nech|nechte)(?: (?:` + me +
				`|s|s tím|tím|pořád|už|toho|konečně))* ` + call + `\b`,
			`\b(?:nechci|nechceme|nepřeji si|nepřeju si|nepřejeme si)(?: ` +
				`(?:už|další|žádné|žádná|tyto|tyhle|vaše|více|víc|dostávat|přijímat|takové))* ` + calls + `\b`,
			`\b(?:nechci|nechceme|nepřeji si|nepřeju si|nepřejeme si)(?: už)?(?: aby| abyste| ať)(?: [a-z]+){0,4}? ` +
				`(?:volal[a-z]*|voláte|telefonoval[a-z]*|kontaktoval[a-z]*|obtěžoval[a-z]*|otravoval[a-z]*)`,
			`\babyste (?:[a-z]+ ){0,3}?(?:nevolal[a-z]*|netelefonoval[a-z]*|nekontaktoval[a-z]*|přestali (?:[a-z]+ ` +
				`){0,2}?volat)`,
			`\b(?:nechci|nepřeji si|nepřeju si) (?:být |už ` +
				`)*(?:kontaktován|kontaktována|obtěžován|obtěžována|volán|volána)\b`,
			`\b(?:žádné|už žádné|dost) (?:další |vašich |těch )?` + calls + `\b`,
			`\b` + drop + ` (?:prosím |si |už )*` + data + `\b`,
			`\b` + data + ` (?:prosím |si |už )*` + drop + `(?:$| (?:z|ze|prosím|odsud)\b)`,
			`\b(?:dej|dejte|dát)(?: (?:mi|nám|už|konečně|svatý))* pokoj\b`,
			`\b(?:nech|nechte|nechat) (?:mě|mne|nás)(?: už)? (?:být|na pokoji|v klidu)\b`,
		},
		Joins: []string{"abyste", "aby", "abys", "ať"},
		Cues: []string{
			"nevol", "nezavol", "netelefon", "nekontakt", "neobtěž", "neotrav", "neruš", "nezvo", "vol", "telefon",
			"kontakt", "obtěž", "otrav", "ruš", "hovor", "vyškrt", "vymaž", "vymaz", "smaž", "smaz", "odstra", "vyřa",
			"odhlas", "odhlás", "odeb", "zruš", "pokoj", "přesta", "nech",
		},
		NotStop: []string{
			`\b` + noCall + `(?: [a-z]+){0,3}? (?:před|po|dnes|dneska|zítra|teď|nyní|ráno|dopoledne|odpoledne|večer|v noci|do práce|do (?:zítřka|pondělí|úterý|středy|čtvrtka|pátku|soboty|neděle)|tak (?:pozdě|brzo|brzy))\b`,
			`\b(?:dnes|dneska|teď|ráno|večer|zítra) (?:už |mi |sem )*` + noCall + `\b`,
			`\b(?:nepřesta[a-z]+|nekonč[a-z]+)(?: [a-z]+)*`,
			`\b(?:ne|není třeba|nemusíte|nechci|nesm[a-z]+) (?:` + data + ` )?` + drop + `(?: [a-z]+)*`,
			`\bčekací listin[a-z]*`, `\bčekac[a-z]+ seznam[a-z]*`, `\bseznam[a-z]* čekatelů\b`,
		},
	}
}

var czechNumbers = numberWords{
	small: [20][]string{{"nula"}, nil, {"dva", "dvě", "dvou"}, {"tři"}, {"čtyři"}, {"pět", "pěti"}, {"šest", "šesti"},
		{"sedm", "sedmi"}, {"osm", "osmi"}, {"devět", "devíti"}, {"deset", "deseti"},
		{"jedenáct"}, {"dvanáct"}, {"třináct"}, {"čtrnáct"}, {"patnáct"}, {"šestnáct"}, {"sedmnáct"}, {"osmnáct"},
		{"devatenáct"}},
	one: []string{"jedna", "jeden"},
	tens: [10][]string{
		2: {"dvacet"}, 3: {"třicet"}, 4: {"čtyřicet"}, 5: {"padesát"}, 6: {"šedesát"}, 7: {"sedmdesát"},
		8: {"osmdesát"}, 9: {"devadesát"},
	},
	hundreds: [10][]string{
		1: {"sto"}, 2: {"dvě stě", "dvěstě"}, 3: {"tři sta", "třista"}, 4: {"čtyři sta", "čtyřista"},
		5: {"pět set", "pětset"}, 6: {"šest set", "šestset"}, 7: {"sedm set", "sedmset"}, 8: {"osm set", "osmset"},
		9: {"devět set", "devětset"},
	},
	join: []string{" "},
	before: [10][]string{
		1: {"jedna", "jedena"}, 2: {"dvaa"}, 3: {"třia"}, 4: {"čtyřia"}, 5: {"pěta"}, 6: {"šesta"}, 7: {"sedma"},
		8: {"osma"}, 9: {"devěta"},
	},
}
