package lexicon

import "time"

// Danish is the lexicon of Danish.
func Danish() Language {
	const (
		ring = `(?:ring|ringe|ringer|kontakt|kontakte|kontakter|forstyr|forstyrre|chikaner|chikanere|gener|genere)`
		me   = `(?:mig|os|hertil|her|til mig|til os|op|dette nummer|det her nummer|pa dette nummer|til dette ` +
			`nummer|til det her nummer)`
		never = `(?:ikke mere|ikke laengere|ikke laenger|aldrig mere|aldrig igen|ikke igen|aldrig nogensinde)`
		calls = `(?:opkald|opringninger|opringning|salgsopkald|telefonopkald|reklameopkald|telefonsalg)`
		// who answered
		box     = `(?:telefonsvarer(?:en)?|mobilsvar(?:er)?|voicemail|talebesked|postkasse|mailboks|svarer|telefonboks)`
		nu      = `(?:(?:lige nu|nu|i øjeblikket|for tiden|desværre|lige|i dag|midlertidigt|ved at) )*`
		hvornar = `(?:senere|i morgen|i overmorgen|i aften|i eftermiddag|en anden (?:gang|dag)|på et andet ` +
			`tidspunkt|(?:på )?(?:mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag)|næste uge|i næste ` +
			`uge|om (?:en|et|to|tre|fire|fem|ti|femten|tyve|tredive|[0-9]+|nogle|cirka|halvanden|lidt)|` +
			`(?:klokken|kl|efter|ved|før|tidligst|omkring) (?:et|to|tre|fire|fem|seks|syv|otte|ni|ti|` +
			`elleve|tolv|halv|kvart|frokost|arbejde|klokken|[0-9:.]+)|halv [a-z]+|kvart (?:i|over) [a-z]+|` +
			`om (?:morgenen|aftenen|eftermiddagen))`
		han      = `(?:han|hun|min (?:mand|kone|mor|far|søn|datter|bror|søster)|hr [a-z]+|fru [a-z]+)`
		menneske = `(?:(?:et|en|rigtigt|rigtig|levende|anden) )*(?:menneske|person|medarbejder|kundeservice|operatør|` +
			`rådgiver|af kød og blod)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dette er et automatisk opkald. Tryk på 9 eller sig stop når som helst, så ringer vi " +
				"ikke til dig igen.",
			NotUnderstood: "Undskyld, det forstod jeg ikke.",
			Goodbye:       "Tak for din tid. Farvel.",
			StillThere:    "Er du der stadig?",
			NoAnswer:      "Jeg kan ikke høre dig, så jeg lægger på nu. Farvel.",
			OptedOut:      "Det er forstået. Vi ringer ikke til dette nummer igen. Farvel.",
			Back:          "Undskyld, forbindelsen var væk et øjeblik.",
			MoveOn:        "Det er helt i orden, lad os gå videre.",
			Moment:        "Et øjeblik, tak.",
			Trouble:       "Undskyld, vi har et teknisk problem, så jeg er nødt til at lægge på nu. Farvel.",
			Acks:          []string{"Tak.", "Godt."},
			Screening:     "Dette er et automatisk opkald fra {{organization}} til {{name|indehaveren af dette nummer}}.",
			ScreeningAbout: "Dette er et automatisk opkald fra {{organization}} til {{name|indehaveren af dette " +
				"nummer}} om {{reason}}.",
			Automated: "Jeg er en automatisk stemme, ikke et menneske. Dette er et automatisk opkald fra " +
				"{{organization}}.",
			Declined:    "Det kan jeg desværre ikke tale om.",
			Voicemail:   "Det er {{agent}} fra {{organization}}. Vi prøver igen en anden gang. Farvel.",
			WrongPerson: "Undskyld, at jeg forstyrrede. Farvel.",
			Deceased:    "Det gør mig meget ondt. Undskyld opkaldet. Farvel.",
			Minor:       "Tak. Nu lægger jeg på. Farvel.",
			Busy:        "Det forstår jeg. Undskyld, at jeg forstyrrede. Farvel.",
			CallBack:    "Det forstår jeg, og jeg har noteret det. Farvel.",
			WantsHuman: "Jeg er en automatisk stemme og kan ikke stille dig om. Jeg har noteret, at du vil tale " +
				"med et menneske. Farvel.",
		},
		Filler: []string{"øh", "øhm", "æh", "hm", "hmm", "mm", "altså", "jo altså", "nå", "tja", "tjo", "ja altså",
			"lad mig se", "lad mig tænke", "jeg tror", "det tror jeg", "jeg mener nok", "vel", "nok", "vist", "sådan",
			"cirka", "omkring", "omtrent", "måske omkring", "tak", "mange tak", "tusind tak", "undskyld", "hør",
			"hør her", "venligst", "så", "og", "men", "lige", "jamen", "egentlig", "faktisk", "nok omkring",
			"vil jeg sige", "jeg vil sige", "jeg synes"},
		Hello: []string{
			"hallo", "hej", "hejsa", "goddag", "god dag", "godmorgen", "god morgen", "godaften", "god aften", "dav",
			"halløj", "ja hallo", "ja hej",
		},
		Bye: []string{
			"farvel", "hej hej", "hej så længe", "vi ses", "på gensyn", "ha en god dag", "hav en god dag",
			"fortsat god dag", "god dag videre", "jeg må løbe", "jeg bliver nødt til at gå", "jeg skal gå nu",
			"jeg skal løbe", "jeg lægger på nu", "jeg er nødt til at lægge på",
		},
		Who: []string{
			"hvem er det", "hvem er du", "hvem taler jeg med", "hvem snakker jeg med", "hvem er det jeg taler med",
			"hvem ringer", "hvem er det der ringer", "hvad drejer det sig om", "hvad handler det om",
			"hvad er det her", "hvor ringer du fra", "hvorfra ringer du", "hvorfor ringer du",
		},
		Repeat: []string{"hvad", "hva", "hvad behager", "hvabehar", "hvad siger du", "hvad sagde du", "undskyld hvad",
			"undskyld", "igen", "en gang til", "gentag", "gentag lige", "gentag spørgsmålet", "kan du gentage",
			"kan du gentage det", "kan du gentage spørgsmålet", "vil du gentage det", "kan du sige det igen",
			"sig det igen",
			"sig det lige igen", "jeg forstod det ikke", "jeg forstår ikke", "jeg forstår det ikke",
			"det forstod jeg ikke", "jeg forstod ikke spørgsmålet", "jeg hørte det ikke", "jeg kan ikke høre dig",
			"jeg hørte ikke hvad du sagde", "det hørte jeg ikke", "hvad mener du", "hvad var spørgsmålet", "hvordan",
			"jeg kan ikke høre", "jeg kan ikke høre noget", "jeg hører ingenting",
		},
		Skip: []string{"det ved jeg ikke", "ved ikke", "jeg ved ikke", "jeg ved det ikke", "aner det ikke",
			"det aner jeg ikke", "ingen anelse", "jeg har ingen anelse", "svært at sige", "det kan jeg ikke sige",
			"det vil jeg ikke svare på", "jeg vil helst ikke svare", "det vil jeg helst ikke sige", "ingen kommentar",
			"spring over", "næste spørgsmål", "næste", "pas", "det kommer ikke dig ved", "jeg kan ikke huske det",
			"det kan jeg ikke huske", "ingen af dem", "ingen af delene", "hverken eller"},

		Record: []string{
			`(?:læg|efterlad|indtal|lægge|efterlade|læg venligst|indtale) (?:venligst |gerne |bare |mig |os ` +
				`)*(?:en|din|dit|et) (?:kort )?(?:besked|navn|nummer|meddelelse)`,
			`(?:læg|efterlad) (?:gerne )?navn og`, `efter (?:tonen|klartonen|bippet|biplyden|hyletonen|signalet|bip)`,
			`(?:til|er|på) (?:[a-z]+ ){0,2}` + box, box + ` (?:for|hos|til) [a-z0-9]+`,
			`(?:stilles|stillet|viderestillet|viderestilles|omstilles) til (?:[a-z]+ )?` + box,
			`(?:abonnenten|personen|den person|nummeret|kunden|det nummer) (?:, )?(?:som )?(?:du )?(?:har |prøver ` +
				`|forsøger |ringer |ringet |kaldt |at )*(?:ringer til|ringet til|kan ikke|er ikke|svarer ikke|har ` +
				`slukket|at få fat i|få fat i|kaldt|ringer|ringet)`,
			`(?:kan ikke|ikke) (?:besvare dit opkald|tage dit opkald|tage imod dit opkald)`,
			`(?:jeg|vi) (?:ringer|vender) (?:dig op |tilbage |til dig )?(?:så (?:snart|hurtigt)|hurtigst muligt)`,
			`du ved hvad du skal gøre`,
		},
		Reached: []string{
			`du har ringet til`,
			`jeg kan ` + nu + `ikke (?:tage telefonen|svare|komme til telefonen)(?: lige nu| nu| i øjeblikket)?$`,
			`vi kan ` + nu + `ikke (?:tage telefonen|svare)`,
			`(?:jeg|vi) er ` + nu + `(?:ikke (?:til at træffe|tilgængelig|hjemme lige nu|til stede|til at få fat på))`,
			`er ` + nu + `ikke (?:tilgængelig|til at træffe)`, `(?:jeg|vi) ringer (?:dig op|tilbage)(?: senere)?$`,
			`prøv igen (?:senere|lidt senere)`, `kan ` + nu + `ikke træffes`,
			`ingen er hjemme (?:lige nu|i øjeblikket)`,
		},
		Full: []string{
			`(?:` + box + `|hukommelsen)(?:n|en)?(?: (?:hos|for|til) [a-z]+)? er (?:desværre |i øjeblikket )?fuld`,
			`(?:kan ikke|ikke muligt at) (?:modtage|lægge|indtale|efterlade|optage) (?:flere |nye )?(?:beskeder|` +
				`en besked)`,
			box + ` (?:[a-z]+ ){0,3}(?:ikke|endnu ikke) (?:[a-z]+ )?(?:aktiveret|oprettet|sat op|konfigureret)`,
			`har (?:endnu )?(?:ikke|ingen) (?:aktiveret |oprettet |nogen |en )?(?:sin )?` + box,
			`nummeret (?:er ikke i brug|findes ikke|eksisterer ikke)`,
		},
		Screen: []string{
			`(?:navn|hvem du er|hvem der ringer) (?:, )?og (?:[a-z]+ ){0,3}(?:årsagen|grunden|hvorfor|formålet|` +
				`hvad|ærinde)`,
			`(?:sig|angiv|oplys|fortæl) (?:[a-z]+ ){0,2}(?:årsagen|grunden|formålet)`,
			`(?:sig|angiv|oplys|indtal) dit navn$`,
			`hvad (?:drejer (?:opkaldet|dit opkald) sig om|er (?:årsagen|grunden) til (?:opkaldet|dit opkald))`,
			`(?:kan du sige|kan du fortælle|fortæl) (?:mig )?hvorfor du ringer`,
		},
		Screener: []string{
			`(?:opkaldsfilter|opkaldsfiltrering|opkaldsscreening|filtrering af opkald|call screening)`,
			`(?:virtuelle?|digitale?|personlige?|google|truecaller) ?assistent`,
			`(?:ser|tjekker|undersøger) (?:jeg )?(?:efter )?(?:, )?om (?:[a-z]+ ){1,3}(?:er )?(?:tilgængelig|til ` +
				`stede|kan svare)`,
			`(?:får|modtager) en (?:kopi|udskrift) af (?:denne |samtalen|opkaldet)`,
			`(?:bliv|vent) (?:på linjen|i røret|venligst på linjen) (?:, )?(?:mens|indtil)`,
			`tak (?:, )?(?:bliv på linjen|bliv i røret|vent venligst)`,
		},
		Menu: []string{
			`(?:tast|tryk|vælg) (?:på )?(?:tasten )?(?:[0-9]|nul|et|to|tre|fire|fem|seks|syv|otte|ni|stjerne|` +
				`firkant)(?: |$)`,
			`alle (?:vores )?(?:medarbejdere|linjer|konsulenter|rådgivere) er (?:[a-z]+ )?(?:optaget|optagede)`,
			`(?:den |det )?(?:næste|første) ledige (?:medarbejder|konsulent|rådgiver)`,
			`(?:dit opkald|din henvendelse) er vigtigt?`,
			`(?:samtalen|opkaldet|samtaler) (?:kan blive|bliver|vil blive) optaget`,
			`(?:hovedmenuen|vores åbningstider|åbningstiden er|telefontid|nummer i køen|plads i køen|lyt godt efter)`,
			`du er (?:nu )?nummer [a-z0-9]+ i køen`,
		},
		Hold: []string{
			`^(?:(?:ja|okay|ok|hej|jo) (?:, )?)*(?:et|lige et|vent et|bare et) (?:øjeblik|lille øjeblik)(?: (?:, ` +
				`)?(?:tak|bare))*$`,
			`^(?:(?:ja|okay|ok|hej|jo) (?:, )?)*(?:to|lige to|et|et lille) (?:sekunder|sekund|minut|minutter)(?: ` +
				`(?:, )?tak)?$`,
			`^(?:(?:ja|okay|ok|hej|jo) (?:, )?)*(?:vent|vent lige|vent lidt|vent venligst|bliv hængende|bliv på ` +
				`linjen|hæng på|lige et øjeblik)(?: (?:, )?(?:tak|lige|lidt|et øjeblik|et sekund))*$`,
			`(?:jeg )?(?:skal lige |går lige og )?(?:henter|hente|kalder på|kalde på) (?:lige )?(?:ham|hende|min ` +
				`[a-z]+)`,
			`(?:jeg )?(?:stiller|skal stille) dig (?:om|igennem|videre)`,
			`(?:du får|nu får du|du kan få|her er) (?:lige )?(?:ham|hende|min mand|min kone)$`,
			`(?:jeg )?(?:skal lige |lige )?(?:ser|se|tjekker|tjekke|kigger) (?:lige )?(?:efter )?(?:, )?om (?:han|` +
				`hun) er (?:hjemme|her|til stede)`,
			`(?:han|hun) kommer (?:nu|lige|straks)$`,
			`^(?:venligst )?(?:læg (?:venligst |lige )?ikke på|ikke læg på|lad være med at lægge på)$`,
		},

		WrongPerson: []string{
			`forkerte? (?:nummer|person|telefonnummer|sted)`,
			`(?:du har|de har|i har) (?:ringet|tastet|drejet) (?:forkert|galt)`,
			`der (?:er|bor|arbejder) (?:ikke )?(?:ingen|nogen) (?:her )?(?:, )?(?:med det navn|der hedder|ved det ` +
				`navn)`,
			`der bor ingen [a-z]+(?: her)?$`, `ingen (?:her )?(?:der hedder|med det navn)`,
			`(?:bor|arbejder) (?:her )?ikke (?:længere |mere )?(?:her|her mere)`, `bor her ikke(?: mere| længere)?`,
			`(?:jeg|vi) kender (?:ikke|ingen) (?:den person|nogen|ham|hende|der hedder|[a-z]+ der hedder|med det ` +
				`navn)`,
			`(?:det|det her|dette) er ikke (?:længere )?(?:hans|hendes) (?:nummer|telefon|mobil)(?: mere| længere)?`,
			`det er ikke mig(?: du)?`, `jeg er ikke (?:den|personen) (?:du|de|person)`, han + ` er flyttet`,
			`jeg har (?:lige |først )?fået (?:det her|dette) nummer`,
		},
		Deceased: []string{
			han + ` (?:er|har|gik|afgik|døde) (?:[a-z]+ ){0,3}(?:død|døde|afdøde|afgået ved døden|gået bort|gik ` +
				`bort|ikke længere|ikke mere iblandt os)$`,
			han + ` (?:er )?(?:desværre |lige |netop )?(?:døde|død|gået bort|gik bort|afgået ved døden)`,
			han + ` (?:lever|er her) (?:desværre )?ikke (?:længere|mere)`,
			`(?:vi|jeg) (?:har )?(?:begravede|begravet|mistede|mistet|bisatte) (?:ham|hende)`,
			`(?:hans|hendes) begravelse`, `^(?:(?:nej|desværre) (?:, )?)*(?:afdød|død|gået bort)$`,
		},
		Minor: []string{
			`(?:min |mine )?(?:mor|far|mor og far) (?:er (?:ikke hjemme|i bad|på arbejde|ude|ikke her)|sover)`,
			`mine forældre (?:er|sover|arbejder)`,
			`(?:mor|far) (?:er (?:ikke hjemme|ikke her|på arbejde|ude|i bad)|sover)`,
			`jeg er (?:(?:kun|næsten|bare) )*(?:[3-9]|1[0-5]|tre|fire|fem|seks|syv|otte|ni|ti|elleve|tolv|tretten|` +
				`fjorten|femten)(?: år(?: gammel)?)?$`,
			`jeg er (?:kun |bare )?et barn`,
			`jeg må ikke (?:tale|snakke|svare|tage) (?:med|i|telefonen) ?(?:fremmede|telefon)?`,
			`(?:vil du|skal jeg) (?:tale med |snakke med |hente )(?:min )?(?:mor|far)`,
		},
		Busy: []string{
			`jeg (?:sidder|står|er|kører) ` + nu + `(?:i (?:bilen|møde|et møde|undervisning|toget|en samtale|gang ` +
				`med)|på (?:arbejde|arbejdet|vej|hospitalet|bussen)|til (?:møde|læge|tandlæge|frokost)|hos ` +
				`(?:lægen|tandlægen)|midt i|bag rattet|og (?:kører|spiser|arbejder)|at (?:spise|køre))`,
			`jeg (?:kører|spiser|arbejder)(?: bil)?(?: (?:lige nu|nu))?$`,
			`(?:jeg )?(?:kan|har ikke mulighed for at) (?:jeg )?` + nu + `ikke (?:lige )?(?:tale|snakke)(?: ` +
				`(?:lige nu|nu|i telefon))*$`,
			`(?:det )?passer (?:det )?(?:mig )?(?:ikke |meget |dårligt |så |særlig |godt )*(?:lige nu|nu|i ` +
				`øjeblikket)$`,
			`(?:lige nu|nu) passer det (?:mig )?(?:ikke|dårligt)`,
			`(?:dårligt|forkert|ikke et godt|ikke et særlig godt|ubelejligt) tidspunkt`,
			`(?:jeg )?har ` + nu + `ikke tid(?: (?:lige nu|nu|til det her|til det))*$`,
			`^(?:(?:nej|ja|hej|undskyld|beklager) (?:, )?)*jeg (?:er|har) ` + nu + `(?:meget |ret |lidt ` +
				`)?(?:optaget|travlt|travl)(?: (?:lige nu|nu))*$`,
			`(?:jeg )?(?:skal til at|må) (?:gå|afsted|af sted|løbe)(?: nu)?$`,
		},
		GoAhead: []string{
			`(?:men )?(?:hvis det går hurtigt|bare spørg|spørg løs|kør bare|sig frem|gør det kort)`,
			`jeg har (?:et minut|to minutter|et par minutter|fem minutter)`,
		},
		CallBack: []string{
			`(?:ring|ringer|prøv|prøv at ringe|kontakt)(?: (?:mig|os|op|tilbage|gerne|venligst|lige|igen|hellere|` +
				`ham|hende|til))* ` + hvornar,
			`ring (?:til )?(?:mig )?(?:op )?(?:igen|tilbage)(?: tak)?$`,
			`(?:kan du|kan i|kunne du|vil du|du kan|du må|du må gerne|kan de) (?:ikke |gerne |lige )*(?:ringe|` +
				`prøve)(?: (?:mig|op|til mig|tilbage|igen))*(?: ` + hvornar + `|$)`,
			`(?:kan vi|skal vi|lad os) (?:ikke )?(?:tale|snakke|tales ved|tage det|tales)(?: sammen| ved)? ` + hvornar,
			`(?:vi )?(?:tales|hellere|bedre) (?:ved )?` + hvornar + `$`,
			`ring (?:til )?(?:mig |os )?ikke (?:før|så tidligt|så sent|nu)`,
			`ring ikke til (?:mig|os) (?:før|så tidligt|så sent)`,
			han + ` (?:er|kommer) (?:hjem|hjemme|tilbage|her)? ?` + hvornar,
			`jeg (?:er|kommer) (?:hjem|hjemme|fri|tilbage) (?:først )?` + hvornar,
			`giv mig (?:lige )?(?:en|ti|tyve|[0-9]+|et par|en halv) (?:time|minutter|timer)`,
			`(?:ring|ringe|ringer|prøv)(?: [a-z]+){0,3} mellem`,
		},
		WantsHuman: []string{
			`(?:tale|snakke|stillet om|viderestillet|komme til at tale|stil mig om|stille mig om) (?:med |til )` +
				menneske,
			`(?:jeg )?(?:vil|vil have|vil gerne have|foretrækker|ønsker) (?:hellere )?` + menneske + `$`,
			`er der (?:ikke )?` + menneske,
			`(?:taler|snakker|vil ikke tale|vil ikke snakke) (?:jeg )?(?:ikke )?med (?:en )?(?:robotter|robot|` +
				`maskiner|maskine|computere|computer|telefonsvarere)`,
			`^(?:(?:nej|en|et) (?:, )?)*(?:medarbejder|menneske|operatør|kundeservice|rigtig person|` +
				`omstillingen)(?: (?:, )?tak)?$`,
			`(?:rigtigt|levende|rigtig) (?:menneske|person)`,
		},
		Robot: []string{
			`(?:er du|er det|er det her|er dette|taler jeg med|snakker jeg med) (?:bare |virkelig |` +
				`egentlig |en |et |rigtig |rigtigt |ægte |levende |automatisk )*(?:robot|bot|maskine|` +
				`computer|båndoptagelse|optagelse|ai|kunstig intelligens|computerstemme|stemme|menneske|` +
				`person)`,
		},
		Speak: []string{
			`(?:taler|snakker|forstår) (?:du|i|de|nogen) (?:også )?{l}`,
			`(?:kan|må) (?:vi|du|jeg|i) (?:tale|snakke|tage det|fortsætte)(?: på)? {l}`,
			`(?:taler|snakker) (?:kun|bare) {l}`,
			`^på {l}$`,
			`^(?:på )?{l} tak$`,
		},
		NotSpoken: []string{
			`(?:taler|forstår|snakker|kan) (?:jeg )?ikke (?:så godt |særlig godt )?{l}`,
		},
		Names: map[string][]string{
			"en": {"engelsk"}, "cs": {"tjekkisk"}, "da": {"dansk"}, "de": {"tysk"}, "el": {"græsk"},
			"es": {"spansk"}, "fr": {"fransk"}, "it": {"italiensk"}, "nb": {"norsk"},
			"nl": {"hollandsk", "nederlandsk"}, "pl": {"polsk"}, "pt": {"portugisisk"}, "ro": {"rumænsk"},
			"sv": {"svensk"}, "tr": {"tyrkisk"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"en time": time.Hour, "en halv time": 30 * time.Minute, "halv time": 30 * time.Minute,
				"halvanden time": 90 * time.Minute, "en times tid": time.Hour, "et kvarter": 15 * time.Minute,
				"kvarter": 15 * time.Minute, "tre kvarter": 45 * time.Minute, "et par minutter": 5 * time.Minute,
				"nogle minutter": 10 * time.Minute, "et par timer": 2 * time.Hour, "nogle timer": 3 * time.Hour,
				"en dag": 24 * time.Hour, "et par dage": 2 * 24 * time.Hour, "nogle dage": 3 * 24 * time.Hour,
				"en uge": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minut": time.Minute, "minutter": time.Minute, "time": time.Hour, "timer": time.Hour,
				"dag": 24 * time.Hour, "dage": 24 * time.Hour, "uge": 7 * 24 * time.Hour, "uger": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"i dag": 0, "i morgen": 1, "i overmorgen": 2, "overmorgen": 2, "næste uge": 7, "næste måned": 30,
			},
			Weekdays: [7][]string{{"søndag"}, {"mandag"}, {"tirsdag"}, {"onsdag"}, {"torsdag"}, {"fredag"}, {"lørdag"}},
			Parts: map[string]int{
				"i morgen tidlig": 9, "i morgen formiddag": 9, "tidlig": 9, "morgenen": 9, "formiddag": 9,
				"frokost": 12, "efter frokost": 13, "eftermiddag": 14, "eftermiddagen": 14, "aften": 18, "aftenen": 18,
				"efter arbejde": 17,
			},
			Between: []string{"mellem", "mellem klokken"},
			At: []string{
				"klokken er", "klokken", "kl", "efter", "ved", "før", "omkring", "fra", "tidligst",
				"efter klokken", "før klokken", "til",
			},
			AM: []string{"om morgenen", "om formiddagen"},
			PM: []string{"om eftermiddagen", "om aftenen"},
			Before: map[string]int{
				"halv": -30, "kvart over": 15, "kvart i": -15, "fem over": 5, "ti over": 10, "fem i": -5, "ti i": -10,
				"tyve i": -20, "fem i halv": -35, "fem over halv": -25,
			},
			Months: [12][]string{
				{"januar"}, {"februar"}, {"marts"}, {"april"}, {"maj"}, {"juni"}, {"juli"}, {"august"},
				{"september"}, {"oktober"}, {"november"}, {"december"},
			},
			MonthDays: [31][]string{
				{"første"}, {"anden"}, {"tredje"}, {"fjerde"}, {"femte"}, {"sjette"}, {"syvende"}, {"ottende"},
				{"niende"}, {"tiende"}, {"ellevte"}, {"tolvte"}, {"trettende"}, {"fjortende"}, {"femtende"},
				{"sekstende"}, {"syttende"}, {"attende"}, {"nittende"}, {"tyvende"}, {"enogtyvende"},
				{"toogtyvende"}, {"treogtyvende"}, {"fireogtyvende"}, {"femogtyvende"}, {"seksogtyvende"},
				{"syvogtyvende"}, {"otteogtyvende"}, {"niogtyvende"}, {"tredivte"}, {"enogtredivte"},
			},
			OfMonth:  []string{"i"},
			Past:     map[string]int{"i går": 1, "i forgårs": 2, "forgårs": 2},
			Ago:      []string{"siden"},
			Previous: []string{"sidste", "i sidste"},
		},
		Spelling: Spelling{
			At:         []string{"snabel a", "snabela", "at"},
			Dot:        []string{"punktum", "prik", "punkt"},
			Dash:       []string{"bindestreg", "minus", "streg"},
			Underscore: []string{"understreg", "underscore", "bundstreg"},
			Before:     []string{"er", "mail", "e mail", "email", "adresse", "mailadresse"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dobbelt": 2},
		},

		Harmless: []string{
			`(?:død|døde) af (?:træthed|grin|sult|kedsomhed|skam|nysgerrighed)`,
			`død ?(?:træt|sulten)`,
			`(?:næsten|halvt) (?:død|døde)`,
			`(?:hvad er|hvilket er|hvilket) (?:det )?forkerte? nummer`,
		},
		Ages: []string{"gammel", "alder", "år"},
		Aside: []string{
			"han er ikke her", "hun er ikke her", "han er ikke hjemme", "hun er ikke hjemme", "han er her ikke",
			"hun er her ikke", "det er ikke hende", "det er ikke ham", "jeg kan ikke høre",
			"jeg kan ikke høre dig", "jeg kan ikke høre noget", "jeg hører ikke", "jeg hører ingenting",
		},
		Yes: []string{"ja", "jo", "jep", "jeps", "jada", "jo da", "ja da", "jamen ja", "ja tak", "jo tak", "ja gerne",
			"gerne", "meget gerne", "selvfølgelig", "naturligvis", "klart", "helt klart", "bestemt", "helt bestemt",
			"absolut", "sikkert", "helt sikkert", "okay", "ok", "i orden", "det er i orden", "fint", "det er fint",
			"rigtigt", "det er rigtigt", "det er korrekt", "korrekt", "præcis", "netop", "nemlig", "lige præcis",
			"det stemmer", "stemmer", "enig", "ingen problem", "intet problem", "det er ikke noget problem",
			"hvorfor ikke", "det tror jeg nok", "jeg tror det", "det tror jeg", "uden tvivl", "værsgo", "vær så god",
			"med glæde", "mm hm", "mhm"},
		No: []string{"nej", "næ", "niks", "nej tak", "nej da", "nej nej", "slet ikke", "overhovedet ikke",
			"bestemt ikke", "absolut ikke", "selvfølgelig ikke", "naturligvis ikke", "ikke rigtigt", "ikke rigtig",
			"ikke endnu", "ikke nu", "ikke i dag", "aldrig i livet", "på ingen måde", "det tror jeg ikke",
			"jeg tror det ikke", "jeg tror ikke", "desværre ikke", "ikke interesseret", "jeg er ikke interesseret",
			"det er forkert", "forkert", "det er ikke rigtigt", "det er ikke korrekt", "ikke korrekt",
			"det stemmer ikke", "forkert nummer", "helst ikke", "hellere ikke", "negativt"},
		Unsure: []string{
			"måske", "muligvis", "eventuelt", "kan være", "det kan være", "måske ikke", "det ved jeg ikke",
			"ved ikke", "jeg ved ikke", "jeg ved det ikke", "ikke sikker", "jeg er ikke sikker",
			"det er jeg ikke sikker på", "det kommer an på", "kommer an på", "det afhænger af", "det er forskelligt",
			"nogle gange", "både og", "ja og nej", "mere eller mindre", "nogenlunde", "svært at sige",
			"det kan jeg ikke huske", "aner det ikke",
		},
		Hint: []string{"ikke", "ingen", "aldrig", "intet"},
		Mistaken: []string{
			"jeg mener", "jeg mente", "altså nej", "eller rettere", "rettere sagt", "vent", "nej vent", "øjeblik",
			"det vil sige", "undskyld nej", "jeg tog fejl", "eller nej",
		},
		YesAlone: []string{
			"det gør jeg", "det har jeg", "det er jeg", "det kan jeg", "det vil jeg", "det vil jeg gerne",
			"det gjorde jeg", "det er det", "det er mig", "det er hende", "det er ham", "det er mig selv",
			"ja det er mig", "i egen person", "sandt", "godt", "meget godt", "super", "perfekt", "fedt", "det passer",
			"det passer fint", "det lyder godt", "har jeg", "kan jeg",
		},
		NoAlone: []string{
			"falsk", "det gør jeg ikke", "det har jeg ikke", "det er jeg ikke", "det kan jeg ikke",
			"det vil jeg ikke", "det gjorde jeg ikke", "det er det ikke", "aldrig", "ingen", "intet", "ingenting",
			"ikke", "det passer ikke",
		},
		Not: []string{"ikke", "uden", "ingen", "hverken"},

		Connectives: []string{"eller", "efter", "inden", "over", "under", "hjem"},

		Ordinals: [MaxOrdinals][]string{
			{"første", "den første", "det første", "nummer et", "mulighed et"},
			{"anden", "den anden", "det andet", "nummer to", "mulighed to"},
			{"tredje", "den tredje", "nummer tre", "mulighed tre"}, {"fjerde", "nummer fire"}, {"femte", "nummer fem"},
			{"sjette", "nummer seks"}, {"syvende", "nummer syv"}, {"ottende", "nummer otte"},
		},
		Last: []string{"sidste", "den sidste", "det sidste", "sidstnævnte"},

		Spell:    spellDanish,
		Thousand: []string{"tusind", "tusinde", "et tusind", "ettusind"},
		Half:     []string{"og en halv", "og et halvt", "en halv", "et halvt"},
		And:      []string{"og"},
		OutOf:    []string{"ud af", "af"},
		Minus:    []string{"minus"},
		Article:  []string{"en", "et"},
		Vague: []string{
			"et øjeblik", "lige et øjeblik", "en lille smule", "lidt", "et par stykker", "en anden gang",
			"en eller anden", "den ene", "et sekund", "et minut", "en smule", "en gang til", "en masse",
		},
		Counts: map[string]float64{
			"ingen": 0, "intet": 0, "ingenting": 0, "aldrig": 0, "slet ikke": 0, "slet ingen": 0, "en gang": 1,
			"én gang": 1, "to gange": 2, "tre gange": 3, "et par": 2, "et par gange": 2, "en halv": 0.5,
			"et halvt": 0.5, "halvanden": 1.5, "halvandet": 1.5, "et dusin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"godt", "rigtig godt", "meget godt", "fint", "super", "perfekt", "dejligt", "skønt", "fantastisk",
			"fremragende", "udmærket", "glad", "tilfreds", "bedre", "venlig", "venlige", "hjælpsom", "rart",
			"tusind tak", "sødt", "alle tiders",
		},
		Sad: []string{
			"dårligt", "dårlig", "skidt", "forfærdeligt", "forfærdelig", "rædselsfuldt", "elendigt", "sur", "vred",
			"irriteret", "irriterende", "utilfreds", "skuffet", "skuffende", "ked", "værre", "værst", "smerte",
			"smerter", "ondt", "gør ondt", "problem", "problemer", "klage", "klager", "svimmel", "syg", "træls",
			"uforskammet", "svindel", "spild af tid", "bekymret",
		},

		Urge: []string{
			"nej", "ja", "nu", "så nu", "straks", "omgående", "med det samme", "bare", "endelig", "kan du", "kan i",
			"vil du", "vil i", "vil du ikke nok", "du skal", "i skal", "jeg sagde", "jeg siger", "jeg sagde jo",
			"jeg vil have du", "jeg vil have at du", "jeg vil have at i", "så", "okay", "ok", "for guds skyld", "hej",
			"med det", "det der", "det her",
		},
		StopAlone: []string{
			"stop", "stop det", "stop det her", "stop nu", "stoppe", "hold op", "hold nu op", "hold så op",
			"ti stille", "afmeld", "afmeld mig", "frameld", "frameld mig", "slet mig", "fjern mig", "lad mig være",
			"lad mig være i fred", "ring ikke", "ring ikke mere", "ikke flere opkald", "ingen flere opkald",
			"stop opkaldene",
		},
		Stop: []string{
			`\b` + ring + ` (?:venligst |bare |endelig |lige |nu )*(?:` + me + ` )*` + never + `\b`,
			`\b` + ring + ` (?:venligst |bare |endelig |lige |nu )*` + never + `\b`,
			`\b` + ring + ` (?:venligst )?(?:ikke|aldrig) (?:` + me +
				` ?)+(?:$|mere\b|igen\b|laengere\b|nogensinde\b|tak\b|for\b|overhovedet\b)`,
			`\b` + ring + ` (?:venligst )?(?:aldrig|ikke) (?:mere|igen|laengere|nogensinde)\b`,
			`\b(?:aldrig|ikke) (?:mere |laengere |nogensinde )*(?:ringes op|ringe til mig|ringe til os|kontakte ` +
				`mig|kontaktes|blive ringet op|blive kontaktet|ringet op|ringes til)\b`,
			`\b(?:ma|skal|bor) (?:i |du |de )?(?:aldrig|ikke) ` + ring + ` (?:` + me +
				` ?)+(?:$|mere\b|igen\b|nogensinde\b|laengere\b)`,
			`\b(?:hold|holde|stop|stoppe|lad|lade) (?:nu |så |venligst |straks )*(?:op |være )?med (?:at |alle ` +
				`)?(?:` + ring + `|de |disse |det |jeres |dine |alle )+(?:` + calls + `|` + me + `)?`,
			`\b(?:vil|onsker|gider) (?:jeg )?(?:ikke|aldrig) (?:have |modtage |fa )?(?:at (?:du|i|de) ` + ring +
				`|flere ` + calls + `|jeres ` + calls + `|disse ` + calls + `|de her ` + calls + `|` + calls + ` fra)`,
			`\b(?:vil|onsker) (?:jeg )?ikke (?:have )?(?:flere |jeres |disse |de her )?` + calls +
				`(?:$| (?:mere|fra|tak|laengere)\b)`,
			`\b(?:ingen|ikke) flere ` + calls + `\b`,
			`\b(?:fjern|slet|tag|stryg|ud) (?:venligst )?(?:mig|os|mit nummer|mit navn|mit telefonnummer|dette ` +
				`nummer|det her nummer|mine (?:data|oplysninger))(?:$| (?:fra|af|ud|venligst|tak|nu|i)\b)`,
			`\b(?:fjerne|slette|tage|stryge) (?:mig|os|mit nummer|mit navn|mit telefonnummer|dette nummer|mine ` +
				`(?:data|oplysninger))(?:$| (?:fra|af|ud|i)\b)`,
			`\b(?:må|skal|bør) (?:i |du |de )?(?:aldrig|ikke) ` + ring + ` (?:mere|igen|længere|nogensinde)\b`,
			`\bvil (?:gerne |godt )?(?:slettes|fjernes|frameldes|afmeldes)\b`,
			`\b(?:kan|vil) (?:i|du|de) (?:ikke )?(?:lade være|stoppe|holde op) med at ` + ring + `\b`,
			`\b(?:afmeld|frameld)(?:e)? (?:mig|os|mit nummer)\b`, `\b(?:framelde|afmelde) mig\b`,
			`\blad (?:mig|os) (?:nu |venligst )?(?:være i fred\b|være$|i fred\b)`,
			`\bring ikke til mig\b$`,
		},
		Cues: []string{
			"ring", "kontakt", "forstyr", "chikan", "gener", "opkald", "opring", "salgs", "telefon", "reklame",
			"hold", "stop", "fjern", "slet", "tag", "stryg", "ud", "afmeld", "frameld", "lad",
		},
		NotStop: []string{
			`\b(?:ring|ringe|ringer|kontakt) (?:[a-z]+ ){0,3}(?:ikke|aldrig) (?:mere |igen )?(?:[a-z]+ ` +
				`){0,3}(?:for(?: klokken| kl| middag| i morgen)|efter|i dag|i aften|i morgen|om morgenen|om ` +
				`aftenen|om formiddagen|sa sent|sa tidligt|nu)\b`,
			`\b(?:jeg|vi|han|hun|de|nogen|ingen|man|min [a-z]+|mine [a-z]+) (?:har |kan |kunne |vil |ma |skal ` +
				`)?(?:aldrig |ikke )?(?:ringer|ringede|ringet|kontakter|kontaktede|ringe) (?:[a-z]+ ` +
				`){0,3}(?:ikke|aldrig)? ?(?:mere|igen|laengere)?`,
			`\b(?:lad vaere med at|du skal ikke|i skal ikke|du ma ikke|i ma ikke|ikke|aldrig|uden at) ` +
				`(?:stoppe|holde op|afmelde|framelde|fjerne|slette|tage)(?: [a-z]+)*`,
			`\b(?:fjern|slet|tag|afmeld|frameld) (?:mig|os|mit nummer)(?: venligst)? ikke\b`,
			`\bikke (?:afmeld|frameld|fjern|slet)[a-z]*`,
			`\bhold (?:ikke |aldrig |endelig ikke )op\b[a-z ]*`, `\bstop ikke\b[a-z ]*`,
			`\bventeliste[a-z]*\b`, `\b(?:stoppested|busstop|stopsted)[a-z]*\b`,
		},
	}
}

// spellDanish counts tens in twenties: "halvtreds" is 50.
func spellDanish(n int) []string {
	small := []string{"nul", "", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti", "elleve", "tolv",
		"tretten",
		"fjorten", "femten", "seksten", "sytten", "atten", "nitten"}
	tens := []string{"", "", "tyve", "tredive", "fyrre", "halvtreds", "tres", "halvfjerds", "firs", "halvfems"}
	switch {
	case n == 1:
		return nil // "en" and "et" are also articles
	case n < 20:
		return []string{small[n]}
	case n < 100:
		if n%10 == 0 {
			return []string{tens[n/10]}
		}
		units := []string{small[n%10]}
		if n%10 == 1 {
			units = []string{"en", "et"}
		}
		var all []string
		for _, unit := range units {
			all = append(all, unit+"og"+tens[n/10], unit+" og "+tens[n/10])
		}
		return all
	}
	heads := []string{
		small[n/100] + " hundrede", small[n/100] + "hundrede", small[n/100] + " hundred", small[n/100] + "hundred",
	}
	if n/100 == 1 {
		heads = []string{"hundrede", "hundred", "et hundrede", "ethundrede", "et hundred"}
	}
	rests := spellDanish(n % 100)
	if n%100 == 1 {
		rests = []string{"en", "et"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{" ", " og "}, rests)
}
