package lexicon

import "time"

// German is the lexicon of German.
func German() Language {
	const (
		// who answered
		box   = `(?:anrufbeantworter|mailbox|mobilbox|sprachbox|voicemail|combox|sprachmailbox)`
		jetzt = `(?:(?:gerade|zurzeit|zur zeit|im moment|momentan|derzeit|jetzt|leider|aktuell|grad|heute|` +
			`persönlich|auch) )*`
		wann = `(?:später|morgen|übermorgen|heute (?:abend|nachmittag|mittag)|(?:am|nächsten|kommenden) ` +
			`(?:(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)(?:morgen|` +
			`vormittag|nachmittag|abend)?|vormittag|nachmittag|abend|wochenende)|nächste woche|in ` +
			`(?:[a-z]+ )?(?:[a-z0-9]+) (?:minuten?|stunden?|tagen?|wochen?)|(?:nicht )?(?:um|nach|ab|` +
			`gegen|vor) [a-z0-9:.]+|ein (?:andermal|anderes mal|andres mal|anderen tag)|wann anders|zu ` +
			`einem (?:anderen|späteren) zeitpunkt|nochmals?|noch (?:mal|einmal)|wieder|erneut)`
		er = `(?:er|sie|der|die|der herr|die frau|mein(?:e)? (?:mann|frau|vater|mutter|sohn|tochter|bruder|` +
			`schwester|opa|oma)|(?:herr|frau) [a-z]+)`
		mensch = `(?:(?:einem|einen|nem|nen|einer|eine|mit|echten|richtigen|lebenden|menschlichen|echter|echte|` +
			`richtige) )+(?:menschen?|mitarbeiter(?:in)?|person|berater(?:in)?|kollegen|kollegin|` +
			`sachbearbeiter(?:in)?)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dies ist ein automatischer Anruf. Drücken Sie jederzeit die 9 oder sagen Sie Stopp, " +
				"dann rufen wir Sie nicht mehr an.",
			NotUnderstood: "Entschuldigung, das habe ich nicht verstanden.",
			Goodbye:       "Vielen Dank für Ihre Zeit. Auf Wiederhören.",
			StillThere:    "Sind Sie noch da?",
			NoAnswer:      "Ich kann Sie leider nicht hören und lege jetzt auf. Auf Wiederhören.",
			OptedOut:      "Ich habe verstanden. Wir rufen diese Nummer nicht mehr an. Auf Wiederhören.",
			Back:          "Entschuldigung, die Verbindung war kurz unterbrochen.",
			MoveOn:        "Kein Problem, machen wir weiter.",
			Moment:        "Einen Moment, bitte.",
			Trouble: "Entschuldigung, wir haben ein technisches Problem, deshalb muss ich jetzt auflegen. Auf " +
				"Wiederhören.",
			Acks:      []string{"Danke.", "In Ordnung."},
			Screening: "Dies ist ein automatischer Anruf von {{organization}} für {{name|den Inhaber dieser Nummer}}.",
			ScreeningAbout: "Dies ist ein automatischer Anruf von {{organization}} für {{name|den Inhaber dieser " +
				"Nummer}}. Es geht um {{reason}}.",
			Automated: "Ich bin eine automatische Stimme, kein Mensch. Dies ist ein automatischer Anruf von " +
				"{{organization}}.",
			Declined:    "Darüber kann ich leider nicht sprechen.",
			Voicemail:   "Hier ist {{agent}} von {{organization}}. Wir versuchen es ein andermal wieder. Auf Wiederhören.",
			WrongPerson: "Entschuldigen Sie die Störung. Auf Wiederhören.",
			Deceased:    "Das tut mir sehr leid. Bitte entschuldigen Sie den Anruf. Auf Wiederhören.",
			Minor:       "Danke. Ich lege jetzt auf. Tschüss.",
			Busy:        "Ich verstehe. Entschuldigen Sie die Störung. Auf Wiederhören.",
			CallBack:    "Ich verstehe und habe das notiert. Auf Wiederhören.",
			WantsHuman: "Ich bin eine automatische Stimme und kann Sie nicht verbinden. Ich habe notiert, dass " +
				"Sie mit einem Menschen sprechen möchten. Auf Wiederhören.",
		},
		Filler: []string{"äh", "ähm", "hm", "hmm", "mhm", "öh", "ach", "also", "na", "na ja", "naja", "tja", "nun",
			"bitte", "danke", "vielen dank", "ich glaube", "ich denke", "ich meine mal",
			"sagen wir", "würde ich sagen", "mal sehen", "moment", "einen moment", "entschuldigung", "hören sie",
			"wissen sie", "halt", "eben", "und", "aber", "doch mal", "so", "ungefähr", "etwa", "wohl", "eigentlich",
			"wahrscheinlich"},
		Hello:   []string{"hallo", "guten tag", "guten morgen", "guten abend", "grüß gott", "moin", "servus", "tag"},
		Parting: []string{"servus"},
		Bye: []string{
			"tschüss", "tschüs", "ciao", "auf wiederhören", "auf wiedersehen", "wiederhören", "bis dann",
			"schönen tag noch", "ich muss los", "ich muss auflegen",
		},
		Who: []string{
			"wer ist da", "wer spricht da", "wer spricht", "wer sind sie", "wer ist das", "worum geht es",
			"um was geht es", "worum geht's", "wer ruft an", "von wo rufen sie an",
		},
		Repeat: []string{"was", "wie", "wie bitte", "was bitte", "bitte", "entschuldigung", "nochmal", "noch mal",
			"noch einmal", "bitte noch einmal", "wiederholen", "wiederholen sie", "wiederholen sie das",
			"können sie das wiederholen", "könnten sie das wiederholen",
			"können sie das bitte wiederholen", "was haben sie gesagt", "das habe ich nicht verstanden",
			"ich habe sie nicht verstanden", "ich habe das nicht verstanden", "ich verstehe nicht",
			"ich verstehe sie nicht", "ich kann sie nicht hören", "was meinen sie", "sagen sie das noch mal",
			"wie war die frage",
			"ich höre nichts", "ich höre sie nicht", "ich höre dich nicht", "ich kann nichts hören",
			"ich höre sie schlecht",
		},
		Skip: []string{
			"weiß nicht", "weiß ich nicht", "ich weiß nicht", "ich weiß es nicht", "keine ahnung",
			"kann ich nicht sagen", "möchte ich nicht sagen", "will ich nicht sagen", "keine angabe", "überspringen",
			"nächste frage", "weiter", "geht sie nichts an", "schwer zu sagen", "keine von beiden", "keins davon",
			"weder noch",
		},

		Record: []string{
			`hinterlass(?:en sie|en|e|t)? (?:mir |uns |ihm |ihr |bitte |einfach |doch |gerne )*(?:eine|ihre|deine|` +
				`eure|ihren|deinen) (?:kurze )?(?:nachricht|mitteilung|namen|telefonnummer|nummer|rufnummer)`,
			`(?:können sie|kannst du|könnt ihr|sie können|du kannst) (?:mir |uns |gerne |auch |jetzt )*(?:eine|` +
				`ihre) (?:kurze )?nachricht (?:hinterlassen|aufsprechen)`,
			`um eine nachricht zu hinterlassen`,
			`nach dem (?:[a-z]+ )?(?:signalton|piepton|ton|piep|pieps|tonsignal|beep)`,
			`sprechen sie (?:bitte |jetzt |nun |dann )*(?:nach|auf|ihre nachricht)`,
			`sprich (?:bitte |mir |einfach )*(?:nach dem|auf|eine nachricht|deine nachricht)`,
			box + ` (?:von|der|des|vom|mit der nummer)`,
			`(?:dies|das|hier|dieses) (?:ist|spricht) (?:der|die|das|mein|meine|unser|unsere) (?:[a-z]+ )?` + box,
			`(?:zur|an die|auf die|mit der|an den|auf den|mit dem) ` + box,
			`(?:der|die|das) (?:von ihnen )?(?:gewünschte|gewählte|angerufene|angewählte) ` +
				`(?:gesprächspartner(?:in)?|teilnehmer(?:in)?|kunde|anschluss|rufnummer|nummer|person)`,
			`(?:dieser|der) (?:anschluss|teilnehmer) ist`,
			`(?:ihren|deinen|den|euren) anruf ` + jetzt + `nicht (?:entgegennehmen|annehmen)`,
			`(?:melde|melden|rufe|rufen) (?:mich|uns|dich|sie|euch|wir|ich) (?:[a-z]+ ){0,3}(?:so (?:schnell|` +
				`bald)|umgehend|baldmöglichst|schnellstmöglich)`,
			`the person you have called`, `sie wissen was zu tun ist`, `du weißt was zu tun ist`,
		},
		Reached: []string{
			`(?:sie haben|du hast|ihr habt) (?:[a-z]+ ){0,5}(?:erreicht|angerufen)`,
			`ich bin ` + jetzt + `nicht (?:erreichbar|zu erreichen)`,
			`ich bin (?:gerade|zurzeit|leider|im moment|momentan|derzeit) nicht (?:da|zu hause|am platz|im büro)`,
			`wir sind ` + jetzt + `nicht (?:erreichbar|da|zu erreichen|zu hause)`,
			`(?:ich|wir) (?:kann|können) ` + jetzt + `nicht (?:ans telefon|rangehen|drangehen|ans handy)(?: gehen|` +
				` kommen)?`,
			`(?:niemand|keiner) (?:ist )?(?:zu hause|da|erreichbar)`, `ist ` + jetzt + `nicht erreichbar`,
			`versuchen sie es (?:bitte )?(?:später|zu einem späteren zeitpunkt) (?:noch einmal|wieder|erneut|nochmal)`,
			`(?:ich|wir) rufe?n? (?:sie|dich|euch) (?:gerne )?zurück`,
		},
		Full: []string{
			`(?:` + box + `|speicher|postfach)(?: (?:von|des) [a-z]+| dieses teilnehmers)? (?:ist|sei) (?:leider |` +
				`zurzeit |bereits |momentan |derzeit )*voll`,
			`keine (?:weiteren |neuen )?nachrichten (?:mehr )?(?:aufgezeichnet|aufgenommen|hinterlassen|aufnehmen|` +
				`aufzeichnen|entgegennehmen)`,
			box + ` (?:[a-z]+ ){0,3}(?:ist|wurde|hat) (?:leider |noch )*nicht (?:eingerichtet|aktiviert|aktiv)`,
			box + ` (?:leider |noch )*nicht (?:eingerichtet|aktiviert)`, `(?:hat|hat noch|hat bisher) keine ` + box,
			`nimmt (?:zurzeit |derzeit |momentan )?keine (?:anrufe|nachrichten)`, `kein anschluss unter dieser nummer`,
		},
		Screen: []string{
			`(?:namen|name) und (?:[a-z]+ ){0,2}(?:grund|anliegen|anlass|zweck|warum|weshalb)`,
			`(?:nennen|nenne|sagen|sag|nennst|aufnehmen|angeben|gib|geben sie) (?:[a-z]+ ){0,3}(?:grund|zweck|` +
				`anlass) (?:für|ihres|deines|des|dieses)`,
			`(?:sagen sie|sag|sage|nennen sie|nenne|nehmen sie|nimm) (?:mir |uns |bitte )*(?:ihren|deinen) namen$`,
			`(?:wer sie sind|wer du bist|wer anruft) (?:, )?und (?:warum|weshalb|worum|wieso|was)`,
			`(?:sagen sie|sag|sage|verraten sie) (?:mir |uns |bitte |kurz |, )*(?:warum|weshalb|wieso) (?:sie|du) ` +
				`(?:anrufen|anrufst)`,
			`was ist der grund (?:ihres|deines|für ihren|für deinen) anrufs?`,
			`worum geht es bei (?:ihrem|deinem) anruf`,
		},
		Screener: []string{
			`(?:anruffilter|anrufschutz|call screening|screening dienst|filterdienst)`,
			`(?:prüfe|schaue|sehe) ich(?: nach)? (?:, )?ob (?:[a-z]+ ){1,3}(?:verfügbar|erreichbar|zu sprechen)`,
			`(?:truecaller|google|digitale|virtuelle|digitaler|virtueller|ki|persönliche) (?:assistent(?:in)?|` +
				`telefonassistent(?:in)?)`,
			`(?:erhält|bekommt) eine (?:kopie|abschrift) (?:dieses|des) gesprächs`,
			`(?:bleiben sie|bleib) (?:bitte )?(?:kurz )?(?:in|an) der (?:leitung|apparat)(?: , )? (?:während|bis|` +
				`solange)`,
			`danke (?:, )?(?:bleiben sie|bleib) (?:bitte )?(?:in der leitung|dran|am apparat)`,
		},
		Menu: []string{
			`(?:drücken|wählen|druecken) sie (?:bitte |jetzt |die |dann |nun )*(?:taste |ziffer |nummer ` +
				`)?(?:[0-9]|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|raute|stern|rautetaste|` +
				`sterntaste)`,
			`die (?:taste )?(?:[0-9]|null|eins|zwei|drei|vier|fünf) (?:drücken|wählen)`,
			`drücke (?:bitte |die |jetzt )*(?:[0-9]|eins|zwei|drei)`,
			`(?:alle|unsere) (?:unsere |leitungen |mitarbeiter(?:innen)? |plätze |berater )+(?:sind |befinden ` +
				`sich |im gespräch |[a-z]+ ){0,4}(?:besetzt|belegt|gespräch|gesprächen|beschäftigt)`,
			`der nächste freie (?:mitarbeiter|platz|berater|kollege)`,
			`(?:ihr anruf|ihre anfrage) ist uns (?:sehr )?wichtig`,
			`sie werden (?:gleich|mit dem nächsten|in kürze|sofort) (?:[a-z]+ )*verbunden`,
			`(?:unsere |die )?(?:öffnungszeiten|geschäftszeiten|sprechzeiten|bürozeiten) sind`,
			`(?:dieses|das|ihr) gespräch (?:wird|kann) (?:[a-z]+ ){0,6}aufgezeichnet`,
			`(?:hauptmenü|warteschleife|kundennummer eingeben|für eine wiederholung)`,
			`rufen (?:sie )?außerhalb unserer`,
		},
		Hold: []string{
			`^(?:(?:ja|okay|ok|gut|hallo|klar|gerne|äh|ach so) (?:, )?)*(?:einen |ein |nur )?(?:kleinen |ganz ` +
				`kleinen )?(?:moment|augenblick|sekunde|momentchen|minute)(?: (?:, )?(?:mal|bitte))*$`,
			`^(?:(?:ja|okay|ok|gut|hallo|klar) (?:, )?)*(?:warten sie|warte|bleiben sie dran|bleib dran|bleiben ` +
				`sie am apparat|eine sekunde|eine minute|sekunde)(?: (?:, )?(?:mal|kurz|bitte|einen moment|einen ` +
				`augenblick))*$`,
			`(?:ich )?(?:hole|hol|rufe) (?:ich )?(?:ihn|sie|ihnen|meine[nr]?|den|die|mal) (?:mal |kurz |schnell |` +
				`eben |gerade )*(?:ans telefon|her|mann|frau|mutter|vater|chef|kollegin|kollegen|tochter|sohn)`,
			`(?:moment|augenblick|sekunde)(?: bitte| mal)?(?: ,)? (?:ich )?(?:hole|hol|gebe|geb|verbinde|reiche|` +
				`schaue|schau|gucke|stelle)`,
			`(?:ich )?(?:hole|hol) (?:ihn|sie|ihn mal|sie mal)$`,
			`(?:ich )?(?:gebe|geb|reiche) (?:ihnen |dir |mal |sie |dich )*(?:weiter|meinen mann|meine frau|meinen ` +
				`vater|meine mutter|den hörer)`,
			`(?:ich )?verbinde (?:sie|dich)`, `(?:ich )?stelle (?:sie|dich) durch`,
			`(?:schaue|schau|gucke|guck|sehe) (?:mal |kurz |eben )*(?:nach )?(?:, )?ob (?:er|sie) (?:da|zu hause|` +
				`hier)`,
			`(?:er|sie) kommt (?:gleich|sofort)(?: ans telefon)?$`,
			`^(?:bitte )?(?:nicht auflegen|legen sie (?:bitte )?nicht auf|leg (?:bitte )?nicht auf)$`,
		},

		WrongPerson: []string{
			`(?:falsch verbunden|falsche nummer|falschen? nummer|falschen? person|falsche person|verwählt|` +
				`falschen anschluss|falschen erwischt|nicht richtig verbunden)`,
			`(?:hier|bei uns|da) (?:gibt es|wohnt|gibt's|lebt|ist|arbeitet|heißt) (?:hier )?(?:keine?n?|` +
				`niemand)(?: [a-z]+)?(?: (?:mit|namens|unter|der|so|dieses))`,
			`(?:es )?(?:gibt|gibt's|wohnt|lebt) (?:es )?hier (?:keine?n?|niemand|nicht)`,
			`(?:kein|keine|keinen|niemand|niemanden) (?:mit|unter) (?:diesem|dem|so einem) namen`,
			`(?:kenne|kennen) (?:ich |wir )?(?:keine|keinen|niemanden|nicht|ihn nicht|die nicht|den nicht|hier ` +
				`keine[n]?) ?(?:herrn?|frau|person|mit|namens|der|die)`,
			`(?:kenne|kennen) (?:ich |wir )?(?:diese person|den|die|ihn|den herrn|die frau) (?:gar |überhaupt )?nicht`,
			er + ` (?:wohnt|lebt|arbeitet) (?:schon (?:lange )?|leider )*(?:hier )?nicht (?:mehr )?(?:hier|bei uns)`,
			er + ` wohnt (?:hier )?(?:schon lange )?nicht mehr`,
			er + ` (?:ist|sind) (?:[a-z]+ ){0,3}(?:weggezogen|ausgezogen|umgezogen)`,
			`(?:das|dies) ist (?:nicht|nicht mehr) (?:seine|ihre|die|deren) (?:telefon|handy)?(?:nummer|` +
				`telefon)(?: mehr)?`,
			`(?:ich bin|das bin) (?:ich )?(?:gar |leider )?nicht (?:der|die|der herr|die frau) ?(?:person|` +
				`richtige|den sie|die sie|herr|frau)?$`,
			`ich bin nicht (?:die person|der|die|derjenige|diejenige) (?:, )?(?:den|die) (?:sie|du)`,
			`ich heiße (?:gar |nicht |aber )*(?:nicht|anders)`,
			`(?:ich habe|habe ich) (?:diese|die) nummer (?:erst|gerade|neu|seit)`,
			`hier (?:wohnt|gibt es|arbeitet|ist) keine? (?:frau|herr|person|familie)`,
			`nie (?:von (?:ihm|ihr|dem|der) )?gehört`,
		},
		Deceased: []string{
			er + ` (?:ist|sind|wurde) (?:[a-z]+ ){0,4}(?:verstorben|gestorben|tot|von uns gegangen|nicht mehr am ` +
				`leben|beerdigt)`,
			er + ` (?:lebt|weilt) (?:leider |schon (?:lange )?)*nicht mehr(?: unter uns)?$`,
			`(?:ist|sind) (?:leider |letzte[ns]? [a-z]+ |vor [a-z]+ [a-z]+ |vor kurzem |kürzlich |im [a-z]+ |` +
				`schon |am [a-z]+ )*(?:verstorben|von uns gegangen)`,
			`(?:wir haben|ich habe) (?:ihn|sie) (?:[a-z]+ ){0,3}(?:beerdigt|verloren|begraben)`,
			`(?:seine|ihre) beerdigung`, `^(?:(?:nein|leider|tut mir leid|nee) (?:, )?)*(?:verstorben|gestorben|tot)$`,
		},
		Minor: []string{
			`(?:mama|papa|mami|papi|mutti|vati)(?: und (?:papa|mama))? (?:(?:ist|sind) (?:(?:gerade|noch|schon|` +
				`auch) )*(?:nicht|arbeiten|einkaufen|unter der|weg|draußen|in der arbeit|auf der arbeit)|schläft|` +
				`duscht|badet|kocht)`,
			`meine? (?:mama|papa|mami|papi|eltern) (?:ist|sind|schläft|schlafen) (?:(?:gerade|noch|schon|auch) ` +
				`)*(?:nicht|arbeiten|einkaufen|unter der|im|in der|auf|weg|bei der|draußen)`,
			`meine eltern (?:sind|schlafen)`,
			`ich bin (?:(?:erst|schon|doch|nur|noch) )*(?:[3-9]|1[0-5]|drei|vier|fünf|sechs|sieben|acht|neun|zehn|` +
				`elf|zwölf|dreizehn|vierzehn|fünfzehn)(?: jahre(?: alt)?|$| und)`,
			`ich bin (?:(?:nur|noch|doch|erst) )*ein kind`,
			`ich (?:darf|soll) (?:[a-z]+ ){0,4}nicht (?:[a-z]+ ){0,3}(?:fremden|telefonieren|ans telefon|telefon)`,
			`(?:soll ich|willst du|möchtest du|wollen sie|möchten sie) (?:die |meine |meinen |mit der |den ` +
				`)*(?:mama|papa|mami|papi)`,
		},
		Busy: []string{
			`ich (?:sitze|bin|stehe|fahre) ` + jetzt + `(?:beim autofahren|am steuer|im auto|beim fahren|` +
				`unterwegs|in (?:einer|einem|der) (?:[a-z]+ )?(?:besprechung|sitzung|konferenz|gespräch|meeting|` +
				`schule|vorlesung|termin|arbeit|prüfung)|im (?:meeting|unterricht|gespräch|termin|zug|büro|` +
				`krankenhaus)|bei der arbeit|auf (?:der )?arbeit|beim arzt|beim essen|auf dem sprung|mitten (?:in|` +
				`im|bei|beim)|beim kochen|beim zahnarzt|am arbeiten|am essen|am kochen|am fahren)`,
			`ich (?:fahre|esse|arbeite|koche) (?:gerade|im moment|grad|momentan)(?: auto)?$`,
			`ich fahre (?:gerade |grad )?auto`,
			`(?:kann|können) (?:ich )?(?:(?:gerade|jetzt|im moment|grad|momentan|leider|hier|so) )*nicht ` +
				`(?:sprechen|reden|telefonieren|quatschen)`,
			`(?:kann|können) (?:ich )?nicht (?:sprechen|reden|telefonieren) (?:gerade|jetzt|im moment)`,
			`(?:passt|geht|ist) (?:(?:mir|leider|das|es) )*(?:gerade|jetzt|im moment|grad|momentan) (?:(?:mir|` +
				`leider|das|es) )*(?:gar nicht|überhaupt nicht|nicht|ganz schlecht|sehr schlecht|schlecht|` +
				`ungünstig|ungelegen)(?: so)?(?: gut)?$`,
			`(?:gerade|jetzt|grad) (?:passt|geht|ist) (?:es |das )?(?:mir |leider )*(?:gar nicht|nicht|ganz ` +
				`schlecht|schlecht|ungünstig|ungelegen)(?: so)?(?: gut)?$`,
			`(?:kein|kein guter|nicht der richtige|ungünstiger|schlechter|falscher|nicht der beste|kein ` +
				`günstiger) (?:moment|zeitpunkt|augenblick)`,
			`(?:habe|hab) (?:ich )?(?:(?:gerade|jetzt|im moment|leider|grad|dafür|momentan) )*keine zeit$`,
			`^(?:(?:nein|tut mir leid|entschuldigung|hallo) (?:, )?)*keine zeit(?: (?:gerade|jetzt|dafür|im ` +
				`moment))?$`,
			`(?:bin|sind) (?:ich )?(?:(?:gerade|im moment|grad|jetzt|momentan|leider|sehr|ziemlich) ` +
				`)*(?:beschäftigt|im stress|in eile|verhindert)$`,
			`(?:ich )?muss (?:gleich|jetzt|gerade|sofort) (?:los|weg)`,
			`sie (?:stören|erwischen mich) (?:gerade|jetzt|ungünstig|in einem)`,
		},
		GoAhead: []string{
			`(?:aber )?(?:schießen sie los|legen sie los|fragen sie|machen sie schnell|wenn es schnell geht|` +
				`wenn's schnell geht|kurz geht|kurz habe ich|fassen sie sich kurz)`,
			`(?:habe|hab) (?:ich )?(?:kurz|eine minute|zwei minuten|ein paar minuten|fünf minuten)`,
		},
		CallBack: []string{
			`(?:rufen sie|ruf|ruft|rufst du|melden sie sich|meld dich|melde dich|versuchen sie es|versuch es|` +
				`probieren sie es) (?:[a-z]+ ){0,4}?` + wann,
			`(?:rufen sie|ruf|ruft) (?:mich |uns |ihn |sie |bitte |doch )*zurück`,
			`(?:können sie|könnten sie|kannst du|könntest du|könnt ihr|würden sie|sie können|sie müssen|dürften ` +
				`sie) (?:[a-z0-9:.]+ ){0,7}(?:anrufen|zurückrufen|wiederanrufen|melden|durchrufen|telefonieren)`,
			`(?:können|könnten|wollen|lassen sie) (?:wir|uns) (?:[a-z]+ )?` + wann + ` (?:[a-z]+ )?(?:sprechen|` +
				`reden|telefonieren)`,
			`(?:nicht jetzt|jetzt nicht|später)(?: ,)? (?:bitte )?(?:rufen|versuchen|melden)`,
			wann + ` (?:bitte )?(?:noch ?mal |noch einmal |wieder )?(?:anrufen|zurückrufen)(?: bitte)?$`,
			`(?:besser|lieber|am besten|gerne) ` + wann + `$`,
			`(?:erreichen sie|erreicht man|erreichst du) (?:mich|ihn|sie) (?:[a-z]+ ){0,2}` + wann,
			er + ` (?:ist|kommt) (?:erst )?` + wann + ` (?:wieder|zurück|da|zu hause|nach hause)`,
			`ich bin (?:erst )?` + wann + ` (?:wieder )?(?:da|zu hause|zurück|erreichbar|frei)`,
			`ich bitte um (?:einen )?rückruf`,
			`(?:geben sie|gib) mir (?:noch )?(?:eine|zehn|zwanzig|dreißig|[0-9]+|ein paar) (?:stunde|minuten)`,
			`(?:rufen|ruf|rufe|melden|versuchen)(?: [a-z]+){0,4} zwischen`,
			`zwischen [a-z0-9:]+ und [a-z0-9:]+(?: uhr)? (?:an|anrufen|zurückrufen)`,
		},
		WantsHuman: []string{
			`(?:mit|zu) ` + mensch + ` (?:sprechen|reden|verbinden|telefonieren|verbunden|verbunden werden|kommen)`,
			`(?:mit )` + mensch + `$`,
			`(?:verbinden sie mich|verbinde mich|stellen sie mich|geben sie mir) (?:bitte |mal )*(?:mit |zu )?` +
				mensch,
			`(?:ich )?(?:will|möchte|hätte gern|hätte gerne|brauche|bevorzuge) (?:bitte |lieber |gerne )*` + mensch,
			`gibt es (?:da |auch |hier )*` + mensch,
			`(?:rede|spreche|red|unterhalte mich|reden|sprechen) (?:ich )?(?:grundsätzlich |doch |aber )*nicht ` +
				`(?:gern |gerne )?mit (?:einem |einer |nem |ner )?(?:roboter|robotern|maschinen?|computern?|` +
				`automaten|ki|bots?|band)`,
			`nicht mit (?:einem |einer )(?:roboter|maschine|computer|automaten|ki|bot) (?:sprechen|reden)`,
			`^(?:(?:nein|bitte|ein|einen|echter|ja) (?:, )?)*(?:mitarbeiter|mensch|menschen|berater|kundenservice|` +
				`kundendienst|vermittlung|zentrale|operator)(?: (?:, )?bitte)?$`,
			`(?:echte[nrm]?|richtige[nrm]?) (?:menschen?|person|mitarbeiter)`,
		},
		Robot: []string{
			`(?:sind sie|bist du|ist das|ist da|ist es|(?:spreche|sprech|rede|red) ich) (?:hier |da |` +
				`denn |etwa |eigentlich |jetzt |gerade |wirklich |nur |vielleicht |überhaupt |mit |eine |` +
				`einem |einer |ein |ner |nem |ne |echte |echter |echten |echtes |richtige |richtiger |` +
				`richtigen |künstliche |künstlichen )*(?:roboter|bot|maschine|computer|computerstimme|` +
				`roboterstimme|automat|aufnahme|aufzeichnung|bandansage|tonband|ki|` +
				`künstliche intelligenz|künstlichen intelligenz|automatische stimme|automatischer anruf|` +
				`mensch|menschen|echt|echte person|echten person|richtige person|richtigen person)`,
		},
		Speak: []string{
			`(?:sprechen|reden) (?:sie|wir) (?:auch |bitte )*{l}`,
			`(?:sprichst du|spricht (?:jemand|wer)) (?:auch )?{l}`,
			`(?:können|könnten|kannst|kann) (?:sie|wir|du|ich) (?:das |bitte |` +
				`auch )*(?:auf )?{l} (?:sprechen|reden|machen|sagen|weitermachen)`,
			`spreche nur {l}`,
			`lieber (?:auf )?{l}`,
			`^auf {l}$`,
			`^(?:auf )?{l} bitte$`,
		},
		NotSpoken: []string{
			`(?:spreche|verstehe|kann) (?:ich )?(?:leider )?(?:kein|nicht gut|nicht so gut|kaum) {l}`,
		},
		Names: map[string][]string{
			"en": {"englisch"}, "cs": {"tschechisch"}, "da": {"dänisch"}, "de": {"deutsch"}, "el": {"griechisch"},
			"es": {"spanisch"}, "fr": {"französisch"}, "it": {"italienisch"}, "nb": {"norwegisch"},
			"nl": {"niederländisch", "holländisch"}, "pl": {"polnisch"}, "pt": {"portugiesisch"},
			"ro": {"rumänisch"}, "sv": {"schwedisch"}, "tr": {"türkisch"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"einer stunde": time.Hour, "eine stunde": time.Hour, "ner stunde": time.Hour,
				"einer halben stunde": 30 * time.Minute, "ner halben stunde": 30 * time.Minute,
				"eine halbe stunde": 30 * time.Minute, "halben stunde": 30 * time.Minute,
				"halbe stunde": 30 * time.Minute, "einer viertelstunde": 15 * time.Minute,
				"viertelstunde": 15 * time.Minute, "einer dreiviertelstunde": 45 * time.Minute,
				"dreiviertelstunde": 45 * time.Minute, "anderthalb stunden": 90 * time.Minute,
				"eineinhalb stunden": 90 * time.Minute, "ein paar minuten": 10 * time.Minute,
				"paar minuten": 10 * time.Minute, "ein paar stunden": 3 * time.Hour, "paar stunden": 3 * time.Hour,
				"einem tag": 24 * time.Hour, "ein paar tagen": 3 * 24 * time.Hour, "paar tagen": 3 * 24 * time.Hour,
				"einer woche": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minute": time.Minute, "minuten": time.Minute, "stunde": time.Hour, "stunden": time.Hour,
				"tag": 24 * time.Hour, "tage": 24 * time.Hour, "tagen": 24 * time.Hour, "woche": 7 * 24 * time.Hour,
				"wochen": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"heute": 0, "heute morgen": 0, "heute früh": 0, "morgen": 1, "übermorgen": 2, "nächste woche": 7,
				"nächster woche": 7, "kommende woche": 7, "kommender woche": 7, "nächsten monat": 30,
			},
			Weekdays: [7][]string{
				{"sonntag", "sonntagmorgen", "sonntagvormittag", "sonntagnachmittag", "sonntagabend", "sonntags"},
				{"montag", "montagmorgen", "montagvormittag", "montagnachmittag", "montagabend", "montags"},
				{"dienstag", "dienstagmorgen", "dienstagvormittag", "dienstagnachmittag", "dienstagabend",
					"dienstags"},
				{"mittwoch", "mittwochmorgen", "mittwochvormittag", "mittwochnachmittag", "mittwochabend",
					"mittwochs"},
				{"donnerstag", "donnerstagmorgen", "donnerstagvormittag", "donnerstagnachmittag",
					"donnerstagabend", "donnerstags"},
				{"freitag", "freitagmorgen", "freitagvormittag", "freitagnachmittag", "freitagabend", "freitags"},
				{"samstag", "samstagmorgen", "samstagvormittag", "samstagnachmittag", "samstagabend", "samstags",
					"sonnabend"},
			},
			Parts: map[string]int{
				"heute morgen": 9, "heute früh": 9, "früh": 9, "am morgen": 9, "vormittag": 9, "mittag": 12,
				"mittags": 12, "nach dem mittagessen": 13, "nachmittag": 14, "abend": 18, "feierabend": 18,
				"nach der arbeit": 18, "montagmorgen": 9, "montagvormittag": 9, "montagnachmittag": 14,
				"montagabend": 18, "dienstagmorgen": 9, "dienstagvormittag": 9, "dienstagnachmittag": 14,
				"dienstagabend": 18, "mittwochmorgen": 9, "mittwochvormittag": 9, "mittwochnachmittag": 14,
				"mittwochabend": 18, "donnerstagmorgen": 9, "donnerstagvormittag": 9, "donnerstagnachmittag": 14,
				"donnerstagabend": 18, "freitagmorgen": 9, "freitagvormittag": 9, "freitagnachmittag": 14,
				"freitagabend": 18, "samstagmorgen": 9, "samstagvormittag": 9, "samstagnachmittag": 14,
				"samstagabend": 18, "sonntagmorgen": 9, "sonntagvormittag": 9, "sonntagnachmittag": 14,
				"sonntagabend": 18,
			},
			Between: []string{"zwischen"},
			At:      []string{"um", "gegen", "nach", "ab", "vor", "bis", "von", "so um", "kurz nach", "kurz vor"},
			OClock:  []string{"uhr"},
			AM:      []string{"morgens", "früh", "vormittags", "am morgen", "in der früh"},
			PM:      []string{"nachmittags", "abends", "am nachmittag", "am abend"},
			Before: map[string]int{
				"halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "fünf nach": 5,
				"zehn nach": 10, "zwanzig nach": 20, "fünf vor": -5, "zehn vor": -10, "zwanzig vor": -20,
				"fünf vor halb": -35, "fünf nach halb": -25,
			},
			Months: [12][]string{
				{"januar", "jänner"}, {"februar", "feber"}, {"märz"}, {"april"}, {"mai"}, {"juni", "juno"},
				{"juli", "julei"}, {"august"}, {"september"}, {"oktober"}, {"november"}, {"dezember"},
			},
			MonthDays: [31][]string{
				{"erste", "ersten", "erster"}, {"zweite", "zweiten", "zweiter"},
				{"dritte", "dritten", "dritter"}, {"vierte", "vierten", "vierter"},
				{"fünfte", "fünften", "fünfter"}, {"sechste", "sechsten", "sechster"},
				{"siebte", "siebten", "siebter"}, {"achte", "achten", "achter"},
				{"neunte", "neunten", "neunter"}, {"zehnte", "zehnten", "zehnter"},
				{"elfte", "elften", "elfter"}, {"zwölfte", "zwölften", "zwölfter"},
				{"dreizehnte", "dreizehnten", "dreizehnter"}, {"vierzehnte", "vierzehnten", "vierzehnter"},
				{"fünfzehnte", "fünfzehnten", "fünfzehnter"}, {"sechzehnte", "sechzehnten", "sechzehnter"},
				{"siebzehnte", "siebzehnten", "siebzehnter"}, {"achtzehnte", "achtzehnten", "achtzehnter"},
				{"neunzehnte", "neunzehnten", "neunzehnter"}, {"zwanzigste", "zwanzigsten", "zwanzigster"},
				{"einundzwanzigste", "einundzwanzigsten", "einundzwanzigster"},
				{"zweiundzwanzigste", "zweiundzwanzigsten", "zweiundzwanzigster"},
				{"dreiundzwanzigste", "dreiundzwanzigsten", "dreiundzwanzigster"},
				{"vierundzwanzigste", "vierundzwanzigsten", "vierundzwanzigster"},
				{"fünfundzwanzigste", "fünfundzwanzigsten", "fünfundzwanzigster"},
				{"sechsundzwanzigste", "sechsundzwanzigsten", "sechsundzwanzigster"},
				{"siebenundzwanzigste", "siebenundzwanzigsten", "siebenundzwanzigster"},
				{"achtundzwanzigste", "achtundzwanzigsten", "achtundzwanzigster"},
				{"neunundzwanzigste", "neunundzwanzigsten", "neunundzwanzigster"},
				{"dreißigste", "dreißigsten", "dreißigster"},
				{"einunddreißigste", "einunddreißigsten", "einunddreißigster"},
			},
			OfMonth:  []string{"des", "der"},
			Past:     map[string]int{"gestern": 1, "vorgestern": 2},
			Ago:      []string{"vor"},
			Previous: []string{"letzten", "letzter", "letzte", "vergangenen", "vorigen"},
		},
		Spelling: Spelling{
			At:         []string{"at", "ät", "klammeraffe", "at zeichen"},
			Dot:        []string{"punkt"},
			Dash:       []string{"minus", "bindestrich", "strich"},
			Underscore: []string{"unterstrich"},
			Before:     []string{"ist", "lautet", "wäre", "heißt", "e mail", "email", "mail", "adresse", "mailadresse"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"doppel": 2},
		},

		Harmless: []string{
			`(?:gestorben|tot) vor (?:lachen|müdigkeit|angst|scham|hunger|langeweile)`,
			`vor (?:lachen|müdigkeit|angst|scham|hunger|langeweile|durst) (?:fast |beinahe |schon )*(?:gestorben|tot)`,
			`(?:fast|beinahe|halb) (?:gestorben|tot)`,
			`(?:was ist|welche ist|welche) (?:denn )?(?:die )?falsche nummer`,
		},
		Ages: []string{"alt", "alter", "jahre", "jahren", "jahr"},
		Aside: []string{
			"er ist nicht da", "sie ist nicht da", "er ist gerade nicht da", "sie ist gerade nicht da",
			"er ist nicht hier", "sie ist nicht hier", "er ist nicht zu hause", "sie ist nicht zu hause",
			"er ist nicht zuhause", "sie ist nicht zuhause", "das ist er nicht", "das ist sie nicht",
			"das ist nicht er", "das ist nicht sie", "ich höre nichts", "ich höre nicht", "ich höre sie nicht",
			"ich höre dich nicht", "ich kann sie nicht hören", "ich kann nichts hören",
		},
		Yes: []string{"ja", "jawohl", "jo", "joa", "jep", "klar", "na klar", "natürlich", "selbstverständlich",
			"sicher", "aber sicher", "auf jeden fall", "gerne", "gern", "genau", "richtig", "stimmt", "das stimmt",
			"korrekt", "okay", "ok",
			"einverstanden", "in ordnung", "doch", "kein problem", "warum nicht", "ich glaube schon", "ich denke schon",
			"ja genau", "absolut", "freilich", "passt", "ja bitte"},
		No: []string{"nein", "nee", "ne", "nö", "auf keinen fall", "keinesfalls", "gar nicht", "überhaupt nicht",
			"eher nicht", "lieber nicht", "noch nicht", "nicht wirklich", "ich glaube nicht", "ich denke nicht",
			"natürlich nicht", "sicher nicht",
			"stimmt nicht", "das stimmt nicht", "falsch", "nein danke", "kein interesse", "kein bedarf", "leider nicht",
			"niemals", "falsch verbunden", "im gegenteil", "nicht richtig"},
		Unsure: []string{
			"vielleicht", "eventuell", "möglicherweise", "weiß nicht", "ich weiß nicht", "weiß ich nicht",
			"keine ahnung", "nicht sicher", "bin mir nicht sicher", "kommt darauf an", "kommt drauf an", "jein",
			"manchmal", "mal so mal so", "teils teils", "schwer zu sagen",
		},
		Hint: []string{"nicht", "kein", "keine", "keinen", "nie"},
		Mistaken: []string{
			"ich meine", "ich meinte", "moment", "halt nein", "beziehungsweise", "besser gesagt", "vielmehr",
			"quatsch", "korrektur",
		},
		YesAlone: []string{
			"bin ich", "das bin ich", "am apparat", "ich bin es", "ich bin's", "habe ich", "hab ich", "mache ich",
			"kann ich", "tue ich", "gut", "sehr gut", "super", "prima", "wahr", "schön", "war ich", "passt mir",
		},
		NoAlone:     []string{"unwahr", "bin ich nicht", "nie", "keine", "nichts"},
		Not:         []string{"nicht", "kein", "keine", "keinen", "ohne"},
		Connectives: []string{"eine", "einen", "oder", "nach", "ihnen", "ihre", "ihren"},

		Ordinals: [MaxOrdinals][]string{
			{"erste", "ersten", "erster", "erstes", "erstens", "nummer eins"},
			{"zweite", "zweiten", "zweiter", "zweites", "zweitens", "nummer zwei"},
			{"dritte", "dritten", "dritter", "drittes", "nummer drei"}, {"vierte", "vierten", "viertes", "nummer vier"},
			{"fünfte", "fünften", "fünftes", "nummer fünf"},
			{"sechste", "sechsten", "nummer sechs"}, {"siebte", "siebten", "nummer sieben"},
			{"achte", "achten", "nummer acht"},
		},
		Last: []string{"letzte", "letzten", "letztere", "letzteres"},

		Spell:    spellGerman,
		Thousand: []string{"tausend", "eintausend"},
		Half:     []string{"einhalb", "und ein halb"},
		And:      []string{"und"},
		OutOf:    []string{"von", "aus"},
		Minus:    []string{"minus"},
		Article:  []string{"ein", "eine", "einen", "einer", "einem"},
		Vague: []string{
			"ein bisschen", "ein wenig", "ein paar", "einen moment", "einen augenblick", "ein anderes mal",
			"das eine",
		},
		Counts: map[string]float64{
			"keine": 0, "keinen": 0, "keins": 0, "keines": 0, "gar nicht": 0, "nichts": 0, "nie": 0, "einmal": 1,
			"zweimal": 2, "dreimal": 3, "anderthalb": 1.5, "eineinhalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5,
			"viereinhalb": 4.5, "ein halb": 0.5, "ein dutzend": 12, "zwo": 2, "ein paar mal": 2,
		},
		DecimalComma: true,

		Glad: []string{
			"gut", "sehr gut", "super", "prima", "toll", "wunderbar", "ausgezeichnet", "perfekt", "zufrieden",
			"freue", "freut", "glücklich", "schön", "besser", "nett", "hilfreich", "herzlichen dank", "klasse",
		},
		Sad: []string{
			"schlecht", "schlimm", "furchtbar", "schrecklich", "ärgerlich", "verärgert", "wütend", "sauer",
			"unzufrieden", "enttäuscht", "schmerzen", "schmerz", "weh", "problem", "probleme", "beschwerde",
			"beschweren", "unverschämt", "frechheit", "nervt", "schwindelig", "krank", "traurig",
		},

		Urge: []string{
			"nein", "ja", "jetzt", "sofort", "endlich", "mal", "doch", "ich sage", "ich sagte", "ich hab gesagt",
			"ich habe gesagt", "sie sollen", "sie müssen", "können sie", "damit", "hey", "ok", "okay",
			"auf der stelle", "ein für alle mal",
		},
		StopAlone: []string{
			"stop", "stopp", "aufhören", "schluss", "schluss jetzt", "schluss damit", "hören sie auf", "hör auf",
			"abmelden", "nicht mehr anrufen", "nie wieder anrufen", "keine anrufe", "keine anrufe mehr",
			"keine weiteren anrufe",
		},
		Stop: []string{
			`\b(?:rufen sie|rufst du|ruft|ruf|rufe) (?:[a-z]+ ){0,3}(?:nicht mehr|nie mehr|nie wieder|niemals ` +
				`wieder|niemals mehr|nicht wieder|nicht nochmal|nicht noch (?:ein)?mal)(?: (?:bitte|unter dieser ` +
				`nummer|diese nummer|hier|bei mir|bei uns))* an\b`,
			`\b(?:rufen sie|ruf|ruft) (?:bitte )?(?:mich|uns|hier|diese nummer)(?: bitte)? (?:nicht|nie) an\b`,
			`\b(?:nicht mehr|nie mehr|nie wieder|niemals wieder|nicht wieder)(?: von (?:ihnen|euch))?(?: ` +
				`telefonisch)? (?:angerufen|anrufen|anzurufen|kontaktieren|kontaktiert|belästigen|belastigen|belastigt|gestort|storen)\b`,
			`\b(?:will|mochte|wunsche|wollen|mochten|wunschen|brauche|bitte) (?:[a-z]+ ){0,3}keine (?:[a-z]+ ` +
				`){0,2}(?:werbe|telefon|marketing)?anrufe\b`,
			`\bkeine (?:[a-z]+ )?(?:werbe|telefon)?anrufe mehr\b`,
			`\b(?:streichen|loschen|entfernen) sie (?:bitte )?(?:mich|uns|meine (?:telefon)?(?:nummer|daten)|diese ` +
				`(?:telefon)?nummer|meinen namen)\b`,
			`\b(?:nehmen|tragen|streichen|loschen) sie (?:bitte )?(?:mich|uns|meine (?:telefon)?nummer|diese ` +
				`nummer|meinen namen)(?: bitte)? (?:aus|von) (?:[a-z]+ ` +
				`){0,3}(?:liste|kartei|verteiler|datenbank|system|aus)\b`,
			`\b(?:horen sie|hor|hort) (?:bitte |endlich |sofort |jetzt )*auf(?:$| (?:damit|anzurufen|uns ` +
				`anzurufen|mich (?:[a-z]+ )?anzurufen|mich zu|uns zu|mit (?:diesen|den|ihren) anrufen|bitte|jetzt)\b)`,
			`\b(?:lassen sie|lass|lasst) (?:mich|uns) (?:bitte |endlich |doch |blo[sz]+ )*in (?:ruhe|frieden)\b`,
			`\b(?:will|mochte|wunsche|wollen|mochten|wunschen) (?:[a-z]+ )?nicht dass (?:sie|ihr|du|jemand) ` +
				`(?:(?:mich|uns|hier|noch|mal|einmal|nochmal|wieder|mehr|weiter|jemals|bei mir|bei uns) ` +
				`)*(?:anrufen|anruft|anrufst|kontaktieren|belastigen|storen)\b`,
			`\bmelden sie sich (?:bitte |hier |bei mir )*(?:nicht mehr|nie wieder|nie mehr)\b`,
			`\b(?:mich|uns) (?:bitte )?(?:abmelden|austragen)\b`,
			`\bstop(?:p|pen sie)? (?:mit )?(?:die|den|diese|diesen) anrufen?\b`,
		},
		Joins: []string{"dass"},
		Cues: []string{
			"ruf", "anruf", "an", "werbeanruf", "telefonanruf", "marketinganruf", "kontakt", "belast", "gestort",
			"storen", "streichen", "losch", "entfern", "nehmen", "tragen", "hor", "ruhe", "frieden", "meld",
			"abmelden", "austragen",
		},
		NotStop: []string{
			`\bnicht mehr (?:heute|jetzt|vor|nach|so|morgen|abends|um|am|zwischen) [a-z0-9 ]*`,
			`\bich (?:kann|konnte|durfte|muss|musste|habe|hatte|werde|wurde) (?:[a-z]+ ){0,3}(?:nicht mehr|nie ` +
				`wieder|nicht wieder) (?:anrufen|angerufen|anzurufen|kontaktieren|kontaktiert)`,
			`\b(?:loschen|streichen|entfernen|nehmen|tragen) sie (?:[a-z]+ ){0,4}nicht\b`,
			`\bwarteliste\b`, `\bnicht (?:abmelden|austragen)\b`,
		},
	}
}

func spellGerman(n int) []string {
	small := []string{"null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
		"zwölf", "dreizehn",
		"vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"}
	tens := []string{"", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"}
	unit := func(n int) string {
		if n == 1 {
			return "ein"
		}
		return small[n]
	}
	switch {
	case n < 20:
		return []string{small[n]}
	case n < 100:
		if n%10 == 0 {
			return []string{tens[n/10]}
		}
		return []string{unit(n%10) + "und" + tens[n/10], unit(n%10) + " und " + tens[n/10]}
	}
	heads := []string{unit(n/100) + "hundert"}
	if n/100 == 1 {
		heads = append(heads, "hundert")
	}
	var all []string
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		for _, rest := range spellGerman(n % 100) {
			all = append(all, head+rest, head+" "+rest, head+"und"+rest)
		}
	}
	return all
}
