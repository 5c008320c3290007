package lexicon

import "time"

// Dutch is the lexicon of Dutch.
func Dutch() Language {
	const (
		call  = `(?:bel|belt|bellen|gebeld|opbellen|opgebeld|telefoneer|telefoneren|contacteer|contacteren|benader|benaderen|benaderd|stoor|storen|lastigvallen|lastig vallen|lastiggevallen)`
		me    = `(?:mij|me|ons|hier|naar hier|naar mij|dit nummer|op dit nummer|naar dit nummer|mijn nummer|terug)`
		never = `(?:niet meer|nooit meer|nooit nog|nooit weer|niet nog een keer|niet nog eens|niet opnieuw|nimmer ` +
			`meer|niet langer)`
		calls = `(?:telefoontjes|telefoontje|telefoongesprekken|oproepen|belletjes|verkoopgesprekken|reclametelefoontjes|gebel)`
		// who answered
		box     = `(?:voicemail|voice mail|antwoordapparaat|mailbox|voicemailbox|voice mailbox|inbox)`
		nu      = `(?:(?:nu|op dit moment|momenteel|even|helaas|tijdelijk|vandaag|net|zojuist|op het moment) )*`
		wanneer = `(?:later|morgen|overmorgen|morgenochtend|morgenmiddag|morgenavond|vanavond|vanmiddag|een andere ` +
			`keer|op een ander moment|een ander moment|(?:op |volgende |komende )?(?:maandag|dinsdag|` +
			`woensdag|donderdag|vrijdag|zaterdag|zondag)(?:ochtend|middag|avond)?|volgende week|over ` +
			`(?:een|n|twee|drie|vier|vijf|tien|vijftien|twintig|dertig|[0-9]+|zo'n|anderhalf)|(?:om|na|` +
			`rond|tegen|vanaf|voor) (?:een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|half|` +
			`kwart|[0-9:.]+|het|de|twaalven|vieren|vijven|zessen)(?: uur)?|in de (?:ochtend|middag|avond)|` +
			`straks)`
		hij = `(?:hij|zij|ze|die|mijn (?:man|vrouw|vader|moeder|zoon|dochter|broer|zus|opa|oma)|(?:meneer|` +
			`mevrouw) [a-z]+)`
		mens = `(?:(?:een|n|echt|echte|levend|levende|iemand) )*(?:mens|persoon|medewerker|medewerkster|collega|` +
			`iemand van vlees en bloed|echt iemand|operator|levend persoon)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dit is een automatisch gesprek. Druk op elk moment op 9 of zeg stop, dan bellen wij u " +
				"niet meer.",
			NotUnderstood: "Sorry, dat heb ik niet verstaan.",
			Goodbye:       "Bedankt voor uw tijd. Tot ziens.",
			StillThere:    "Bent u er nog?",
			NoAnswer:      "Ik kan u niet horen, dus ik hang nu op. Tot ziens.",
			OptedOut:      "Ik begrijp het. Wij bellen dit nummer niet meer. Tot ziens.",
			Back:          "Sorry, de verbinding was even weg.",
			MoveOn:        "Dat geeft niet, we gaan verder.",
			Moment:        "Een ogenblik, alstublieft.",
			Trouble:       "Sorry, we hebben een technisch probleem, dus ik moet nu ophangen. Tot ziens.",
			Acks:          []string{"Dank u.", "Goed."},
			Screening:     "Dit is een automatisch gesprek van {{organization}} voor {{name|de eigenaar van dit nummer}}.",
			ScreeningAbout: "Dit is een automatisch gesprek van {{organization}} voor {{name|de eigenaar van dit " +
				"nummer}} over {{reason}}.",
			Automated: "Ik ben een automatische stem, geen mens. Dit is een automatisch gesprek van " +
				"{{organization}}.",
			Declined:    "Daar kan ik helaas niet over praten.",
			Voicemail:   "Dit is {{agent}} van {{organization}}. We proberen het een andere keer opnieuw. Tot ziens.",
			WrongPerson: "Sorry voor het storen. Tot ziens.",
			Deceased:    "Dat spijt me heel erg. Excuses voor dit gesprek. Tot ziens.",
			Minor:       "Dank je wel. Ik hang nu op. Dag.",
			Busy:        "Ik begrijp het. Sorry voor het storen. Tot ziens.",
			CallBack:    "Ik begrijp het en heb het genoteerd. Tot ziens.",
			WantsHuman: "Ik ben een automatische stem en kan u niet doorverbinden. Ik heb genoteerd dat u een " +
				"mens wilt spreken. Tot ziens.",
		},
		Filler: []string{"eh", "ehm", "uh", "uhm", "euh", "hm", "hmm", "mm", "nou", "nou ja", "nou eh", "tja", "ja nou",
			"ach", "dus", "zeg maar", "even denken", "even kijken", "laat me denken", "laat eens kijken", "ik denk",
			"ik geloof", "ik zou zeggen", "zou ik zeggen", "denk ik", "geloof ik",
			"ongeveer", "zo'n", "zowat", "misschien ongeveer", "alstublieft", "alsjeblieft", "dank u", "dank u wel",
			"dank je", "dank je wel", "dankjewel", "dankuwel", "bedankt", "sorry", "pardon", "luister", "hoor",
			"eigenlijk", "waarschijnlijk", "meneer", "mevrouw", "en", "maar", "wel", "toch", "gewoon", "eens"},
		Hello: []string{
			"hallo", "hoi", "goedendag", "goeiedag", "goedemorgen", "goeiemorgen", "goedemiddag", "goeiemiddag",
			"goedenavond", "goeieavond", "dag", "ja hallo", "met wie",
		},
		Parting: []string{"dag"},
		Bye: []string{
			"tot ziens", "doei", "doeg", "dag dag", "houdoe", "vaarwel", "tot horens", "tot later", "fijne dag",
			"fijne dag nog", "prettige dag", "nog een fijne dag", "ik moet gaan", "ik moet ophangen", "ik hang op",
			"ik ga ophangen", "ik moet weg",
		},
		Who: []string{
			"wie is dit", "wie is daar", "wie bent u", "wie ben je", "met wie spreek ik",
			"met wie heb ik het genoegen", "wie belt er", "wie belt daar", "wie belt", "waar gaat het over",
			"waar gaat dit over", "waarover gaat het", "waar belt u vandaan", "waar bel je vandaan",
			"waarom belt u", "wat is dit",
		},
		Repeat: []string{"wat", "wat zegt u", "wat zei u", "wat zeg je", "wat zei je", "hè", "huh", "sorry", "pardon",
			"wablief", "nog een keer", "nog eens", "opnieuw", "herhaal", "herhaal dat", "herhaal de vraag",
			"kunt u dat herhalen", "kan u dat herhalen", "kun je dat herhalen", "kan je dat herhalen",
			"kunt u de vraag herhalen", "kunt u herhalen", "wilt u dat herhalen",
			"kunt u dat nog een keer zeggen", "zeg dat nog eens", "ik begrijp het niet", "ik begrijp u niet",
			"ik begreep het niet", "dat begreep ik niet", "ik snap het niet", "ik versta u niet",
			"ik verstond het niet", "dat verstond ik niet", "ik heb het niet verstaan", "dat heb ik niet verstaan",
			"ik hoor u niet", "ik kan u niet horen", "wat bedoelt u", "wat was de vraag",
			"ik hoor niets", "ik hoor niks", "ik hoor je niet", "ik kan je niet horen",
		},
		Skip: []string{"weet ik niet", "dat weet ik niet", "ik weet het niet", "weet niet", "geen idee",
			"ik heb geen idee", "ik zou het niet weten", "zou ik niet weten", "moeilijk te zeggen",
			"dat kan ik niet zeggen", "dat zeg ik liever niet", "zeg ik liever niet", "dat wil ik niet zeggen",
			"daar wil ik geen antwoord op geven", "ik wil niet antwoorden", "liever geen antwoord", "geen commentaar",
			"overslaan", "sla over", "volgende vraag", "volgende", "pas", "dat gaat u niets aan", "gaat u niks aan",
			"dat weet ik niet meer", "ik weet het niet meer", "kan ik me niet herinneren", "geen van beide",
			"geen van allen", "geen van alle"},

		Record: []string{
			`(?:spreek|spreekt|laat|laten|inspreken|achterlaten) (?:u |gerust |dan |even |alstublieft |` +
				`alsjeblieft |hier )*(?:een|uw|je|de) (?:korte )?(?:bericht|boodschap|berichtje|naam)(?: (?:in|` +
				`achter|na|en))`,
			`(?:kunt u|kun je|u kunt|je kunt) (?:[a-z]+ ){0,3}(?:een|uw|je) (?:bericht|boodschap) (?:inspreken|` +
				`achterlaten)`,
			`na (?:de|het) (?:toon|piep|pieptoon|signaal|piepje|beep)`,
			`(?:de |dit is de |dit is het |op de |met de |het |mijn )` + box + ` van`,
			`(?:dit|u|je|hier) (?:is|hoort) (?:de|het|mijn) ` + box,
			`(?:doorverbonden|doorgeschakeld|verbonden) (?:met|naar) (?:de |het |een )?` + box,
			`(?:de|het) (?:abonnee|persoon|nummer|klant|toestel) (?:die|dat|van|waarmee) (?:u|je)`,
			`(?:dit nummer|het gekozen nummer) is`,
			`uw (?:oproep|gesprek|telefoontje) ` + nu + `niet (?:aannemen|beantwoorden|opnemen)`,
			`kan (?:de telefoon|uw oproep|je oproep|u|je) ` + nu + `niet (?:opnemen|aannemen|beantwoorden|te ` +
				`woord staan)`,
			`(?:bel|bellen) (?:ik|wij|we) (?:u|je|jou|jullie) (?:dan )?(?:zo (?:snel|spoedig)|terug zodra|meteen ` +
				`terug)`,
			`(?:zo snel mogelijk|zo spoedig mogelijk) (?:contact|terug)`, `je weet wat je moet doen`,
		},
		Reached: []string{
			`(?:u bent|je bent) verbonden met`, `(?:u heeft|u hebt|je hebt) (?:[a-z]+ ){0,3}(?:gebeld|bereikt)$`,
			`ik ben ` + nu + `niet (?:bereikbaar|beschikbaar|in de gelegenheid)`,
			`ik ben er (?:nu |momenteel |even |helaas )+niet`, `wij zijn ` + nu + `niet (?:bereikbaar|aanwezig|thuis)`,
			`(?:is|zijn) ` + nu + `niet (?:bereikbaar|beschikbaar)`,
			`(?:ik|wij|we) (?:kan|kunnen) ` + nu + `niet (?:opnemen|aan de telefoon komen|bij de telefoon komen)`,
			`ik bel (?:u|je) (?:later |dan )?terug$`,
			`(?:probeer|probeert) (?:u )?het (?:later|op een later moment) (?:nog eens|nog een keer|opnieuw)`,
			`niemand (?:thuis|aanwezig|beschikbaar)$`,
		},
		Full: []string{
			`(?:` + box + `|geheugen)(?: van [a-z]+)?(?: is|) (?:helaas |momenteel )?vol`,
			`geen (?:nieuwe )?(?:berichten|bericht) (?:meer )?(?:ontvangen|inspreken|achterlaten|worden)`,
			box + ` (?:[a-z]+ ){0,4}(?:niet|nog niet) (?:ingesteld|geactiveerd|actief|geconfigureerd)`,
			`(?:heeft|heeft nog) geen ` + box,
			`(?:heeft|heeft nog) (?:de |zijn |haar )?` + box + ` (?:nog )?niet (?:ingesteld|geactiveerd)`,
			`niet in gebruik$`,
		},
		Screen: []string{
			`(?:naam|wie u bent|wie je bent|wie er belt) (?:, )?en (?:[a-z]+ ){0,3}(?:reden|waarom|waarover|doel)`,
			`(?:noem|zeg|vermeld|geef|spreek) (?:[a-z]+ ){0,3}(?:reden|doel) (?:van|voor|waarom)`,
			`(?:zeg|noem|spreek) (?:uw|je) naam(?: in)?$`,
			`wat is de reden (?:van|voor) (?:uw|je|dit) (?:gesprek|telefoontje|oproep)`,
			`(?:kunt u|kun je) (?:mij |me )?(?:vertellen|zeggen) waarom (?:u|je) belt`,
		},
		Screener: []string{
			`(?:gespreksfilter|oproepfilter|oproepfiltering|gespreksscreening|oproepscreening|call screening|screent)`,
			`(?:virtuele|digitale|persoonlijke|google|truecaller) assistente?`,
			`(?:kijk|controleer|ga|zal) ik (?:na |kijken |nagaan )?(?:even )?of (?:[a-z]+ ){1,3}(?:beschikbaar|` +
				`bereikbaar)`,
			`(?:ontvangt|krijgt) een (?:kopie|transcript|afschrift) van dit gesprek`,
			`blijf(?:t u)? (?:even )?aan de lijn (?:, )?(?:terwijl|totdat|tot)`,
			`(?:bedankt|dank u) (?:, )?blijf(?:t u)? aan de lijn`,
		},
		Menu: []string{
			`(?:toets|toetst|druk|drukt|kies|kiest|kies dan|toets dan) (?:u )?(?:op )?(?:een )?(?:dan )?(?:toets ` +
				`)?(?:[0-9]|nul|een|twee|drie|vier|vijf|zes|zeven|acht|negen|hekje|sterretje)(?: |$)`,
			`(?:al onze|alle) (?:medewerkers|lijnen|collega's)`,
			`(?:eerstvolgende|volgende) (?:vrije |beschikbare )?medewerker`,
			`(?:uw|dit) (?:oproep|telefoontje|gesprek) is (?:erg )?belangrijk`,
			`(?:dit gesprek|gesprekken) (?:kan|kunnen|wordt|worden) (?:[a-z]+ ){0,5}opgenomen`,
			`(?:hoofdmenu|keuzemenu|openingstijden zijn|wachtrij|luister goed naar)`,
			`er zijn nog [a-z0-9]+ wachtenden`,
		},
		Hold: []string{
			`^(?:(?:ja|oké|ok|hallo|goed|eh) (?:, )?)*(?:momentje|ogenblikje|(?:een|heel even een) (?:moment|` +
				`momentje|ogenblik|ogenblikje|seconde|minuutje|tel|secondje))(?: (?:, )?(?:alstublieft|` +
				`alsjeblieft|hoor|graag))*$`,
			`^(?:(?:ja|oké|ok|hallo|goed) (?:, )?)*(?:wacht|wacht u|wacht even|wacht eens|blijf aan de lijn|` +
				`blijft u aan de lijn|even wachten|blijf even hangen|blijf hangen|even geduld)(?: (?:, ` +
				`)?(?:alstublieft|alsjeblieft|een moment|een momentje|hoor|even))*$`,
			`(?:ik )?(?:haal|roep|pak) (?:hem|haar|ik hem|ik haar|mijn [a-z]+|hem even|haar even)`,
			`(?:ik )?(?:geef|geef ik) (?:u |je |hem |haar |even )*(?:door|mijn man|mijn vrouw|mijn vader|mijn ` +
				`moeder|even)$`,
			`(?:ik )?verbind (?:u|je|ik u) (?:even )?door`,
			`(?:ik )?(?:kijk|zal even kijken|ga even kijken|kijk even) of (?:hij|zij|ze) (?:er is|thuis is)`,
			`(?:hij|zij|ze) komt eraan$`,
			`^(?:alstublieft )?(?:niet ophangen|hang (?:alstublieft |alsjeblieft )?niet op|hangt u niet op)$`,
		},

		WrongPerson: []string{
			`(?:verkeerd|fout) (?:verbonden|nummer|gedraaid|gebeld)`, `(?:verkeerde|foute) (?:nummer|persoon)`,
			`(?:hier|er) (?:woont|is|werkt) (?:hier )?(?:geen|niemand) (?:hier )?(?:, )?(?:[a-z]+ )?(?:met die ` +
				`naam|die zo heet|genaamd|onder die naam)`,
			`hier (?:woont|werkt) geen [a-z]+`, `niemand (?:hier )?met die naam`, `(?:woont|werkt) hier niet(?: meer)?`,
			`(?:ik )?(?:ken|kennen) (?:geen|niemand|die persoon niet|die meneer niet|die mevrouw niet) ?(?:meneer|` +
				`mevrouw|met die naam|die zo heet)?`,
			`ik ken (?:hem|haar|die) niet`,
			`(?:dit|dat) is (?:niet|niet meer) (?:zijn|haar|het) (?:nummer|telefoon)(?: meer)?`,
			`(?:dit|dat) is (?:zijn|haar) nummer niet(?: meer)?`, `(?:dat|die) ben ik (?:helemaal )?niet$`,
			`ik ben niet (?:degene|de persoon|diegene)`, hij + ` is (?:[a-z]+ ){0,2}verhuisd`,
			`ik heb dit nummer (?:pas|nog maar|sinds|net)`,
		},
		Deceased: []string{
			hij + ` (?:is|zijn) (?:[a-z]+ ){0,4}(?:overleden|gestorven|dood|heengegaan|niet meer onder ons|niet ` +
				`meer in leven)`,
			hij + ` leeft (?:helaas )?niet meer`,
			`(?:we|wij|ik) (?:hebben|heb) (?:hem|haar) (?:[a-z]+ ){0,3}(?:begraven|verloren|gecremeerd)`,
			`^(?:(?:nee|helaas|sorry) (?:, )?)*(?:is )?(?:helaas )?overleden$`, `(?:zijn|haar) (?:begrafenis|uitvaart)`,
		},
		Minor: []string{
			`(?:mijn |m'n )?(?:mama|papa|mammie|pappie) (?:is (?:niet thuis|er niet|aan het werk|op het werk|weg|` +
				`boven)|slaapt|staat onder|en papa zijn)`,
			`mijn (?:ouders|moeder|vader) (?:is|zijn) (?:[a-z]+ )?(?:niet thuis|er niet|aan het werk|op het werk|` +
				`weg|boodschappen)`,
			`mijn ouders (?:zijn|slapen)`,
			`ik ben (?:(?:nog maar|pas|maar|nog) )*(?:[3-9]|1[0-5]|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|` +
				`twaalf|dertien|veertien|vijftien)(?: jaar(?: oud)?)?$`,
			`ik ben (?:(?:nog maar|maar|nog) )*een kind`,
			`ik mag niet (?:met vreemden|met vreemde|praten|opnemen|aan de telefoon)`,
			`(?:wilt u|wil je|zal ik) (?:mijn |even )*(?:mama|papa|moeder|vader) (?:spreken|roepen|halen)`,
		},
		Busy: []string{
			`ik (?:zit|ben|sta|rijd|rij) ` + nu + `(?:in (?:een |de )?(?:vergadering|auto|bespreking|overleg|` +
				`meeting|les|gesprek|college|trein|bus|file)|achter het stuur|aan het (?:rijden|werk|werken|eten|` +
				`koken|autorijden|bellen)|auto aan het rijden|op (?:het|mijn) werk|onderweg|bij de (?:dokter|` +
				`tandarts|huisarts)|midden in|te (?:werken|eten|rijden)|aan tafel|auto$)`,
			`ik (?:rijd|rij|eet|werk) (?:nu|net|momenteel|op dit moment)(?: auto)?$`,
			`(?:ik )?kan (?:ik )?` + nu + `niet (?:praten|bellen|spreken)(?: nu| op dit moment)?$`,
			`(?:komt|past|schikt) (?:(?:het|mij|me|dat|even) )*(?:nu|op dit moment) (?:(?:mij|me|even|echt) ` +
				`)*(?:niet|slecht)(?: (?:goed|zo goed|uit|gelegen|zo))*$`,
			`(?:geen goed|slecht|verkeerd|niet het juiste|niet zo'n goed|geen handig|ongelegen) moment`,
			`(?:ik )?heb (?:ik )?` + nu + `geen tijd(?: (?:nu|hiervoor|voor dit))?$`,
			`^(?:(?:nee|sorry|hallo) (?:, )?)*geen tijd(?: nu)?$`,
			`^(?:(?:nee|ja|hallo|sorry|luister) (?:, )?)*ik (?:ben|heb het) ` + nu + `(?:erg |heel |een beetje |` +
				`te )?(?:druk bezig|bezig|druk)(?: nu| op dit moment)?$`,
			`(?:ik )?(?:moet|ga) (?:nu |zo |net )+weg$`, `u belt (?:op een )?(?:ongelegen|slecht)`,
		},
		GoAhead: []string{
			`(?:maar )?(?:zeg het maar|als het snel|als het kort|vraag maar|doe maar snel|hou het kort|houd het kort)`,
			`(?:ik )?heb (?:wel )?(?:even|een minuut|twee minuten|een paar minuten|vijf minuten)`,
		},
		CallBack: []string{
			`(?:bel|belt|belt u|probeer|probeert|bellen) (?:u |het |mij |me |ons |hem |haar |maar |alstublieft |` +
				`alsjeblieft |anders |dan |nog |eens )*(?:` + wanneer + `|terug|nog een keer|nog eens|opnieuw|` +
				`weer)`,
			`(?:kunt u|kun je|kan u|kan je|wilt u|wil je|zou u|zou je|kunnen jullie|u kunt|je kunt|u moet) ` +
				`(?:[a-z0-9:.]+ ){0,7}(?:terugbellen|bellen|opbellen|proberen)$`,
			`(?:kunnen we|zullen we|laten we) (?:[a-z]+ )?` + wanneer + ` (?:[a-z]+ )?(?:bellen|praten|spreken)`,
			`(?:liever|beter|graag) ` + wanneer + `$`,
			`(?:bel|belt) (?:u )?(?:mij|me|ons|hier) niet (?:voor|zo vroeg|zo laat|nu)`,
			hij + ` (?:is|komt) (?:er |pas |weer )*` + wanneer + ` (?:weer |thuis|terug|er)`,
			`ik ben (?:er |pas )*` + wanneer + ` (?:weer |thuis|terug|bereikbaar|vrij)`,
			`geef (?:me|mij) (?:even )?(?:een|tien|twintig|[0-9]+) (?:uur|uurtje|minuten|half uur)`,
			`(?:bel|belt|bellen|terugbellen|probeer)(?: [a-z]+){0,3} tussen`,
		},
		WantsHuman: []string{
			`(?:met|naar) ` + mens + ` (?:spreken|praten|verbinden|verbonden|bellen|verbonden worden)`,
			mens + ` (?:spreken|aan de lijn|aan de telefoon)`,
			`(?:verbind|verbindt|verbind u) (?:me|mij) (?:door )?(?:met|naar) ` + mens,
			`(?:ik )?(?:wil|wens|heb liever|zou graag|wil graag) (?:graag |liever )?(?:met )?` + mens,
			`(?:praat|spreek|praten|spreken) (?:ik )?niet (?:graag )?(?:met|tegen) (?:een )?(?:robots?|computers?|` +
				`machines?|apparaat|apparaten|bandje|automaat)`,
			`niet met (?:een )?(?:robot|computer|machine|apparaat) (?:praten|spreken)`,
			`^(?:(?:nee|een|graag) (?:, )?)*(?:medewerker|mens|operator|klantenservice|echt persoon|echte ` +
				`medewerker|receptie)(?: (?:, )?(?:alstublieft|graag|alsjeblieft))?$`,
			`is er (?:[a-z]+ )?` + mens,
		},
		Robot: []string{
			`(?:bent u|ben jij|ben je|is dit|is het|is dat|spreek ik|praat ik) (?:nu |met |een |nou |` +
				`soms |echt |wel |gewoon |echte |levend |levende )*(?:robot|bot|computer|machine|opname|` +
				`bandje|bandopname|ai|kunstmatige intelligentie|automatische stem|computerstem|mens|` +
				`persoon)`,
		},
		Speak: []string{
			`(?:spreekt|spreken|spreek|praat) (?:u|jij|je|jullie|er iemand|iemand) (?:ook )?{l}`,
			`(?:kunnen|kunt|kan|mag) (?:we|wij|u|je|jij|ik|dit|het) (?:ook |misschien |` +
				`alstublieft )*(?:in het )?{l}(?: spreken| praten| doen)?`,
			`(?:spreek|praat) alleen(?: maar)? {l}`,
			`liever(?: in het)? {l}`,
			`^in het {l}$`,
			`^(?:in het )?{l} (?:alstublieft|graag)$`,
		},
		NotSpoken: []string{
			`(?:spreek|versta|begrijp) (?:ik )?(?:helaas )?(?:geen|niet zo goed) {l}`,
		},
		Names: map[string][]string{
			"en": {"engels"}, "cs": {"tsjechisch"}, "da": {"deens"}, "de": {"duits"}, "el": {"grieks"},
			"es": {"spaans"}, "fr": {"frans"}, "it": {"italiaans"}, "nb": {"noors"}, "nl": {"nederlands"},
			"pl": {"pools"}, "pt": {"portugees"}, "ro": {"roemeens"}, "sv": {"zweeds"}, "tr": {"turks"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"een uur": time.Hour, "een uurtje": time.Hour, "een half uur": 30 * time.Minute,
				"een halfuur": 30 * time.Minute, "half uur": 30 * time.Minute, "halfuur": 30 * time.Minute,
				"een half uurtje": 30 * time.Minute, "anderhalf uur": 90 * time.Minute,
				"een kwartier": 15 * time.Minute, "kwartier": 15 * time.Minute, "een kwartiertje": 15 * time.Minute,
				"drie kwartier": 45 * time.Minute, "een paar minuten": 10 * time.Minute, "een paar uur": 3 * time.Hour,
				"een dag": 24 * time.Hour, "een paar dagen": 3 * 24 * time.Hour, "een week": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minuut": time.Minute, "minuten": time.Minute, "minuutjes": time.Minute, "uur": time.Hour,
				"uren": time.Hour, "uurtjes": time.Hour, "dag": 24 * time.Hour, "dagen": 24 * time.Hour,
				"week": 7 * 24 * time.Hour, "weken": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"vandaag": 0, "vanmorgen": 0, "vanochtend": 0, "morgen": 1, "morgenochtend": 1, "morgenmiddag": 1,
				"morgenavond": 1, "overmorgen": 2, "volgende week": 7, "volgende maand": 30,
			},
			Weekdays: [7][]string{
				{"zondag", "zondagochtend", "zondagmiddag", "zondagavond"},
				{"maandag", "maandagochtend", "maandagmiddag", "maandagavond"},
				{"dinsdag", "dinsdagochtend", "dinsdagmiddag", "dinsdagavond"},
				{"woensdag", "woensdagochtend", "woensdagmiddag", "woensdagavond"},
				{"donderdag", "donderdagochtend", "donderdagmiddag", "donderdagavond"},
				{"vrijdag", "vrijdagochtend", "vrijdagmiddag", "vrijdagavond"},
				{"zaterdag", "zaterdagochtend", "zaterdagmiddag", "zaterdagavond"},
			},
			Parts: map[string]int{
				"vanochtend": 9, "vanmorgen": 9, "ochtend": 9, "morgenochtend": 9, "vanmiddag": 14, "middag": 14,
				"morgenmiddag": 14, "tussen de middag": 12, "na de lunch": 13, "vanavond": 19, "avond": 19,
				"morgenavond": 19, "na het werk": 18, "na het eten": 19, "maandagochtend": 9, "maandagmiddag": 14,
				"maandagavond": 19, "dinsdagochtend": 9, "dinsdagmiddag": 14, "dinsdagavond": 19, "woensdagochtend": 9,
				"woensdagmiddag": 14, "woensdagavond": 19, "donderdagochtend": 9, "donderdagmiddag": 14,
				"donderdagavond": 19, "vrijdagochtend": 9, "vrijdagmiddag": 14, "vrijdagavond": 19,
				"zaterdagochtend": 9, "zaterdagmiddag": 14, "zaterdagavond": 19, "zondagochtend": 9, "zondagmiddag": 14,
				"zondagavond": 19,
			},
			Hours: map[string]int{
				"twaalven": 12, "enen": 1, "tweeën": 2, "drieën": 3, "vieren": 4, "vijven": 5, "zessen": 6,
				"zevenen": 7, "achten": 8, "negenen": 9, "tienen": 10, "elven": 11, "één": 1,
			},
			Between: []string{"tussen"},
			At:      []string{"om", "na", "rond", "tegen", "vanaf", "voor", "tot", "van"},
			OClock:  []string{"uur"},
			AM:      []string{"ochtends", "s ochtends", "s morgens", "in de ochtend"},
			PM:      []string{"middags", "s middags", "s avonds", "in de middag", "in de avond"},
			Before: map[string]int{
				"half": -30, "kwart over": 15, "kwart voor": -15, "vijf over": 5, "tien over": 10, "vijf voor": -5,
				"tien voor": -10, "tien voor half": -40, "vijf voor half": -35, "vijf over half": -25,
			},
			Months: [12][]string{
				{"januari"}, {"februari"}, {"maart"}, {"april"}, {"mei"}, {"juni"}, {"juli"}, {"augustus"},
				{"september"}, {"oktober"}, {"november"}, {"december"},
			},
			MonthDays: [31][]string{
				{"eerste"}, {"tweede"}, {"derde"}, {"vierde"}, {"vijfde"}, {"zesde"}, {"zevende"}, {"achtste"},
				{"negende"}, {"tiende"}, {"elfde"}, {"twaalfde"}, {"dertiende"}, {"veertiende"},
				{"vijftiende"}, {"zestiende"}, {"zeventiende"}, {"achttiende"}, {"negentiende"},
				{"twintigste"}, {"eenentwintigste"}, {"tweeëntwintigste"}, {"drieëntwintigste"},
				{"vierentwintigste"}, {"vijfentwintigste"}, {"zesentwintigste"}, {"zevenentwintigste"},
				{"achtentwintigste"}, {"negenentwintigste"}, {"dertigste"}, {"eenendertigste"},
			},
			OfMonth:  []string{"van"},
			Past:     map[string]int{"gisteren": 1, "eergisteren": 2},
			Ago:      []string{"geleden"},
			Previous: []string{"afgelopen", "vorige"},
		},
		Spelling: Spelling{
			At:         []string{"apenstaartje", "apestaartje", "at"},
			Dot:        []string{"punt"},
			Dash:       []string{"streepje", "koppelteken", "min", "minteken"},
			Underscore: []string{"underscore", "laag streepje", "liggend streepje"},
			Before:     []string{"is", "e mail", "email", "mail", "adres", "mailadres", "e mailadres"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dubbel": 2, "dubbele": 2},
		},

		Harmless: []string{
			`dood (?:moe|op|ziek|nerveus)`,
			`(?:gestorven|dood) van (?:het lachen|de honger|de kou|vermoeidheid|verveling)`,
			`van (?:het lachen|de honger|de kou|vermoeidheid|verveling) (?:gestorven|dood)`,
			`bijna (?:dood|gestorven)`,
			`(?:wat is|welk|welke is) (?:het |dan het )?(?:verkeerde?|foute?) nummer`,
		},
		Ages: []string{"oud", "leeftijd", "jaar", "jaren"},
		Aside: []string{
			"hij is er niet", "zij is er niet", "ze is er niet", "hij is niet thuis", "zij is niet thuis",
			"ze is niet thuis", "hij is niet hier", "zij is niet hier", "ze is niet hier", "dat is hij niet",
			"dat is zij niet", "dat is ze niet", "ik hoor niets", "ik hoor niks", "ik hoor u niet",
			"ik hoor je niet", "ik kan u niet horen", "ik kan je niet horen",
		},
		Yes: []string{"ja", "jawel", "jazeker", "ja hoor", "ja zeker", "zeker", "zeker weten", "ja graag", "graag",
			"heel graag", "natuurlijk", "uiteraard", "vanzelfsprekend", "tuurlijk", "absoluut", "beslist", "inderdaad",
			"klopt", "dat klopt", "ja dat klopt", "juist", "precies", "correct", "dat is juist", "dat is correct",
			"akkoord", "oké", "ok", "okay", "prima", "is goed", "dat is goed", "in orde", "komt in orde",
			"geen probleem", "dat is geen probleem", "waarom niet", "ik denk het wel", "ik denk van wel",
			"ik geloof het wel", "ik geloof van wel", "zonder twijfel", "ongetwijfeld", "met plezier", "mhm", "mm hm",
			"yes", "yep"},
		No: []string{"nee", "neen", "nee hoor", "nee nee", "nee bedankt", "nee dank u", "nee dank je", "nee dank u wel",
			"helemaal niet", "absoluut niet", "zeker niet", "natuurlijk niet", "uiteraard niet", "niet echt",
			"nog niet", "nu niet", "niet nu", "vandaag niet", "liever niet", "in geen geval", "geen sprake van",
			"ik denk het niet", "ik denk van niet", "ik geloof het niet", "ik geloof van niet", "helaas niet",
			"geen interesse", "geen belangstelling", "niet geïnteresseerd", "ik ben niet geïnteresseerd",
			"klopt niet", "dat klopt niet", "onjuist", "dat is niet juist", "dat is niet zo", "fout", "verkeerd",
			"verkeerd verbonden", "verkeerd nummer", "nooit van mijn leven", "dat is fout", "negatief", "integendeel"},
		Unsure: []string{
			"misschien", "mogelijk", "eventueel", "zou kunnen", "dat zou kunnen", "kan zijn", "misschien wel",
			"misschien niet", "weet ik niet", "dat weet ik niet", "ik weet het niet", "niet zeker",
			"ik ben niet zeker", "ik weet het niet zeker", "dat weet ik niet zeker", "dat ligt eraan", "ligt eraan",
			"dat hangt ervan af", "hangt ervan af", "soms", "af en toe", "ja en nee", "min of meer", "zo zo",
			"een beetje", "moeilijk te zeggen", "geen idee",
		},
		Hint: []string{"niet", "geen", "nooit", "niks", "niets"},
		Mistaken: []string{
			"ik bedoel", "ik bedoelde", "of liever", "of beter gezegd", "beter gezegd", "wacht", "wacht even",
			"nee wacht", "dat wil zeggen", "ik vergis me", "sorry nee", "of nee", "correctie", "ik zeg het verkeerd",
		},
		YesAlone: []string{
			"dat ben ik", "ben ik", "daar spreekt u mee", "spreekt u mee", "dat doe ik", "doe ik", "dat heb ik",
			"heb ik", "dat kan ik", "kan ik", "dat wil ik", "dat wil ik graag", "dat is zo", "zo is het", "goed",
			"heel goed", "perfect", "waar", "dat is waar", "mooi", "fijn", "super", "dat past", "dat schikt",
			"dat komt goed uit", "klinkt goed", "mee eens", "eens",
		},
		NoAlone: []string{
			"onwaar", "dat ben ik niet", "dat doe ik niet", "dat heb ik niet", "heb ik niet", "dat kan ik niet",
			"dat wil ik niet", "dat is niet waar", "nooit", "geen", "geen een", "niets", "niks", "niet",
			"dat past niet",
		},
		Not: []string{"niet", "geen", "zonder", "behalve", "noch"},

		Connectives: []string{"voor", "naar", "over", "tussen", "door", "later", "geen", "onze"},

		Ordinals: [MaxOrdinals][]string{
			{"eerste", "de eerste", "het eerste", "nummer één", "optie één"},
			{"tweede", "de tweede", "het tweede", "nummer twee", "optie twee"},
			{"derde", "de derde", "nummer drie", "optie drie"}, {"vierde", "nummer vier"}, {"vijfde", "nummer vijf"},
			{"zesde", "nummer zes"}, {"zevende", "nummer zeven"}, {"achtste", "nummer acht"},
		},
		Last: []string{"laatste", "de laatste", "het laatste", "laatstgenoemde"},

		Spell:    spellDutch,
		Thousand: []string{"duizend", "eenduizend"},
		Half:     []string{"en een half", "en een halve", "eneenhalf", "enhalf"},
		And:      []string{"en"},
		OutOf:    []string{"van de", "van", "op", "uit", "op de"},
		Minus:    []string{"min"},
		Article:  []string{"een", "één", "eentje", "ene"},
		Vague: []string{
			"een beetje", "een paar", "een ogenblik", "een moment", "een momentje", "een seconde", "een minuut",
			"een andere keer", "de ene", "een vraag", "een stuk", "een aantal", "nog een keer", "een tijdje",
			"een heleboel",
		},
		Counts: map[string]float64{
			"geen": 0, "geen enkele": 0, "geen een": 0, "niets": 0, "niks": 0, "nooit": 0, "helemaal niet": 0,
			"een keer": 1, "eenmaal": 1, "twee keer": 2, "tweemaal": 2, "drie keer": 3, "driemaal": 3,
			"een paar keer": 2, "half": 0.5, "een half": 0.5, "een halve": 0.5, "anderhalf": 1.5, "anderhalve": 1.5,
			"tweeënhalf": 2.5, "tweeënhalve": 2.5, "drieënhalf": 3.5, "vierenhalf": 4.5, "een dozijn": 12,
			"een tiental": 10,
		},
		DecimalComma: true,

		Glad: []string{
			"goed", "heel goed", "prima", "fijn", "mooi", "super", "perfect", "geweldig", "fantastisch", "uitstekend",
			"heerlijk", "blij", "tevreden", "gelukkig", "beter", "vriendelijk", "vriendelijke", "aardig", "aardige",
			"behulpzaam", "lief", "leuk", "hartelijk dank", "top",
		},
		Sad: []string{
			"slecht", "erg slecht", "vreselijk", "verschrikkelijk", "afschuwelijk", "belabberd", "boos", "kwaad",
			"geïrriteerd", "vervelend", "ontevreden", "teleurgesteld", "teleurstellend", "erger", "ergste",
			"slechter", "pijn", "zeer", "probleem", "problemen", "klacht", "klagen", "duizelig", "ziek", "misselijk",
			"schandalig", "brutaal", "oplichting", "oplichterij", "tijdverspilling", "bezorgd", "verdrietig",
		},

		Urge: []string{
			"nee", "ja", "nu", "nou", "meteen", "onmiddellijk", "direct", "eindelijk", "even", "kunt u", "kan u",
			"kun je", "wilt u", "wil je", "u moet", "je moet", "jullie moeten", "ik zei", "ik zeg", "ik zei toch",
			"ik heb gezegd", "ik wil dat u", "ik wil dat je", "ik wil dat jullie", "ok", "oké", "in godsnaam", "hé",
			"ermee", "daarmee", "hiermee", "nu eens",
		},
		StopAlone: []string{
			"stop", "stoppen", "stopt", "stop ermee", "stop daarmee", "stop hiermee", "stop dit", "hou op", "houd op",
			"hou ermee op", "houd ermee op", "ophouden", "schei uit", "genoeg", "afmelden", "meld mij af",
			"meld me af", "uitschrijven", "schrijf mij uit", "schrijf me uit", "laat me met rust",
			"laat mij met rust", "niet meer bellen", "nooit meer bellen", "bel niet", "bel niet meer",
			"geen telefoontjes meer", "verwijder mij", "verwijder me",
		},
		Stop: []string{
			`\b` + call + ` (?:u |je |jullie |alstublieft |alsjeblieft |toch |maar )*(?:` + me +
				` )*(?:alstublieft |alsjeblieft |a u b )*` + never + `\b`,
			`\b(?:mij|me|ons|dit nummer)? ?(?:alstublieft |alsjeblieft )?` + never + ` (?:op )?(?:te )?(?:` + me +
				` )?` + call + `(?:$| (?:alstublieft|alsjeblieft|worden|wordt|aub|dank|op|door|a)\b)`,
			`\b(?:wil|wens|wensen|willen|hoef|moet) (?:[a-z]+ ){0,3}` + never +
				` (?:[a-z]+ ){0,3}(?:worden )?(?:op)?(?:gebeld|bellen|belt|benaderd|gestoord|lastiggevallen|lastig ` +
				`gevallen|gecontacteerd)\b`,
			`\b(?:wil|wens|wensen|willen) (?:ik |wij |we )?niet (?:dat (?:u|je|jullie) (?:mij|me|ons) (?:nog ` +
				`)?(?:belt|bellen|bel|opbelt|benadert)|(?:meer |langer )?(?:op)?gebeld worden|(?:meer |langer ` +
				`)?worden (?:op)?gebeld|(?:meer |langer )?benaderd worden)`,
			`^(?:[a-z]+ )?(?:bel|belt) (?:mij|me|ons|hier|dit nummer) (?:alstublieft |alsjeblieft )?(?:niet|nooit)$`,
			`\b(?:u|je|jullie) (?:mag|mogen|moet|moeten|hoeft|hoeven) (?:mij|me|ons|hier|dit nummer) ` +
				`(?:niet|nooit)(?: meer)?(?: te)? (?:bellen|opbellen|storen|benaderen)$`,
			`\b(?:stop|stopt|stoppen|hou|houd|ophouden) (?:nu |nou |eens |meteen |alstublieft |alsjeblieft |direct ` +
				`|toch )*(?:op )?met (?:al )?(?:(?:mij|me|ons) )?(?:te ` +
				`)?(?:bellen|opbellen|storen|lastigvallen|die|deze|dat|uw|jullie|dit|telefoontjes|gebel)(?: ` +
				calls + `)?\b`,
			`\b(?:wil|wens|willen|hoef) (?:ik |wij |we )?(?:echt )?geen (?:[a-z]+ ){0,2}` + calls + `\b`,
			`\bneemt? (?:u )?(?:geen|nooit|niet) (?:meer |nog )?(?:contact )?(?:meer |nog )?(?:met (?:mij|me|ons) ` +
				`)?op\b`,
			`\b(?:wil|moet) (?:[a-z]+ ){0,2}(?:van|uit) (?:[a-z]+ ){1,2}(?:lijst|bestand|systeem) ` +
				`(?:af|gehaald|verwijderd|worden)\b`,
			`\bgeen ` + calls + ` meer\b`, `\bgeen (?:verdere|nieuwe) ` + calls + `\b`,
			`\b(?:haal|haalt|halen|gooi|gooit) (?:u )?(?:mij|me|ons|mijn (?:telefoon)?nummer|mijn naam|mijn ` +
				`gegevens|dit nummer) (?:[a-z]+ ){0,2}(?:van|uit|weg)\b`,
			`\b(?:verwijder|verwijdert|verwijderen|schrap|wis|wissen) (?:u )?(?:mij|me|ons|mijn ` +
				`(?:telefoon)?nummer|mijn naam|mijn gegevens|dit nummer)\b`,
			`\b(?:mij|me|ons|mijn (?:telefoon)?nummer|mijn naam|mijn gegevens|dit nummer) (?:alstublieft ` +
				`|alsjeblieft |graag )?(?:van|uit) (?:[a-z]+ ` +
				`){0,3}(?:lijst|lijsten|bestand|bestanden|systeem|database) (?:te ` +
				`)?(?:halen|verwijderen|schrappen|gooien|wissen)\b`,
			`\b(?:mijn (?:telefoon)?nummer|mijn gegevens|dit nummer) (?:alstublieft |graag ` +
				`)?(?:verwijderen|wissen|schrappen)\b`,
			`\b(?:schrijf|schrijft|meld|meldt) (?:u )?(?:mij|me|ons) (?:alstublieft |alsjeblieft |dan |nu ` +
				`)?(?:uit|af)\b`, `\b(?:mij|me|ons) (?:alstublieft |graag )?(?:uitschrijven|afmelden|uit te ` +
				`schrijven|af te melden)\b`,
			`\b(?:laat|laten) (?:u )?(?:mij|me|ons) (?:alstublieft |alsjeblieft |nou |nu |toch )*met rust\b`,
		},
		Cues: []string{
			"bel", "gebel", "opbel", "opgebeld", "telefon", "telefoon", "contact", "gecontact", "benad", "stoor",
			"storen", "gestoord", "lastig", "oproep", "verkoop", "reclame", "stop", "hou", "ophou", "haal", "halen",
			"verwijder", "schrap", "wis", "gooi", "schrijf", "uit", "meld", "afmeld", "rust", "neem", "lijst",
			"bestand", "systeem",
		},
		NotStop: []string{
			`\b(?:bel|belt|bellen) (?:[a-z]+ ){0,4}(?:niet|nooit) (?:meer )?(?:[a-z]+ ` +
				`){0,2}(?:voor|na|vandaag|vanavond|vanmiddag|morgen|ochtends|avonds|zo laat|zo vroeg|nu|tussen)\b`,
			`\b(?:niet|nooit) meer (?:vandaag|vanavond|voor|na|zo laat|zo vroeg|nu|morgen|tussen) [a-z0-9 ]*`,
			`\b(?:ik|wij|we|hij|zij|ze|niemand|iemand|men|mijn ` +
				`(?:zoon|dochter|man|vrouw|dokter|huisarts|moeder|vader|broer|zus)|de dokter|de huisarts) (?:heb ` +
				`|heeft |hebben |werd |werden |ben |bent |is |kan |kon |kunnen |mag |durf |zal )(?:[a-z]+ ` +
				`){0,3}(?:niet|nooit)(?: meer)?(?: [a-z]+){0,2} (?:bellen|gebeld|opgebeld|gecontacteerd)\b`,
			`\b(?:hij|zij|ze|niemand|mijn (?:zoon|dochter|man|vrouw|dokter|huisarts|moeder|vader|broer|zus)|de ` +
				`dokter) (?:belt|bellen|belde) (?:[a-z]+ ){0,2}(?:niet|nooit)(?: meer)?\b`,
			`\bik bel (?:[a-z]+ ){0,2}(?:niet|nooit)(?: meer)?\b`,
			`\b(?:stop|stopt|hou|houd|verwijder|haal|wis|schrap) (?:[a-z]+ ){0,4}(?:niet|nooit)\b[a-z ]*`,
			`\b(?:niet|nooit|zonder te|zonder) (?:te ` +
				`)?(?:stoppen|ophouden|verwijderen|uitschrijven|afmelden|schrappen|wissen)\b[a-z ]*`,
			`\b(?:laat|laten) (?:mij|me|ons) niet\b[a-z ]*`, `\b(?:schrijf|meld) (?:mij|me|ons) niet\b[a-z ]*`,
			`\bwachtlijst[a-z]*\b`, `\b(?:bushalte|halte)\b`, `\bmet bellen naar\b`,
		},
	}
}

func spellDutch(n int) []string {
	small := []string{"nul", "", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf",
		"twaalf", "dertien",
		"veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien"}
	tens := []string{"", "", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"}
	switch {
	case n == 1:
		return nil // "een" is also an article
	case n < 20:
		return []string{small[n]}
	case n < 100:
		unit := small[n%10]
		switch n % 10 {
		case 0:
			return []string{tens[n/10]}
		case 1:
			unit = "een"
		}
		all := []string{unit + "en" + tens[n/10], unit + " en " + tens[n/10]} // ë is folded to e
		return all
	}
	heads := []string{small[n/100] + "honderd", small[n/100] + " honderd"}
	if n/100 == 1 {
		heads = []string{"honderd", "eenhonderd"}
	}
	rests := spellDutch(n % 100)
	if n%100 == 1 {
		rests = []string{"een"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{"", " ", "en", " en "}, rests)
}
