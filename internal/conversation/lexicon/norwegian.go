package lexicon

import "time"

// Norwegian is the lexicon of Bokmål, with common words of Nynorsk ("ikkje", "nei").
func Norwegian() Language {
	const (
		ring = `(?:ring|ringe|ringer|ringt|kontakt|kontakte|kontakter|forstyrr|forstyrre|plag|plage|mas|mase)`
		me   = `(?:meg|oss|hit|til meg|til oss|på meg|opp|dette nummeret|det nummeret|på dette nummeret|til dette ` +
			`nummeret|nummeret mitt|mitt nummer)`
		never = `(?:ikke mer|ikke meir|ikkje meir|ikke lenger|ikke noe mer|aldri mer|aldri meir|aldri igjen|ikke ` +
			`igjen|ikkje igjen|aldri noen gang)`
		calls = `(?:samtaler|anrop|oppringninger|oppringinger|salgssamtaler|telefonsalg|telefoner|reklamesamtaler|telefonsamtaler)`
		// who answered
		box = `(?:telefonsvarer(?:en)?|mobilsvar(?:et|er)?|talepost(?:kassen?|en)?|svarer(?:en)?|` +
			`postkasse(?:n)?|voicemail)`
		na  = `(?:(?:akkurat nå|nå|for øyeblikket|for tiden|dessverre|akkurat|i dag|midlertidig|opptatt) )*`
		tid = `(?:senere|i ?morgen|i overmorgen|overmorgen|i kveld|i ettermiddag|en annen (?:gang|dag)|på et ` +
			`annet tidspunkt|(?:på )?(?:mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag)|neste uke|om ` +
			`(?:en|et|ett|to|tre|fire|fem|ti|femten|tjue|tretti|[0-9]+|noen|cirka|halvannen|litt)|` +
			`(?:klokka|klokken|kl|etter|ved|før|tidligst|rundt) (?:ett|to|tre|fire|fem|seks|sju|syv|åtte|` +
			`ni|ti|elleve|tolv|halv|kvart|lunsj|jobb|klokka|klokken|[0-9:.]+)|halv [a-z]+|kvart (?:på|` +
			`over) [a-z]+|om (?:morgenen|kvelden|ettermiddagen)|på (?:kvelden|morgenen))`
		han = `(?:han|hun|mannen min|kona mi|moren min|faren min|mora mi|sønnen min|datteren min|broren min|` +
			`søsteren min|min (?:mann|kone|mor|far)|herr [a-z]+|fru [a-z]+)`
		menneske = `(?:(?:et|en|ekte|levende|annen|virkelig) )*(?:menneske|person|medarbeider|kundebehandler|` +
			`kundeservice|operatør|saksbehandler|av kjøtt og blod)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dette er en automatisk samtale. Trykk 9 eller si stopp når som helst, så ringer vi deg " +
				"ikke igjen.",
			NotUnderstood: "Beklager, det forsto jeg ikke.",
			Goodbye:       "Takk for tiden din. Ha det bra.",
			StillThere:    "Er du der fortsatt?",
			NoAnswer:      "Jeg kan ikke høre deg, så jeg legger på nå. Ha det bra.",
			OptedOut:      "Det er forstått. Vi ringer ikke dette nummeret igjen. Ha det bra.",
			Back:          "Beklager, linjen falt ut et øyeblikk.",
			MoveOn:        "Det er helt i orden, vi går videre.",
			Moment:        "Et øyeblikk.",
			Trouble:       "Beklager, vi har et teknisk problem, så jeg må legge på nå. Ha det bra.",
			Acks:          []string{"Takk.", "Fint."},
			Screening:     "Dette er et automatisk anrop fra {{organization}} til {{name|eieren av dette nummeret}}.",
			ScreeningAbout: "Dette er et automatisk anrop fra {{organization}} til {{name|eieren av dette " +
				"nummeret}} om {{reason}}.",
			Automated: "Jeg er en automatisk stemme, ikke et menneske. Dette er et automatisk anrop fra " +
				"{{organization}}.",
			Declined:    "Det kan jeg dessverre ikke snakke om.",
			Voicemail:   "Dette er {{agent}} fra {{organization}}. Vi prøver igjen en annen gang. Ha det bra.",
			WrongPerson: "Beklager forstyrrelsen. Ha det.",
			Deceased:    "Det var leit å høre. Beklager at vi ringte. Ha det.",
			Minor:       "Takk. Nå legger jeg på. Ha det.",
			Busy:        "Jeg forstår. Beklager forstyrrelsen. Ha det.",
			CallBack:    "Jeg forstår, og jeg har notert det. Ha det.",
			WantsHuman: "Jeg er en automatisk stemme og kan ikke sette deg over. Jeg har notert at du vil snakke " +
				"med et menneske. Ha det.",
		},
		Filler: []string{"øh", "øhm", "eh", "ehm", "æh", "hm", "hmm", "mm", "altså", "ja altså", "nja", "tja", "tjo",
			"jaha", "la meg se", "la meg tenke", "jeg tror", "jeg synes", "vil jeg si", "jeg vil si", "vel", "nok",
			"liksom", "på en måte",
			"cirka", "omtrent", "rundt", "kanskje rundt", "takk", "tusen takk", "mange takk", "unnskyld", "beklager",
			"hør", "hør her", "vennligst", "er du snill", "så", "og", "men", "jo", "faktisk", "egentlig", "bare"},
		Hello: []string{
			"hallo", "hei", "heisann", "god dag", "goddag", "god morgen", "god kveld", "morn", "ja hallo", "ja hei",
		},
		Bye: []string{
			"ha det", "ha det bra", "hade", "hade bra", "adjø", "farvel", "vi snakkes", "vi høres", "ha en fin dag",
			"ha en god dag", "jeg må gå", "jeg må gå nå", "jeg må løpe", "jeg må legge på", "jeg legger på nå",
			"jeg legger på",
		},
		Who: []string{
			"hvem er det", "hvem er dette", "hvem er du", "hvem snakker jeg med", "hvem er det jeg snakker med",
			"hvem ringer", "hvem er det som ringer", "hva gjelder det", "hva dreier det seg om",
			"hva handler det om", "hva er dette", "hvor ringer du fra", "hvorfor ringer du", "kven er det",
		},
		Repeat: []string{"hva", "hæ", "hva sa du", "hva sier du", "ka sa du", "unnskyld", "beklager", "unnskyld meg",
			"en gang til", "igjen", "om igjen", "gjenta", "gjenta spørsmålet", "kan du gjenta", "kan du gjenta det",
			"kan du gjenta spørsmålet", "kan du ta det igjen", "kan du si det igjen", "si det igjen", "ta det igjen",
			"jeg forstår ikke", "jeg forsto ikke", "jeg forstod ikke", "det forsto jeg ikke", "jeg skjønte ikke",
			"jeg skjønner ikke", "jeg hørte ikke", "det hørte jeg ikke", "jeg kan ikke høre deg", "jeg hører deg ikke",
			"jeg hørte ikke hva du sa", "jeg fikk det ikke med meg", "hva mener du", "hva var spørsmålet",
			"jeg hører ikke", "jeg kan ikke høre", "jeg hører ingenting",
		},
		Skip: []string{"vet ikke", "jeg vet ikke", "det vet jeg ikke", "veit ikke", "jeg veit ikke", "veit ikkje",
			"aner ikke", "jeg aner ikke", "ingen anelse", "jeg har ingen anelse", "vanskelig å si",
			"det kan jeg ikke si", "det vil jeg ikke svare på", "jeg vil ikke svare", "jeg vil helst ikke svare",
			"det vil jeg ikke si", "det vil jeg helst ikke si", "ingen kommentar",
			"hopp over", "neste spørsmål", "neste", "pass", "det har du ikke noe med", "det raker deg ikke",
			"jeg husker ikke", "det husker jeg ikke", "ingen av dem", "ingen av delene", "verken eller"},

		Record: []string{
			`(?:legg igjen|les inn|legge igjen|snakk inn|legg) (?:gjerne |bare |meg |oss )*(?:en|din|ditt|et) ` +
				`(?:kort )?(?:beskjed|melding|navn|nummer)`,
			`(?:legg igjen) (?:gjerne )?(?:navn|beskjed)`, `etter (?:tonen|pipetonen|pipet|signalet|lydsignalet|pip)`,
			`(?:til|er|på) (?:[a-z]+ ){0,2}` + box, box + ` (?:for|hos|til) [a-z0-9]+`,
			`(?:satt over|settes over|viderekoblet|viderekobles|koblet) til (?:[a-z]+ )?` + box,
			`(?:abonnenten|personen|den personen|nummeret|kunden) (?:som )?(?:du )?(?:har |prøver |forsøker |` +
				`ringer |ringt |å )*(?:ringer til|ringt til|kan ikke|er ikke|svarer ikke|har slått av|nå|ringer|` +
				`ringt|få tak i)`,
			`(?:kan ikke|ikke) (?:besvare anropet|ta imot anropet|ta anropet|besvare samtalen)`,
			`har slått av telefonen eller`, `utenfor dekningsområde`,
			`(?:jeg|vi) (?:ringer|tar kontakt) (?:deg opp |tilbake |deg )?(?:så (?:snart|fort)|snarest)`,
			`du vet hva du skal gjøre`,
		},
		Reached: []string{
			`du har (?:kommet|ringt) til`,
			`jeg kan ` + na + `ikke (?:ta telefonen|svare|komme til telefonen)(?: akkurat nå| nå| for øyeblikket)?$`,
			`vi kan ` + na + `ikke (?:ta telefonen|svare)`,
			`(?:jeg|vi) er ` + na + `(?:ikke (?:tilgjengelig|å treffe|til stede|hjemme akkurat nå))`,
			`er ` + na + `ikke tilgjengelig`, `(?:jeg|vi) ringer (?:deg opp|deg tilbake|tilbake)(?: senere)?$`,
			`prøv igjen (?:senere|litt senere)`, `kan ` + na + `ikke nås`,
			`ingen er hjemme (?:akkurat nå|for øyeblikket)`,
		},
		Full: []string{
			`(?:` + box + `|minnet)(?: (?:til|for|hos) [a-z]+)? er (?:dessverre |for øyeblikket )?full(?:t)?`,
			`(?:kan ikke|ikke mulig å) (?:ta imot|legge igjen|lese inn|motta) (?:flere |nye )?(?:meldinger|` +
				`beskjeder|beskjed)`,
			box + ` (?:[a-z]+ ){0,3}(?:ikke|ennå ikke) (?:[a-z]+ )?(?:aktivert|satt opp|opprettet|konfigurert)`,
			`har (?:ennå )?ikke (?:aktivert |satt opp |opprettet |noen )?(?:sin )?` + box,
			`(?:nummeret|telefonnummeret) (?:er ikke i bruk|finnes ikke|du har ringt er ikke i bruk)`,
		},
		Screen: []string{
			`(?:navn|navnet ditt|hvem du er|hvem som ringer) (?:, )?og (?:[a-z]+ ){0,3}(?:årsaken|grunnen|hvorfor|` +
				`formålet|hva|ærend)`,
			`(?:si|oppgi|fortell) (?:[a-z]+ ){0,2}(?:årsaken|grunnen|formålet)`,
			`(?:si|oppgi) (?:navnet ditt|ditt navn)$`,
			`hva (?:gjelder (?:anropet|samtalen)|er (?:årsaken|grunnen) til (?:anropet|samtalen))`,
			`(?:kan du si|kan du fortelle|fortell) (?:meg )?hvorfor du ringer`,
		},
		Screener: []string{
			`(?:anropsfilter|anropsfiltrering|samtalefilter|filtrering av anrop|anropskontroll|call screening)`,
			`(?:virtuelle?|digitale?|personlige?|google|truecaller) ?assistent(?:en)?`,
			`(?:ser|sjekker|undersøker) (?:jeg )?(?:etter )?(?:, )?om (?:[a-z]+ ){1,3}(?:er )?(?:tilgjengelig|til ` +
				`stede|kan svare)`,
			`(?:får|mottar) en (?:kopi|utskrift) av (?:denne |samtalen|anropet)`,
			`(?:bli|vent) (?:på linja|på linjen|på tråden) (?:, )?(?:mens|til)`,
			`takk (?:, )?(?:bli på linja|bli på linjen|vennligst vent)`,
		},
		Menu: []string{
			`(?:tast|trykk|velg) (?:på )?(?:tasten )?(?:[0-9]|null|en|ett|to|tre|fire|fem|seks|sju|syv|åtte|ni|` +
				`stjerne|firkant)(?: |$)`,
			`alle (?:våre )?(?:medarbeidere|linjer|kundebehandlere|konsulenter) er (?:[a-z]+ )?opptatt`,
			`(?:den |det )?(?:neste|første) ledige (?:medarbeider|kundebehandler|konsulent)`,
			`(?:anropet ditt|din henvendelse|samtalen din) er viktig`,
			`(?:samtalen|anropet|samtaler) (?:kan bli|blir|vil bli) tatt opp`,
			`(?:hovedmenyen|våre åpningstider|åpningstiden er|telefontid|nummer i køen|plass i køen|hør godt etter)`,
			`du er (?:nå )?nummer [a-z0-9]+ i køen`,
		},
		Hold: []string{
			`^(?:(?:ja|ok|okei|hei|jo) (?:, )?)*(?:et|vent et|bare et) (?:øyeblikk|lite øyeblikk)(?: (?:, ` +
				`)?(?:takk|bare))*$`,
			`^(?:(?:ja|ok|okei|hei|jo) (?:, )?)*(?:to|et|ett|bare et) (?:sekunder|sekund|minutt|minutter)(?: (?:, ` +
				`)?takk)?$`,
			`^(?:(?:ja|ok|okei|hei|jo) (?:, )?)*(?:vent|vent litt|vent da|vennligst vent|heng på|bli på linja|bli ` +
				`på linjen|vent nå litt)(?: (?:, )?(?:takk|litt|et øyeblikk|et sekund))*$`,
			`(?:jeg )?(?:skal |går og )?(?:henter|hente|roper på|rope på) (?:ham|henne|han|mannen min|kona mi|` +
				`mamma|pappa)`,
			`(?:jeg )?(?:setter|skal sette) deg over`,
			`(?:du skal få|nå får du|her er) (?:snakke med )?(?:ham|henne|han)$`,
			`(?:jeg )?(?:skal )?(?:ser|se|sjekker|sjekke) (?:etter )?(?:, )?om (?:han|hun) er (?:hjemme|her|til ` +
				`stede)`,
			`(?:han|hun) kommer (?:nå|snart)$`,
			`^(?:vennligst )?(?:ikke legg på|legg ikke på|ikke legg på røret|ikke heng opp)$`,
		},

		WrongPerson: []string{
			`feil (?:nummer|person|telefonnummer|sted)`, `(?:du har|dere har) (?:ringt|slått|tastet) feil`,
			`det (?:er|bor|jobber) ingen (?:her )?(?:, )?(?:med det navnet|som heter|ved det navnet)`,
			`(?:her )?bor (?:det )?ingen [a-z]+(?: her)?$`, `ingen (?:her )?(?:som heter|med det navnet)`,
			`(?:bor|jobber) ikke (?:lenger )?(?:her|her lenger)`, `bor ikke her`,
			`(?:jeg|vi) kjenner (?:ikke|ingen) (?:den personen|noen|ham|han|henne|som heter|[a-z]+ som heter|med ` +
				`det navnet)`,
			`(?:det|dette) er ikke (?:lenger )?(?:hans|hennes) (?:nummer|telefon|mobil)(?: lenger)?`,
			`(?:det|dette) er ikke (?:lenger )?(?:nummeret|telefonen) (?:hans|hennes)(?: lenger)?`,
			`det er ikke meg(?: du)?`, `jeg er ikke (?:den|personen) (?:du|dere)`, han + ` har flyttet`,
			`jeg har (?:nettopp |akkurat )?fått dette nummeret`,
		},
		Deceased: []string{
			han + ` (?:er|har|gikk|døde) (?:[a-z]+ ){0,3}(?:død|døde|avdød|gått bort|gikk bort|avgått ved døden|` +
				`ikke lenger blant oss)$`,
			han + ` (?:er |har )?(?:dessverre |nettopp |nylig )?(?:døde|død|gått bort|gikk bort)`,
			han + ` lever (?:dessverre )?ikke lenger`,
			`(?:vi|jeg) (?:har )?(?:begravde|begravet|mistet|mista) (?:ham|henne|han)`, `begravelsen (?:hans|hennes)`,
			`^(?:(?:nei|dessverre) (?:, )?)*(?:avdød|død|har gått bort)$`,
		},
		Minor: []string{
			`(?:mamma|pappa|mamma og pappa)(?: min)? (?:er (?:ikke hjemme|ikke her|på jobb|ute|i dusjen|opptatt)|` +
				`sover|dusjer|jobber)`,
			`(?:foreldrene mine|mamma og pappa) (?:er|sover|jobber)`,
			`jeg er (?:(?:bare|nesten) )*(?:[3-9]|1[0-5]|tre|fire|fem|seks|sju|syv|åtte|ni|ti|elleve|tolv|tretten|` +
				`fjorten|femten)(?: år(?: gammel)?)?$`,
			`jeg er (?:bare )?et barn`,
			`jeg får ikke lov (?:til )?å (?:snakke|svare|ta) (?:med|i|telefonen) ?(?:fremmede|telefonen)?`,
			`jeg har ikke lov (?:til )?å snakke med fremmede`,
			`(?:vil du|skal jeg) (?:snakke med |hente )(?:mamma|pappa)`,
		},
		Busy: []string{
			`jeg (?:sitter|står|er|kjører|holder) ` + na + `(?:i (?:bilen|møte|et møte|undervisning|toget|en ` +
				`samtale|timen)|på (?:jobb|jobben|vei|møte|sykehuset|bussen|tur ut)|hos (?:legen|tannlegen)|midt ` +
				`i|bak rattet|og (?:kjører|spiser|jobber)|på med)`,
			`jeg (?:kjører|spiser|jobber)(?: bil)?(?: (?:akkurat nå|nå))?$`,
			`(?:jeg )?(?:kan|har ikke mulighet til å) (?:jeg )?` + na + `ikke (?:snakke|prate)(?: (?:akkurat nå|` +
				`nå|i telefonen))*$`,
			`(?:det )?passer (?:det )?(?:meg )?(?:ikke |veldig |dårlig |så |bra |godt )*(?:akkurat nå|nå|for ` +
				`øyeblikket)$`,
			`(?:akkurat nå|nå) passer det (?:meg )?(?:ikke|dårlig)`,
			`(?:dårlig|feil|ikke et godt|ubeleilig) (?:tidspunkt|tid)`,
			`(?:jeg )?har ` + na + `ikke tid(?: (?:akkurat nå|nå|til dette))*$`,
			`^(?:(?:nei|ja|hei|beklager|unnskyld) (?:, )?)*jeg (?:er|har) ` + na + `(?:veldig |litt )?(?:opptatt|` +
				`travelt|travel|det travelt)(?: (?:akkurat nå|nå))*$`,
			`^(?:(?:nei|ja|hei|beklager|unnskyld) (?:, )?)*jeg er (?:veldig |litt )?opptatt(?: (?:akkurat nå|nå))*$`,
			`(?:jeg )?må (?:snart )?(?:gå|løpe|dra)(?: nå)?$`,
		},
		GoAhead: []string{
			`(?:men )?(?:hvis det går fort|bare spør|kjør på|spør i vei|sett i gang|gjør det kort)`,
			`jeg har (?:et minutt|to minutter|noen minutter|fem minutter)`,
		},
		CallBack: []string{
			`(?:ring|ringer|prøv|prøv å ringe|kontakt)(?: (?:meg|oss|opp|tilbake|gjerne|igjen|heller|ham|henne|` +
				`til|vennligst))* ` + tid,
			`ring (?:til )?(?:meg )?(?:opp )?(?:igjen|tilbake)(?: takk)?$`,
			`(?:kan du|kan dere|kunne du|vil du|du kan|du må) (?:ikke |gjerne |heller )*(?:ringe|prøve)(?: (?:meg|` +
				`opp|til meg|tilbake|igjen))*(?: ` + tid + `|$)`,
			`(?:kan vi|skal vi|la oss) (?:snakke|snakkes|prate|ta det|ta dette)(?: sammen)? ` + tid,
			`(?:vi )?(?:snakkes|heller|bedre) ` + tid + `$`,
			`(?:ikke ring|ring ikke) (?:til )?(?:meg |oss )?(?:før|så tidlig|så sent|nå)`,
			`ring (?:meg )?ikke (?:før|så tidlig|så sent|nå)`,
			han + ` (?:er|kommer) (?:hjem|hjemme|tilbake|her)? ?` + tid,
			`jeg (?:er|kommer) (?:hjem|hjemme|ledig|tilbake) (?:først )?` + tid,
			`gi meg (?:en|ti|tjue|[0-9]+|et par) (?:time|minutter|timer|halvtime)`,
			`(?:ring|ringe|ringer|prøv)(?: [a-z]+){0,3} mellom`,
		},
		WantsHuman: []string{
			`(?:snakke|prate|bli satt over|sett meg over|sette meg over|komme i kontakt) (?:med |til )` + menneske,
			`(?:jeg )?(?:vil|vil ha|foretrekker|ønsker|vil heller ha) ` + menneske + `$`,
			`(?:er|finnes) det (?:ikke )?` + menneske,
			`(?:snakker|prater|vil ikke snakke) (?:jeg )?(?:ikke )?med (?:en )?(?:roboter|robot|maskiner|maskin|` +
				`datamaskiner|datamaskin|telefonsvarere)`,
			`^(?:(?:nei|en|et) (?:, )?)*(?:kundebehandler|menneske|operatør|kundeservice|ekte person|` +
				`sentralbordet|medarbeider)(?: (?:, )?takk)?$`,
			`(?:ekte|levende) (?:menneske|person)`,
		},
		Robot: []string{
			`(?:er du|er dette|er det|er det her|snakker jeg med|prater jeg med) (?:bare |virkelig |` +
				`egentlig |en |et |ei |ekte |levende |automatisk )*(?:robot|bot|maskin|datamaskin|opptak|` +
				`lydopptak|ki|ai|kunstig intelligens|datastemme|stemme|menneske|person)`,
		},
		Speak: []string{
			`(?:snakker|prater|kan|forstår) (?:du|dere|de|noen) (?:også )?{l}`,
			`(?:kan|får) (?:vi|du|jeg|dere) (?:snakke|prate|ta det|fortsette)(?: på)? {l}`,
			`(?:snakker|prater) (?:bare|kun) {l}`,
			`^på {l}$`,
			`^(?:på )?{l} (?:takk|vær så snill)$`,
		},
		NotSpoken: []string{
			`(?:snakker|forstår|prater|kan) (?:jeg )?ikke (?:så bra |så godt )?{l}`,
		},
		Names: map[string][]string{
			"en": {"engelsk"}, "cs": {"tsjekkisk"}, "da": {"dansk"}, "de": {"tysk"}, "el": {"gresk"},
			"es": {"spansk"}, "fr": {"fransk"}, "it": {"italiensk"}, "nb": {"norsk"},
			"nl": {"nederlandsk", "hollandsk"}, "pl": {"polsk"}, "pt": {"portugisisk"}, "ro": {"rumensk"},
			"sv": {"svensk"}, "tr": {"tyrkisk"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"en time": time.Hour, "en halvtime": 30 * time.Minute, "en halv time": 30 * time.Minute,
				"halvtime": 30 * time.Minute, "halvannen time": 90 * time.Minute, "et kvarter": 15 * time.Minute,
				"et kvarters tid": 15 * time.Minute, "kvarter": 15 * time.Minute, "tre kvarter": 45 * time.Minute,
				"et par minutter": 5 * time.Minute, "noen minutter": 10 * time.Minute, "et par timer": 2 * time.Hour,
				"noen timer": 3 * time.Hour, "en dag": 24 * time.Hour, "et par dager": 2 * 24 * time.Hour,
				"noen dager": 3 * 24 * time.Hour, "en uke": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minutt": time.Minute, "minutter": time.Minute, "time": time.Hour, "timer": time.Hour,
				"dag": 24 * time.Hour, "dager": 24 * time.Hour, "uke": 7 * 24 * time.Hour, "uker": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"i dag": 0, "i morgen": 1, "imorgen": 1, "i overmorgen": 2, "overmorgen": 2, "neste uke": 7,
				"neste måned": 30,
			},
			Weekdays: [7][]string{{"søndag"}, {"mandag"}, {"tirsdag"}, {"onsdag"}, {"torsdag"}, {"fredag"}, {"lørdag"}},
			Parts: map[string]int{
				"tidlig": 9, "morgenen": 9, "formiddag": 9, "formiddagen": 9, "lunsj": 12, "etter lunsj": 13,
				"ettermiddag": 14, "ettermiddagen": 14, "kveld": 18, "kvelden": 18, "etter jobb": 17,
			},
			Between: []string{"mellom", "mellom klokka", "mellom klokken"},
			At: []string{
				"klokka er", "klokken er", "klokka", "klokken", "kl", "etter", "ved", "før", "rundt", "fra",
				"tidligst", "etter klokka", "før klokka", "før klokken", "etter klokken", "til",
			},
			AM: []string{"om morgenen", "om formiddagen"},
			PM: []string{"om ettermiddagen", "om kvelden", "på ettermiddagen", "på kvelden"},
			Before: map[string]int{
				"halv": -30, "kvart over": 15, "kvart på": -15, "fem over": 5, "ti over": 10, "fem på": -5,
				"ti på": -10, "ti på halv": -40, "fem på halv": -35, "fem over halv": -25, "ti over halv": -20,
			},
			Months: [12][]string{
				{"januar"}, {"februar"}, {"mars"}, {"april"}, {"mai"}, {"juni"}, {"juli"}, {"august"},
				{"september"}, {"oktober"}, {"november"}, {"desember"},
			},
			MonthDays: [31][]string{
				{"første"}, {"andre", "annen"}, {"tredje"}, {"fjerde"}, {"femte"}, {"sjette"},
				{"sjuende", "syvende"}, {"åttende"}, {"niende"}, {"tiende"}, {"ellevte"}, {"tolvte"},
				{"trettende"}, {"fjortende"}, {"femtende"}, {"sekstende"}, {"syttende"}, {"attende"},
				{"nittende"}, {"tjuende", "tyvende"}, {"tjueførste", "enogtyvende"},
				{"tjueandre", "tjueannen", "toogtyvende"}, {"tjuetredje", "treogtyvende"},
				{"tjuefjerde", "fireogtyvende"}, {"tjuefemte", "femogtyvende"},
				{"tjuesjette", "seksogtyvende"}, {"tjuesjuende", "tjuesyvende", "sjuogtyvende"},
				{"tjueåttende", "åtteogtyvende"}, {"tjueniende", "niogtyvende"}, {"trettiende", "tredevte"},
				{"trettiførste", "enogtredevte"},
			},
			OfMonth:  []string{"i"},
			Past:     map[string]int{"i går": 1, "igår": 1, "i forgårs": 2, "forgårs": 2},
			Ago:      []string{"siden"},
			Previous: []string{"sist", "siste", "forrige"},
		},
		Spelling: Spelling{
			At:         []string{"krøllalfa", "alfakrøll", "at"},
			Dot:        []string{"punktum", "punkt", "prikk"},
			Dash:       []string{"bindestrek", "strek", "minus"},
			Underscore: []string{"understrek", "underscore"},
			Before:     []string{"er", "mail", "e post", "epost", "email", "e mail", "adresse", "adressen"},
			Plus:       []string{"pluss"},
			Times:      map[string]int{"dobbel": 2},
		},

		Harmless: []string{
			`(?:død|døde) av (?:latter|sult|kjedsomhet|skam|tretthet|nysgjerrighet)`,
			`død ?(?:sliten|trøtt|sulten)`,
			`(?:nesten|halvt) (?:død|døde)`,
			`(?:hva er|hvilket er|hvilket) (?:det )?(?:feil|gale) nummer(?:et)?`,
		},
		Ages: []string{"gammel", "alder", "år"},
		Aside: []string{
			"han er ikke her", "hun er ikke her", "han er ikke hjemme", "hun er ikke hjemme", "det er ikke henne",
			"det er ikke ham", "jeg hører ikke", "jeg hører deg ikke", "jeg kan ikke høre",
			"jeg kan ikke høre deg", "jeg hører ingenting",
		},
		Yes: []string{"ja", "jo", "jepp", "japp", "jada", "joda", "ja da", "jo da", "ja takk", "jo takk", "ja gjerne",
			"gjerne", "veldig gjerne", "selvfølgelig", "selvsagt", "naturligvis", "klart", "klart det", "så klart",
			"absolutt", "definitivt", "sikkert", "helt sikkert", "okei", "okay", "ok", "greit", "det er greit",
			"det går fint", "i orden", "det er i orden",
			"riktig", "det er riktig", "det stemmer", "stemmer", "stemmer det", "korrekt", "det er korrekt", "rett",
			"nettopp", "akkurat", "nemlig", "presis", "ikke noe problem", "ingen problem", "det er ikke noe problem",
			"null problem", "hvorfor ikke", "det tror jeg", "jeg tror det", "uten tvil", "vær så god", "enig",
			"med glede", "mhm", "mm hm"},
		No: []string{"nei", "nix", "niks", "nei takk", "nei da", "neida", "nei nei", "slett ikke", "overhodet ikke",
			"absolutt ikke", "selvfølgelig ikke", "selvsagt ikke", "ikke i det hele tatt", "ikke egentlig", "ikke helt",
			"ikke ennå", "ikke enda", "ikke nå", "ikke i dag", "aldri i livet", "på ingen måte", "det tror jeg ikke",
			"jeg tror ikke det", "jeg tror ikke", "dessverre ikke", "ikke interessert", "jeg er ikke interessert",
			"det er feil", "feil", "det er ikke riktig", "ikke riktig", "det stemmer ikke", "stemmer ikke",
			"ikke korrekt", "feil nummer", "helst ikke", "negativt"},
		Unsure: []string{
			"kanskje", "muligens", "eventuelt", "kan være", "det kan være", "kanskje ikke", "vet ikke",
			"jeg vet ikke", "det vet jeg ikke", "ikke sikker", "jeg er ikke sikker", "jeg er usikker", "usikker",
			"det kommer an på", "kommer an på", "det spørs", "det varierer", "av og til", "noen ganger", "både og",
			"ja og nej", "ja og nei", "mer eller mindre", "sånn passe", "vanskelig å si", "jeg husker ikke",
			"ingen anelse",
		},
		Hint: []string{"ikke", "ikkje", "ingen", "aldri", "ingenting"},
		Mistaken: []string{
			"jeg mener", "jeg mente", "eller rettere sagt", "rettere sagt", "eller heller", "vent", "vent litt",
			"nei vent", "det vil si", "jeg sa feil", "unnskyld nei", "eller nei", "feil av meg",
		},
		YesAlone: []string{
			"det gjør jeg", "det har jeg", "det er jeg", "det kan jeg", "det vil jeg", "det vil jeg gjerne",
			"det gjorde jeg", "det er det", "det er meg", "ja det er meg", "det er henne", "det er ham", "sant",
			"bra", "veldig bra", "kjempebra", "supert", "perfekt", "flott", "fint", "det passer", "det passer bra",
			"det passer fint", "det høres bra ut", "har jeg", "kan jeg",
		},
		NoAlone: []string{
			"usant", "det gjør jeg ikke", "det har jeg ikke", "det er jeg ikke", "det kan jeg ikke",
			"det vil jeg ikke", "det gjorde jeg ikke", "det er det ikke", "aldri", "ingen", "ingenting", "ikke",
			"det passer ikke",
		},
		Not: []string{"ikke", "ikkje", "uten", "ingen", "verken"},

		Connectives: []string{"eller", "etter", "innen", "under", "over", "med", "fra", "til"},

		Ordinals: [MaxOrdinals][]string{
			{"første", "den første", "det første", "nummer en", "alternativ en"},
			{"andre", "den andre", "det andre", "nummer to", "alternativ to"},
			{"tredje", "den tredje", "nummer tre", "alternativ tre"}, {"fjerde", "nummer fire"},
			{"femte", "nummer fem"}, {"sjette", "nummer seks"}, {"sjuende", "syvende", "nummer sju", "nummer syv"},
			{"åttende", "nummer åtte"},
		},
		Last: []string{"siste", "den siste", "det siste", "sistnevnte"},

		Spell:    spellNorwegian,
		Thousand: []string{"tusen", "ett tusen", "et tusen", "ettusen"},
		Half:     []string{"og en halv", "og et halvt", "en halv"},
		And:      []string{"og"},
		OutOf:    []string{"av", "ut av"},
		Minus:    []string{"minus"},
		Article:  []string{"en", "et", "ett", "ei", "én"},
		Vague: []string{
			"et øyeblikk", "en stund", "litt", "bittelitt", "et par stykker", "en annen gang", "den ene", "et sekund",
			"et minutt", "en del", "en gang til", "en masse", "noen",
		},
		Counts: map[string]float64{
			"ingen": 0, "ingenting": 0, "aldri": 0, "ikke i det hele tatt": 0, "en gang": 1, "to ganger": 2,
			"tre ganger": 3, "et par": 2, "et par ganger": 2, "en halv": 0.5, "et halvt": 0.5, "en og en halv": 1.5,
			"halvannen": 1.5, "et dusin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"bra", "kjempebra", "veldig bra", "fint", "supert", "perfekt", "flott", "herlig", "nydelig", "fantastisk",
			"utmerket", "glad", "fornøyd", "bedre", "vennlig", "vennlige", "hyggelig", "hyggelige", "koselig",
			"hjelpsom", "hjelpsomme", "snill", "snille",
		},
		Sad: []string{
			"dårlig", "ille", "forferdelig", "fryktelig", "grusomt", "elendig", "sur", "sint", "irritert",
			"irriterende", "misfornøyd", "skuffet", "skuffende", "lei", "lei meg", "opprørt", "verre", "verst",
			"smerte", "smerter", "vondt", "gjør vondt", "problem", "problemer", "klage", "svimmel", "syk", "frekt",
			"svindel", "bortkastet tid", "bekymret",
		},

		Urge: []string{
			"nei", "ja", "nå", "nå holder det", "straks", "med en gang", "umiddelbart", "bare", "kan du", "kan dere",
			"vil du", "du må", "dere må", "du skal", "jeg sa", "jeg sier", "jeg sa jo", "jeg vil at du skal",
			"jeg vil at dere skal", "okei", "ok", "for guds skyld", "hei", "med dette", "med det", "det der", "dette",
		},
		StopAlone: []string{
			"stopp", "stop", "stopp det", "stopp dette", "stopp nå", "stoppe", "slutt", "slutt nå", "slutt med det",
			"slutt med dette", "slutte", "hold opp", "gi deg", "kutt ut", "meld meg av", "avmeld", "avmeld meg",
			"fjern meg", "slett meg", "la meg være", "la meg være i fred", "ikke ring", "ikke ring mer",
			"ikke ring igjen", "ring ikke", "ikke flere samtaler", "ingen flere samtaler", "ingen flere anrop",
		},
		Stop: []string{
			`\b` + ring + ` (?:vennligst |bare |nå )*(?:` + me + ` )*` + never + `\b`,
			`\b` + ring + ` (?:vennligst |bare |nå )*` + never + `\b`,
			`\b` + ring + ` (?:vennligst )?(?:ikke|ikkje|aldri) (?:` + me +
				` ?)+(?:$|mer\b|meir\b|igjen\b|lenger\b|noen gang\b|takk\b)`,
			`\b(?:ikke|ikkje|aldri) (?:noen gang |mer )?` + ring + ` (?:` + me +
				` ?)*(?:mer\b|meir\b|igjen\b|lenger\b|noen gang\b|takk\b)`,
			`^(?:[a-z]+ )?(?:ikke|ikkje|aldri) ` + ring + ` (?:` + me + ` ?)+$`,
			`^(?:[a-z]+ )?ring (?:` + me + ` )+(?:ikke|ikkje|aldri)$`,
			`\b(?:må|skal|får|bør) (?:du |dere )?(?:aldri|ikke|ikkje) ` + ring + ` (?:` + me +
				` ?)+(?:$|mer\b|meir\b|igjen\b|noen gang\b|lenger\b)`,
			`\b(?:slutt|slutte|stopp|hold opp|kutt ut) (?:nå |straks |vennligst )*(?:med )?(?:å )?(?:` + ring +
				`|de |disse |alle |den |denne )+(?:` + calls +
				`|samtalene|anropene|oppringningene|ringingen|masingen|` + me + `)?`,
			`\b(?:vil|ønsker|orker|gidder) (?:jeg )?(?:ikke|ikkje|aldri) (?:lenger )?(?:bli |ha |få |motta )?(?:at ` +
				`(?:du|dere) (?:skal )?` + ring + `|oppringt|kontaktet|forstyrret|ringt|flere ` + calls + `|slike ` +
				calls + `|sånne ` + calls + `|disse ` + calls + `)`,
			`\b(?:aldri|ikke) (?:mer |lenger )?(?:bli |vil bli )(?:oppringt|kontaktet|ringt|forstyrret)\b`,
			`\bvil ikke ha (?:flere |noen flere |slike |sånne |disse )?` + calls + `\b`,
			`\b(?:ingen|ikke) flere ` + calls + `\b`,
			`\b(?:fjern|slett|stryk|ta bort|fjerne|slette|stryke) (?:meg|oss|nummeret mitt|mitt nummer|navnet ` +
				`mitt|mitt navn|telefonnummeret mitt|dette nummeret|opplysningene mine|mine opplysninger)\b`,
			`\bta (?:meg|oss|nummeret mitt) (?:av|bort fra|ut av|vekk fra) (?:[a-z]+ ` +
				`){0,2}(?:liste|lista|listen|listene|systemet|registeret)\b`,
			`\b(?:meld|melde) (?:meg|oss) av\b`, `\bavmeld(?:e)? (?:meg|oss|nummeret mitt)\b`,
			`\bla (?:meg|oss) (?:nå )?(?:være i fred\b|være$|i fred\b)`,
		},
		Cues: []string{
			"ring", "kontakt", "forstyrr", "plag", "mas", "samtal", "anrop", "oppring", "salgs", "telefon", "reklame",
			"slutt", "stopp", "hold", "kutt", "fjern", "slett", "stryk", "ta", "meld", "avmeld", "la",
		},
		NotStop: []string{
			`\b(?:ring|ringe|ringer|kontakt|kontakte) (?:[a-z]+ ){0,3}(?:før|etter|i dag|i kveld|i morgen|på ` +
				`morgenen|på kvelden|på formiddagen|så sent|så tidlig|akkurat nå|nå)\b`,
			`\bring (?:[a-z]+ ){0,3}(?:ikke|aldri) (?:[a-z]+ ){0,3}(?:før|etter|i dag|i kveld|i morgen|så sent|så ` +
				`tidlig|akkurat nå)\b`,
			`\b(?:jeg|vi|han|hun|de|noen|ingen|man|min [a-z]+|mine [a-z]+|legen|sønnen min|datteren min) (?:har ` +
				`|kan |kunne |vil |må |skal )?(?:aldri |ikke )?(?:ringer|ringte|ringt|kontakter|kontaktet|ringe) ` +
				`(?:[a-z]+ ){0,3}(?:ikke|aldri)? ?(?:mer|igjen|lenger)?`,
			`\b(?:ikke|ikkje|aldri|uten å|la være å) (?:slutt|slutte|stopp|stoppe|avmeld|avmelde|meld meg av|melde ` +
				`meg av|fjern|fjerne|slett|slette|stryk|stryke|ta|hold opp|holde opp|la|gi deg)(?: [a-z]+)*`,
			`\b(?:slutt|stopp|hold|fjern|slett) (?:ikke|aldri)\b[a-z ]*`,
			`\b(?:fjern|slett|meld) (?:meg|oss|nummeret mitt) ikke\b[a-z ]*`,
			`\b(?:venteliste|ventelista|holdeplass|bussholdeplass|stoppested)[a-z]*\b`,
		},
	}
}

func spellNorwegian(n int) []string {
	small := [][]string{{"null"}, nil, {"to"}, {"tre"}, {"fire"}, {"fem"}, {"seks"}, {"sju", "syv"}, {"åtte"}, {"ni"},
		{"ti"}, {"elleve"}, {"tolv"}, {"tretten"},
		{"fjorten"}, {"femten"}, {"seksten"}, {"sytten"}, {"atten"}, {"nitten"}}
	tens := [][]string{
		nil, nil, {"tjue", "tyve"}, {"tretti", "tredve"}, {"førti"}, {"femti"}, {"seksti"}, {"sytti"}, {"åtti"},
		{"nitti"},
	}
	switch {
	case n == 1:
		return nil // "en" and "et" are also articles
	case n < 20:
		return small[n]
	case n < 100:
		units := small[n%10]
		if n%10 == 1 {
			units = []string{"en", "ett"}
		}
		var all []string
		for _, ten := range tens[n/10] {
			if n%10 == 0 {
				all = append(all, ten)
				continue
			}
			for _, unit := range units { // "femtito", or "to og femti" as older speakers count
				all = append(all, ten+unit, ten+" "+unit, unit+"og"+ten, unit+" og "+ten)
			}
		}
		return all
	}
	heads := []string{"hundre", "ett hundre", "et hundre", "etthundre"}
	if n/100 > 1 {
		heads = nil
		for _, unit := range small[n/100] {
			heads = append(heads, unit+" hundre", unit+"hundre")
		}
	}
	rests := spellNorwegian(n % 100)
	if n%100 == 1 {
		rests = []string{"en", "ett"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{" ", " og ", "og"}, rests)
}
