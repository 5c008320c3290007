package lexicon

import "time"

// Swedish is the lexicon of Swedish.
func Swedish() Language {
	const (
		ring = `(?:ring|ringa|ringer|ringt|kontakta|kontaktar|höra av er|störa|trakassera)`
		me   = `(?:mig|oss|hit|till mig|till oss|upp mig|upp|det här numret|detta nummer|på det här numret|på ` +
			`detta nummer|till det här numret|mitt nummer)`
		never = `(?:inte mer|inte mera|inte längre|aldrig mer|aldrig mera|aldrig igen|inte igen|aldrig ` +
			`någonsin|någonsin igen)`
		calls = `(?:samtal|säljsamtal|telefonsamtal|reklamsamtal|påringningar|telefonförsäljning|uppringningar)`
		// who answered
		box = `(?:röstbrevlåda(?:n)?|telefonsvarare(?:n)?|mobilsvar|röstmeddelande|brevlåda(?:n)?|voicemail)`
		nu  = `(?:(?:just nu|nu|för tillfället|för närvarande|tyvärr|precis|i dag|idag|tillfälligt|håller på ` +
			`att) )*`
		nar = `(?:senare|i ?morgon|i ?övermorgon|i ?kväll|i ?eftermiddag|en annan (?:gång|dag|tid)|vid ett ` +
			`annat tillfälle|(?:på )?(?:måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag)|nästa vecka|om ` +
			`(?:en|ett|två|tre|fyra|fem|tio|femton|tjugo|trettio|[0-9]+|några|ungefär|cirka|en halv|` +
			`halvannan)|(?:klockan|kl|efter|vid|före|tidigast|runt) (?:ett|två|tre|fyra|fem|sex|sju|åtta|` +
			`nio|tio|elva|tolv|halv|kvart|lunch|jobbet|klockan|[0-9:.]+)|på (?:morgonen|kvällen|` +
			`eftermiddagen)|lite senare|halv [a-z]+|kvart (?:i|över) [a-z]+)`
		han      = `(?:han|hon|min (?:man|fru|mamma|pappa|son|dotter|bror|syster|far|mor)|herr [a-z]+|fru [a-z]+)`
		manniska = `(?:(?:en|någon|riktig|levande|verklig|annan) )*(?:människa|person|handläggare|medarbetare|` +
			`kundtjänst|operatör|riktig person|av kött och blod)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Det här är ett automatiskt samtal. Tryck 9 eller säg stopp när som helst, så ringer vi " +
				"inte dig igen.",
			NotUnderstood: "Ursäkta, det uppfattade jag inte.",
			Goodbye:       "Tack för din tid. Hej då.",
			StillThere:    "Är du kvar?",
			NoAnswer:      "Jag hör dig inte, så jag lägger på nu. Hej då.",
			OptedOut:      "Jag förstår. Vi ringer inte det här numret igen. Hej då.",
			Back:          "Ursäkta, linjen bröts ett ögonblick.",
			MoveOn:        "Det gör inget, vi går vidare.",
			Moment:        "Ett ögonblick, tack.",
			Trouble:       "Ursäkta, vi har ett tekniskt problem, så jag måste lägga på nu. Hej då.",
			Acks:          []string{"Tack.", "Bra."},
			Screening: "Det här är ett automatiskt samtal från {{organization}} till {{name|innehavaren av det " +
				"här numret}}.",
			ScreeningAbout: "Det här är ett automatiskt samtal från {{organization}} till {{name|innehavaren av " +
				"det här numret}} om {{reason}}.",
			Automated: "Jag är en automatisk röst, inte en människa. Det här är ett automatiskt samtal från " +
				"{{organization}}.",
			Declined:    "Det kan jag tyvärr inte prata om.",
			Voicemail:   "Det här är {{agent}} från {{organization}}. Vi försöker igen en annan gång. Hej då.",
			WrongPerson: "Ursäkta att jag störde. Hej då.",
			Deceased:    "Det var tråkigt att höra. Förlåt att vi ringde. Hej då.",
			Minor:       "Tack. Nu lägger jag på. Hej då.",
			Busy:        "Jag förstår. Ursäkta att jag störde. Hej då.",
			CallBack:    "Jag förstår och har noterat det. Hej då.",
			WantsHuman: "Jag är en automatisk röst och kan inte koppla dig vidare. Jag har noterat att du vill " +
				"tala med en människa. Hej då.",
		},
		Filler: []string{"öh", "öhm", "äh", "ähm", "eh", "ehm", "hm", "hmm", "mm", "alltså", "ja alltså", "nja", "tja",
			"jaha", "jo alltså", "låt mig se", "låt mig tänka", "få se", "jag tror", "jag tycker", "skulle jag säga",
			"jag skulle säga", "väl", "nog", "typ", "liksom",
			"cirka", "ungefär", "runt", "kanske runt", "kanske ungefär", "tack", "tack så mycket", "tusen tack",
			"ursäkta", "förlåt", "hör du", "snälla", "vänligen", "så", "och", "men", "ju", "faktiskt", "egentligen",
			"just"},
		Hello: []string{
			"hallå", "hej", "hejsan", "tjena", "god dag", "goddag", "god morgon", "godmorgon", "god kväll",
			"ja hallå", "ja hej",
		},
		Bye: []string{
			"hej då", "hejdå", "adjö", "vi hörs", "vi ses", "ha det bra", "ha det så bra", "ha en bra dag",
			"ha en fin dag", "jag måste gå", "jag måste gå nu", "jag måste sluta", "jag måste lägga på",
			"jag lägger på nu", "jag lägger på",
		},
		Who: []string{
			"vem är det", "vem är det här", "vem är du", "vem talar jag med", "vem pratar jag med",
			"vem är det jag pratar med", "vem ringer", "vem är det som ringer", "vad gäller det",
			"vad handlar det om", "vad är det här", "varifrån ringer du", "var ringer du ifrån",
			"varför ringer du",
		},
		Repeat: []string{"va", "vad", "va sa du", "vad sa du", "vad sade du", "hur sa", "ursäkta", "förlåt",
			"ursäkta mig", "en gång till", "igen", "om igen", "upprepa", "upprepa frågan", "kan du upprepa",
			"kan du upprepa det", "kan du upprepa frågan", "kan du ta det igen", "kan du säga det igen", "säg det igen",
			"ta det igen",
			"jag förstår inte", "jag förstod inte", "det förstod jag inte", "jag hörde inte", "det hörde jag inte",
			"jag hör dig inte", "jag hör inte", "jag hörde inte vad du sa", "jag uppfattade inte",
			"det uppfattade jag inte", "vad menar du", "vad var frågan", "hur var frågan",
			"jag hör ingenting", "jag hör inget", "jag kan inte höra",
		},
		Skip: []string{"vet inte", "jag vet inte", "det vet jag inte", "vet ej", "ingen aning", "jag har ingen aning",
			"har ingen aning", "svårt att säga", "det kan jag inte säga", "det vill jag inte svara på",
			"jag vill inte svara", "jag vill helst inte svara", "det vill jag inte säga",
			"det vill jag helst inte säga", "jag avstår", "inga kommentarer",
			"hoppa över", "nästa fråga", "nästa", "pass", "det har du inte med att göra", "det angår inte dig",
			"jag minns inte", "det minns jag inte", "kommer inte ihåg", "jag kommer inte ihåg", "ingen av dem",
			"inget av dem", "ingetdera", "varken eller"},

		Record: []string{
			`(?:lämna|tala in|prata in|läs in|lämnar) (?:gärna |då |mig |oss |här )*(?:ett|ditt|din) (?:kort ` +
				`)?(?:meddelande|namn|nummer)`,
			`(?:lämna|lämnar) (?:gärna )?namn och`,
			`(?:efter|vid) (?:tonen|pipet|signalen|tonsignalen|ljudsignalen|pip)`,
			`(?:till|är|på) (?:[a-z]+ ){0,2}` + box, box + ` (?:för|hos|till) [a-z0-9]+`,
			`(?:kopplas|kopplats|vidarekopplas|vidarekopplad|kopplad) till (?:[a-z]+ )?` + box,
			`(?:abonnenten|personen|numret|kunden) (?:som )?(?:du )?(?:har |söker |ringer |ringt |försöker |` +
				`slagit |valt )*(?:kan inte|är inte|svarar inte|går inte|har stängt|söker|ringer|ringt)`,
			`kan inte (?:nås|ta emot ditt samtal|ta ditt samtal|besvara ditt samtal|svara på ditt samtal)`,
			`(?:jag|vi) (?:ringer|återkommer|hör av (?:mig|oss)) (?:upp dig |tillbaka |till dig )?(?:så (?:snart|` +
				`fort)|snarast)`,
			`du vet vad du ska göra`,
		},
		Reached: []string{
			`du har (?:kommit|ringt) till`,
			`jag kan ` + nu + `inte (?:svara|ta telefonen|ta samtalet|komma till telefonen)(?: just nu| nu| i ` +
				`telefon| för tillfället)?$`,
			`vi kan ` + nu + `inte (?:svara|ta emot)`,
			`(?:jag|vi) är ` + nu + `(?:inte (?:tillgänglig|anträffbar|nåbar|tillgängliga|hemma just nu))`,
			`(?:är|finns) (?:inte|ej) (?:tillgänglig|anträffbar|nåbar)`,
			`(?:jag|vi) ringer (?:upp dig|tillbaka)(?: senare)?$`,
			`(?:försök|prova) (?:igen|gärna igen|att ringa igen) (?:senare|lite senare)`,
			`ingen är hemma (?:just nu|för tillfället)`,
		},
		Full: []string{
			`(?:` + box + `|minnet)(?: (?:till|för) [a-z]+)? är (?:tyvärr |för tillfället |just nu )?full(?:t|a)?`,
			`(?:kan inte|inga|går inte att) (?:ta emot |lämna |spela in )?(?:fler |nya |några )?meddelanden`,
			`(?:kan inte|går inte att) (?:ta emot|lämna|spela in) (?:fler |nya |några )?meddelanden?`,
			`(?:` + box + `) (?:[a-z]+ ){0,3}(?:inte|ännu inte) (?:[a-z]+ )?(?:aktiverad|inställd|konfigurerad|` +
				`uppsatt|aktiverats|ställts in)`,
			`har (?:inte |ännu inte )(?:aktiverat|ställt in|någon|skaffat) ?(?:sin |någon |en )?` + box,
			`har ingen ` + box, `numret (?:är inte i bruk|har ingen abonnent|finns inte)`, `har ingen abonnent`,
		},
		Screen: []string{
			`(?:namn|vem du är|vem som ringer) (?:, )?och (?:[a-z]+ ){0,3}(?:anledning(?:en)?|ärende|varför|` +
				`orsaken|syftet|vad)`,
			`(?:ange|säg|berätta|uppge) (?:[a-z]+ ){0,2}(?:anledningen|orsaken|ärendet|syftet)`,
			`(?:säg|ange|uppge|spela in) ditt namn$`,
			`vad (?:gäller|är anledningen till|är orsaken till) (?:samtalet|ditt samtal)`,
			`(?:kan du säga|kan du berätta|berätta) varför du ringer`,
		},
		Screener: []string{
			`(?:samtalsfilter|samtalsfiltrering|samtalsgranskning|samtalsscreening|filtrerar samtal|call screening)`,
			`(?:virtuella|digitala|personliga|google|truecaller) ?(?:assistenten?|assistents?)`,
			`(?:virtuell|digital|personlig) assistent`,
			`(?:kollar|ser|kontrollerar|undersöker) (?:jag )?(?:efter )?om (?:[a-z]+ ){1,3}(?:är )?(?:tillgänglig|` +
				`kan svara|anträffbar)`,
			`(?:får|kommer att få) en (?:kopia|utskrift) av (?:det här |detta )?samtalet`,
			`(?:stanna|stanna kvar|vänta) (?:kvar )?(?:på linjen|i luren) (?:medan|tills|,)`,
			`tack (?:, )?(?:stanna kvar|vänta kvar|var god dröj)`,
		},
		Menu: []string{
			`(?:tryck|slå|välj|knappa in|trycker du|tryck på) (?:på )?(?:knapp |siffra )?(?:[0-9]|noll|ett|två|` +
				`tre|fyra|fem|sex|sju|åtta|nio|stjärna|fyrkant)(?: |$)`,
			`alla (?:våra )?(?:handläggare|medarbetare|agenter|linjer) är (?:[a-z]+ )?(?:upptagna|upptagen)`,
			`(?:nästa|första) lediga (?:handläggare|medarbetare|agent)`, `ditt samtal är viktigt`,
			`(?:samtalet|samtal) (?:kan komma att |kan |kommer att )(?:spelas in|bli inspelat)`,
			`(?:huvudmenyn|våra öppettider|öppettiderna är|telefontid|plats i kön|könummer|lyssna noga)`,
			`du (?:är|har) (?:nu )?(?:placerad i kö|plats nummer|nummer)`,
		},
		Hold: []string{
			`^(?:(?:ja|okej|ok|hej|jo|jaha) (?:, )?)*(?:ett|vänta ett|bara ett) (?:ögonblick|litet ögonblick|` +
				`tag)(?: (?:, )?(?:tack|bara|snälla))*$`,
			`^(?:(?:ja|okej|ok|hej|jo|jaha) (?:, )?)*(?:en|vänta en|bara en) (?:sekund|minut|liten stund|` +
				`stund)(?: (?:, )?(?:tack|bara|snälla))*$`,
			`^(?:(?:ja|okej|ok|hej|jo|jaha) (?:, )?)*(?:vänta|vänta lite|häng kvar|dröj|var god dröj|var god ` +
				`vänta|håll|stanna kvar|vänta kvar|vänta ett tag)(?: (?:, )?(?:tack|lite|lite grann|snälla|ett ` +
				`ögonblick|en sekund|är du snäll))*$`,
			`(?:jag )?(?:ska |går och )?(?:hämtar|hämta|ropar på|ropa på) (?:honom|henne|min [a-z]+)`,
			`(?:jag )?(?:kopplar|ska koppla) (?:dig|vidare)`,
			`(?:du ska få|du får|här får du|jag ger dig) (?:prata med|tala med|honom|henne)`,
			`(?:jag )?(?:ska )?(?:kolla|kollar|se|ser|titta|tittar) (?:efter )?om (?:han|hon) är (?:hemma|här|` +
				`inne|ledig)`,
			`(?:han|hon) kommer (?:nu|strax)$`,
			`^(?:snälla )?(?:lägg inte på|lägg ej på|lägg inte på luren)$`,
		},

		WrongPerson: []string{
			`(?:fel) (?:nummer|person|telefonnummer)`, `(?:du har|ni har) (?:ringt|kommit|hamnat|slagit) fel`,
			`(?:finns|bor|jobbar) (?:det )?ingen (?:här )?(?:, )?(?:med det namnet|som heter|vid det namnet)`,
			`här bor (?:det )?ingen [a-z]+$`, `ingen (?:här )?(?:som heter|med det namnet)`,
			`(?:bor|jobbar) inte (?:kvar |längre )?(?:här|kvar)`,
			`(?:jag |vi )?känner (?:jag )?(?:inte|ingen) (?:den personen|någon|honom|henne|som heter|[a-z]+ som ` +
				`heter|med det namnet)`,
			`(?:det|det här|detta) är inte (?:längre )?(?:hans|hennes) (?:nummer|telefon|mobil)(?: längre)?`,
			`(?:det|jag) är inte (?:jag|den du|den ni|personen du)`, han + ` har flyttat`,
			`jag har (?:precis |nyss )?(?:fått|haft) det här numret`,
		},
		Deceased: []string{
			han + ` (?:är|har|gick|finns|avled|dog) (?:[a-z]+ ){0,3}(?:död|avliden|avlidit|dött|gått bort|bort|` +
				`gick bort|inte längre|inte kvar i livet|ur tiden)$`,
			han + ` (?:har )?(?:tyvärr |nyligen |precis )?(?:dog|avled|avlidit|gått bort|gick bort|dött)`,
			han + ` (?:lever|finns) (?:tyvärr )?inte (?:längre|mer)`, han + ` är (?:tyvärr )?(?:död|avliden)`,
			`(?:vi|jag) (?:har )?(?:begravde|begravt|förlorade|förlorat|mist|miste) (?:honom|henne)`,
			`(?:hans|hennes) begravning`,
			`^(?:(?:nej|tyvärr) (?:, )?)*(?:avliden|har gått bort|gick bort)(?: [a-z]+)*$`,
		},
		Minor: []string{
			`(?:min |mina )?(?:mamma|pappa)(?: och (?:pappa|mamma))? (?:är (?:inte hemma|inte här|på jobbet|ute|i ` +
				`duschen|upptagen)|sover|duschar|jobbar|lagar mat)`,
			`mina föräldrar (?:är|sover|jobbar)`,
			`jag är (?:(?:bara|nästan|ju) )*(?:[3-9]|1[0-5]|tre|fyra|fem|sex|sju|åtta|nio|tio|elva|tolv|tretton|` +
				`fjorton|femton)(?: år(?: gammal)?)?$`,
			`jag är (?:bara |ju )?(?:ett barn|barn)`,
			`jag får inte (?:prata|tala|svara) (?:med|i) (?:främlingar|okända|främmande|telefon)`,
			`(?:vill du|ska jag|vill ni) (?:prata med |tala med |hämta )?(?:min )?(?:mamma|pappa)`,
		},
		Busy: []string{
			`jag (?:sitter|står|är|kör|håller) ` + nu + `(?:i (?:bilen|möte|ett möte|en lektion|ett samtal|tåget|` +
				`ett annat samtal)|på (?:jobbet|möte|ett möte|väg|bussen|tåget|bio|sjukhuset|gymmet)|hos ` +
				`(?:läkaren|tandläkaren|doktorn)|på att (?:äta|jobba|laga mat|köra)|mitt (?:i|uppe)|bakom ratten|` +
				`och (?:kör|äter|jobbar)|upptagen i)`,
			`jag (?:kör|äter|jobbar)(?: bil)?(?: (?:just nu|nu|precis))?$`,
			`(?:jag )?(?:kan|hinner|har inte möjlighet att) (?:jag )?` + nu + `(?:inte )?(?:prata|tala)(?: ` +
				`(?:just nu|nu|i telefon))*$`,
			`(?:jag )?(?:kan|hinner) (?:jag )?inte (?:prata|tala|med det|just nu)(?: (?:just nu|nu))*$`,
			`(?:det )?passar (?:det )?(?:mig )?(?:inte |dåligt |illa |så |bra )*(?:just nu|nu|för tillfället)$`,
			`(?:just nu|nu) passar det (?:mig )?(?:inte|dåligt)`,
			`(?:dåligt|fel|inget bra|inte ett bra|inte rätt|inte något bra|olämpligt) (?:tillfälle|läge|tidpunkt)`,
			`(?:jag )?har ` + nu + `(?:inte|ingen) tid(?: (?:nu|just nu|för det här))*$`,
			`^(?:(?:nej|ja|hej|förlåt|ursäkta|tyvärr) (?:, )?)*jag (?:är|har) ` + nu + `(?:lite |väldigt |` +
				`jätte)?(?:upptagen|stressad|bråttom|fullt upp)(?: (?:nu|just nu))*$`,
			`(?:jag )?(?:måste|ska precis|ska just) (?:gå|iväg|åka|sticka)(?: nu)?$`,
		},
		GoAhead: []string{
			`(?:men )?(?:om det går fort|om det går snabbt|kör på|fråga på|säg till|sätt igång|snabbt bara)`,
			`jag har (?:en minut|ett par minuter|några minuter|fem minuter)`,
		},
		CallBack: []string{
			`(?:ring|ringer|hör av dig|hör av er|försök|prova|återkom)(?: (?:mig|oss|upp|tillbaka|gärna|snälla|då|` +
				`igen|hellre|honom|henne|istället))* ` + nar,
			`ring (?:mig |upp mig )?(?:igen|tillbaka)(?: tack)?$`,
			`(?:kan du|kan ni|kunde du|skulle du kunna|vill du|du kan|du får|du kan få|ni får) (?:snälla |gärna ` +
				`)?(?:ringa|återkomma|höra av dig)(?: (?:mig|upp|upp mig|tillbaka|igen))*(?: ` + nar + `|$)`,
			`(?:kan vi|ska vi|får vi|låt oss) (?:prata|tala|höras|ta det|ta detta)(?: ` + nar + `)`,
			`(?:vi )?(?:hörs|hellre|bättre) ` + nar + `$`,
			`ring (?:mig |oss )?inte (?:före|innan|så tidigt|så sent|nu)`,
			han + ` (?:är|kommer) (?:hem|hemma|tillbaka|åter|inne)? ?` + nar,
			`jag (?:är|kommer) (?:hem|hemma|ledig|tillbaka|nåbar) (?:först )?` + nar,
			`ge mig (?:en|tio|tjugo|[0-9]+|ett par) (?:timme|minuter|halvtimme)`,
			`(?:ring|ringa|ringer|försök)(?: [a-z]+){0,3} mellan`,
		},
		WantsHuman: []string{
			`(?:prata|tala|snacka|få tala|få prata|bli kopplad|kopplas|koppla mig) (?:med |till )` + manniska,
			`(?:jag )?(?:vill|vill ha|föredrar|behöver|skulle vilja ha) (?:hellre )?` + manniska + `$`,
			`finns det (?:någon )?` + manniska,
			`(?:pratar|talar|vill inte prata|vill inte tala) (?:jag )?(?:inte )?med (?:en )?(?:robotar|robot|` +
				`maskiner|maskin|datorer|dator|telefonsvarare|automater)`,
			`^(?:(?:nej|en|tack) (?:, )?)*(?:handläggare|människa|operatör|kundtjänst|riktig person|kundservice|` +
				`växeln)(?: (?:, )?tack)?$`,
			`(?:riktig|levande) (?:människa|person)`,
		},
		Robot: []string{
			`(?:är du|är det|är det här|är detta|talar jag med|pratar jag med) (?:bara |verkligen |` +
				`egentligen |en |ett |riktig |riktigt |äkta |levande |verklig |automatisk )*(?:robot|bot|` +
				`maskin|dator|inspelning|ai|artificiell intelligens|datorröst|röst|människa|person)`,
		},
		Speak: []string{
			`(?:talar|pratar|kan|förstår) (?:du|ni|någon) (?:också )?{l}`,
			`(?:kan|får) (?:vi|du|jag|ni) (?:tala|prata|ta det|fortsätta)(?: på)? {l}`,
			`(?:talar|pratar) bara {l}`,
			`^på {l}$`,
			`^(?:på )?{l} tack$`,
		},
		NotSpoken: []string{
			`(?:talar|pratar|förstår|kan) (?:jag )?(?:inte|ingen) (?:så bra )?{l}`,
		},
		Names: map[string][]string{
			"en": {"engelska"}, "cs": {"tjeckiska"}, "da": {"danska"}, "de": {"tyska"}, "el": {"grekiska"},
			"es": {"spanska"}, "fr": {"franska"}, "it": {"italienska"}, "nb": {"norska"},
			"nl": {"nederländska", "holländska"}, "pl": {"polska"}, "pt": {"portugisiska"}, "ro": {"rumänska"},
			"sv": {"svenska"}, "tr": {"turkiska"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"en timme": time.Hour, "en timma": time.Hour, "en halvtimme": 30 * time.Minute,
				"en halvtimma": 30 * time.Minute, "halvtimme": 30 * time.Minute, "en halv timme": 30 * time.Minute,
				"en och en halv timme": 90 * time.Minute, "halvannan timme": 90 * time.Minute,
				"en kvart": 15 * time.Minute, "tre kvart": 45 * time.Minute, "några minuter": 10 * time.Minute,
				"ett par minuter": 5 * time.Minute, "ett par timmar": 2 * time.Hour, "några timmar": 3 * time.Hour,
				"en dag": 24 * time.Hour, "ett par dagar": 2 * 24 * time.Hour, "några dagar": 3 * 24 * time.Hour,
				"en vecka": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minut": time.Minute, "minuter": time.Minute, "timme": time.Hour, "timmar": time.Hour,
				"dag": 24 * time.Hour, "dagar": 24 * time.Hour, "vecka": 7 * 24 * time.Hour,
				"veckor": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"i dag": 0, "idag": 0, "i morgon": 1, "imorgon": 1, "i övermorgon": 2, "övermorgon": 2,
				"nästa vecka": 7, "nästa månad": 30,
			},
			Weekdays: [7][]string{
				{"söndag", "söndagen"}, {"måndag", "måndagen"}, {"tisdag", "tisdagen"}, {"onsdag", "onsdagen"},
				{"torsdag", "torsdagen"}, {"fredag", "fredagen"}, {"lördag", "lördagen"},
			},
			Parts: map[string]int{
				"bitti": 9, "morse": 9, "förmiddag": 9, "förmiddagen": 9, "på morgonen": 9, "lunch": 12,
				"efter lunch": 13, "eftermiddag": 14, "eftermiddagen": 14, "kväll": 18, "ikväll": 18, "kvällen": 18,
				"efter jobbet": 18,
			},
			Between: []string{"mellan", "mellan klockan"},
			At: []string{
				"klockan är", "klockan", "kl", "efter", "vid", "före", "runt", "innan", "från", "tidigast",
				"efter klockan", "vid klockan", "före klockan", "till",
			},
			AM: []string{"på morgonen", "på förmiddagen"},
			PM: []string{"på eftermiddagen", "på kvällen"},
			Before: map[string]int{
				"halv": -30, "kvart över": 15, "kvart i": -15, "fem över": 5, "tio över": 10, "fem i": -5, "tio i": -10,
				"tjugo i": -20, "fem i halv": -35, "fem över halv": -25,
			},
			Months: [12][]string{
				{"januari"}, {"februari"}, {"mars"}, {"april"}, {"maj"}, {"juni"}, {"juli"}, {"augusti"},
				{"september"}, {"oktober"}, {"november"}, {"december"},
			},
			MonthDays: [31][]string{
				{"första"}, {"andra"}, {"tredje"}, {"fjärde"}, {"femte"}, {"sjätte"}, {"sjunde"}, {"åttonde"},
				{"nionde"}, {"tionde"}, {"elfte"}, {"tolfte"}, {"trettonde"}, {"fjortonde"}, {"femtonde"},
				{"sextonde"}, {"sjuttonde"}, {"artonde"}, {"nittonde"}, {"tjugonde"}, {"tjugoförsta"},
				{"tjugoandra"}, {"tjugotredje"}, {"tjugofjärde"}, {"tjugofemte"}, {"tjugosjätte"},
				{"tjugosjunde"}, {"tjugoåttonde"}, {"tjugonionde"}, {"trettionde"}, {"trettioförsta"},
			},
			OfMonth:  []string{"i"},
			Past:     map[string]int{"i går": 1, "igår": 1, "i förrgår": 2, "förrgår": 2},
			Ago:      []string{"sedan", "sen"},
			Previous: []string{"förra", "i förra", "senaste"},
		},
		Spelling: Spelling{
			At:         []string{"snabel a", "snabela", "at", "krull alfa"},
			Dot:        []string{"punkt"},
			Dash:       []string{"bindestreck", "streck", "minus"},
			Underscore: []string{"understreck", "underscore"},
			Before:     []string{"är", "mejl", "mail", "e post", "epost", "adress", "adressen", "mejladress"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dubbel": 2},
		},

		Harmless: []string{
			`(?:dog|dött|död) av (?:skratt|hunger|tristess|skam|trötthet)`,
			`död ?(?:trött|hungrig)`,
			`(?:nästan|halvt) (?:död|dött|dog)`,
			`(?:vad är|vilket är|vilket) (?:det )?(?:fel|felaktiga) (?:nummer|numret)`,
		},
		Ages: []string{"gammal", "ålder", "år"},
		Aside: []string{
			"han är inte här", "hon är inte här", "han är inte hemma", "hon är inte hemma", "det är inte hon",
			"det är inte han", "det är inte henne", "jag hör inte", "jag hör dig inte", "jag hör ingenting",
			"jag hör inget", "jag kan inte höra",
		},
		Yes: []string{"ja", "jo", "japp", "jajamän", "jajamensan", "jadå", "jodå", "ja då", "jo då", "ja tack",
			"jo tack", "ja gärna", "gärna", "mycket gärna", "självklart", "naturligtvis", "klart", "såklart",
			"ja visst", "javisst", "visst", "absolut", "definitivt", "säkert", "helt säkert", "okej", "okay", "ok",
			"det går bra", "går bra", "det är okej",
			"rätt", "det är rätt", "det stämmer", "stämmer", "stämmer bra", "det är korrekt", "korrekt", "precis",
			"just det", "exakt", "inga problem", "inget problem", "det är inga problem", "varför inte", "det tror jag",
			"jag tror det", "utan tvekan", "varsågod", "överens", "med nöje", "mhm", "mm hm"},
		No: []string{"nej", "nä", "nää", "nej tack", "nej då", "nejdå", "nej nej", "inte alls", "absolut inte",
			"verkligen inte", "självklart inte", "naturligtvis inte", "inte direkt", "inte riktigt", "inte än",
			"inte ännu", "inte nu", "inte idag", "aldrig i livet", "på inga villkor", "under inga omständigheter",
			"det tror jag inte", "jag tror inte det", "jag tror inte", "tyvärr inte", "inte intresserad",
			"jag är inte intresserad",
			"det är fel", "fel", "det är inte rätt", "det stämmer inte", "stämmer inte", "inte korrekt", "fel nummer",
			"helst inte", "negativt", "icke"},
		Unsure: []string{
			"kanske", "möjligen", "möjligtvis", "eventuellt", "kan vara", "det kan vara", "kanske inte", "vet inte",
			"jag vet inte", "det vet jag inte", "inte säker", "jag är inte säker", "jag är osäker", "osäker",
			"det beror på", "beror på", "det är olika", "ibland", "både och", "ja och nej", "mer eller mindre",
			"så där", "sådär", "svårt att säga", "jag minns inte", "ingen aning",
		},
		Hint: []string{"inte", "ingen", "inget", "inga", "aldrig"},
		Mistaken: []string{
			"jag menar", "jag menade", "eller rättare sagt", "rättare sagt", "eller snarare", "snarare", "vänta",
			"nej vänta", "det vill säga", "jag sa fel", "förlåt nej", "eller nej", "fel av mig",
		},
		YesAlone: []string{
			"det gör jag", "det har jag", "det är jag", "det kan jag", "det vill jag", "det vill jag gärna",
			"det gjorde jag", "det är det", "ja det är jag", "det är hon", "det är han", "det är jag själv", "sant",
			"bra", "mycket bra", "jättebra", "toppen", "perfekt", "det passar", "det passar bra", "det låter bra",
			"har jag", "kan jag", "jag håller med",
		},
		NoAlone: []string{
			"falskt", "det gör jag inte", "det har jag inte", "det är jag inte", "det kan jag inte",
			"det vill jag inte", "det gjorde jag inte", "det är det inte", "aldrig", "ingen", "inget", "inga",
			"ingenting", "inte", "det passar inte",
		},
		Not: []string{"inte", "utan", "ingen", "inget", "inga", "varken", "ej"},

		Connectives: []string{"eller", "efter", "innan", "före", "under", "från", "med", "till"},

		Ordinals: [MaxOrdinals][]string{
			{"första", "den första", "det första", "nummer ett", "alternativ ett"},
			{"andra", "den andra", "det andra", "nummer två", "alternativ två"},
			{"tredje", "den tredje", "nummer tre", "alternativ tre"}, {"fjärde", "nummer fyra"},
			{"femte", "nummer fem"}, {"sjätte", "nummer sex"}, {"sjunde", "nummer sju"}, {"åttonde", "nummer åtta"},
		},
		Last: []string{"sista", "den sista", "det sista", "den sistnämnda"},

		Spell:    spellSwedish,
		Thousand: []string{"tusen", "ett tusen", "ettusen", "etttusen"},
		Half:     []string{"och en halv", "och ett halvt", "en halv"},
		And:      []string{"och"},
		OutOf:    []string{"av"},
		Minus:    []string{"minus"},
		Article:  []string{"en", "ett"},
		Vague: []string{
			"ett ögonblick", "en stund", "lite", "litet", "lite grann", "ett par stycken", "en annan gång", "den ena",
			"en sekund", "en minut", "en del", "en gång till", "en massa", "någon",
		},
		Counts: map[string]float64{
			"ingen": 0, "inget": 0, "inga": 0, "ingenting": 0, "aldrig": 0, "inte alls": 0, "en gång": 1,
			"två gånger": 2, "tre gånger": 3, "ett par": 2, "ett par gånger": 2, "en halv": 0.5, "ett halvt": 0.5,
			"en och en halv": 1.5, "ett och ett halvt": 1.5, "ett dussin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"bra", "jättebra", "mycket bra", "fint", "toppen", "perfekt", "skönt", "underbart", "fantastiskt",
			"utmärkt", "glad", "nöjd", "bättre", "vänlig", "vänliga", "trevlig", "trevliga", "trevligt", "hjälpsam",
			"hjälpsamma", "snäll", "snälla människor", "tack så hemskt mycket", "kanon",
		},
		Sad: []string{
			"dåligt", "dålig", "illa", "hemskt", "förfärligt", "fruktansvärt", "uselt", "arg", "irriterad",
			"irriterande", "missnöjd", "besviken", "ledsen", "upprörd", "värre", "värst", "smärta", "smärtor", "ont",
			"gör ont", "problem", "klaga", "klagomål", "yr", "sjuk", "jobbigt", "oförskämt", "bedrägeri",
			"slöseri med tid", "orolig",
		},

		Urge: []string{
			"nej", "ja", "nu", "nu räcker det", "genast", "omedelbart", "med en gång", "bara", "kan du", "kan ni",
			"vill du", "skulle du kunna", "du ska", "ni ska", "ni måste", "jag sa", "jag säger", "jag sa ju",
			"jag vill att du", "jag vill att ni", "okej", "ok", "för guds skull", "hej", "det här", "med det här",
			"med det",
		},
		StopAlone: []string{
			"stopp", "stop", "stoppa", "sluta", "sluta nu", "sluta med det", "sluta med det här", "stoppa det här",
			"lägg av", "avregistrera", "avregistrera mig", "avanmäl", "avanmäl mig", "avsluta prenumerationen",
			"ta bort mig", "lämna mig ifred", "lämna mig i fred", "ring inte", "ring inte mer", "inga fler samtal",
			"inga mer samtal",
		},
		Stop: []string{
			`\b` + ring + ` (?:snälla |bara |nu )*(?:` + me + ` )*` + never + `\b`,
			`\b` + ring + ` (?:snälla |bara |nu )*` + never + `\b`,
			`\b` + ring + ` (?:snälla )?(?:inte|aldrig) (?:` + me +
				` ?)+(?:$|mer\b|mera\b|igen\b|någonsin\b|längre\b|tack\b)`,
			`\b` + ring + ` (?:` + me + ` )+(?:inte|aldrig)$`,
			`\b(?:får|ska|skall|behöver) (?:ni |du )?(?:aldrig|inte) ` + ring + ` (?:` + me +
				` ?)+(?:$|mer\b|mera\b|igen\b|någonsin\b|längre\b)`,
			`\b(?:sluta|slutar|upphör|lägg av) (?:nu |genast |snälla )*(?:med )?(?:att )?(?:` + ring +
				`|de här |dessa |era |alla |det här )+(?:` + calls + `|samtalen|` + me + `)?`,
			`\bstoppa (?:alla |de här |dessa |era )*(?:` + calls + `|samtalen|påringningarna)\b`,
			`\b(?:vill|önskar|orkar) (?:jag )?(?:inte|aldrig) (?:längre )?(?:bli |ha |få )?(?:att (?:du|ni) ` + ring +
				`|uppringd|kontaktad|störd|ringd|fler ` + calls + `|mer ` + calls + `|era ` + calls + `|sådana ` +
				calls + `|såna ` + calls + `|dessa ` + calls + `)`,
			`\b(?:aldrig|inte) (?:mer |längre )?(?:bli |vill bli )(?:uppringd|kontaktad|ringd|störd)\b`,
			`\bvill inte ha (?:fler |mer |några fler |era |dessa |sådana |såna )?` + calls + `\b`,
			`^(?:nej |snälla |och |men )?stör (?:mig|oss|inte|aldrig)(?: (?:mig|oss|inte|aldrig|mer|igen|längre))*$`,
			`\bhör (?:inte|aldrig) av (?:er|dig)(?:$| (?:till (?:mig|oss)|mer|mera|igen|någonsin|längre)\b)`,
			`\binga (?:fler|mer|flera) ` + calls + `\b`,
			`\b(?:ta bort|radera|stryk|plocka bort) (?:mig|oss|mitt nummer|mitt namn|mitt telefonnummer|det här ` +
				`numret|detta nummer|mina uppgifter)\b`,
			`\b(?:avregistrera|avanmäla|avanmäl) (?:mig|oss|mitt nummer)\b`,
			`\b(?:lämna|låt) (?:mig|oss) (?:vara )?(?:nu )?(?:i fred\b|ifred\b|vara$)`,
		},
		Cues: []string{
			"ring", "kontakt", "hör", "stör", "trakass", "samtal", "säljsamtal", "telefon", "reklam", "påring",
			"uppring", "sluta", "upphör", "lägg", "stoppa", "bort", "radera", "stryk", "avreg", "avanm", "lämna",
			"låt",
		},
		NotStop: []string{
			`\b(?:ring|ringa|ringer|kontakta) (?:[a-z]+ ){0,3}(?:inte|aldrig) (?:mer |igen )?(?:[a-z]+ ` +
				`){0,3}(?:före|innan|efter|idag|i dag|ikväll|i kväll|imorgon|i morgon|på morgonen|på kvällen|på ` +
				`förmiddagen|så sent|så tidigt|just nu|nu)\b`,
			`\b(?:jag|vi|han|hon|de|dom|någon|ingen|man|min [a-z]+|mina [a-z]+) (?:har |kan |kunde |vill |får |ska ` +
				`)?(?:aldrig |inte )?(?:ringer|ringde|ringt|kontaktar|kontaktade|ringa) (?:[a-z]+ ` +
				`){0,3}(?:inte|aldrig)? ?(?:mer|igen|längre)?`,
			`\b(?:inte|aldrig|utan att|låt bli att|du ska inte|ni ska inte) ` +
				`(?:sluta|stoppa|avregistrera|avanmäla|ta bort|radera|stryka|lämna|lägga av)(?: [a-z]+)*`,
			`\b(?:sluta|stoppa) (?:inte|aldrig)\b[a-z ]*`, `\b(?:ta|plocka) inte bort\b[a-z ]*`,
			`\bradera inte\b[a-z ]*`, `\b(?:avregistrera|avanmäl|lämna) (?:inte|mig inte|oss inte)\b[a-z ]*`,
			`\b(?:väntelista|kölista|hållplats|busshållplats)[a-z]*\b`,
		},
	}
}

func spellSwedish(n int) []string {
	small := []string{"noll", "", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "elva", "tolv",
		"tretton",
		"fjorton", "femton", "sexton", "sjutton", "arton", "nitton"}
	tens := []string{"", "", "tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio"}
	spoken := []string{"", "", "tjugo", "tretti", "fyrti", "femti", "sexti", "sjutti", "åtti", "nitti"}
	switch {
	case n == 1:
		return nil // "en" and "ett" are also articles
	case n < 20:
		return []string{small[n]}
	case n < 100:
		units := []string{small[n%10]}
		switch n % 10 {
		case 0:
			units = []string{""}
		case 1:
			units = []string{"ett", "en"}
		}
		var all []string
		for _, unit := range units {
			all = append(all, tens[n/10]+unit, tens[n/10]+" "+unit, spoken[n/10]+unit)
		}
		return all
	}
	heads := []string{small[n/100] + " hundra", small[n/100] + "hundra"}
	if n/100 == 1 {
		heads = []string{"hundra", "ett hundra", "etthundra"}
	}
	rests := spellSwedish(n % 100)
	if n%100 == 1 {
		rests = []string{"ett", "en"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{"", " ", " och "}, rests)
}
