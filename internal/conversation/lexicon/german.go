package lexicon

// German is the lexicon of German.
func German() Language {
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
			Acks: []string{"Danke.", "In Ordnung."},
		},
		Filler: []string{"äh", "ähm", "hm", "hmm", "mhm", "öh", "ach", "also", "na", "na ja", "naja", "tja", "nun",
			"bitte", "danke", "vielen dank", "ich glaube", "ich denke", "ich meine mal",
			"sagen wir", "würde ich sagen", "mal sehen", "moment", "einen moment", "entschuldigung", "hören sie",
			"wissen sie", "halt", "eben", "und", "aber", "doch mal", "so", "ungefähr", "etwa", "wohl", "eigentlich",
			"wahrscheinlich"},
		Hello: []string{"hallo", "guten tag", "guten morgen", "guten abend", "grüß gott", "moin", "servus", "tag"},
		Bye: []string{
			"tschüss", "tschüs", "ciao", "auf wiederhören", "auf wiedersehen", "wiederhören", "bis dann",
			"schönen tag noch", "ich muss los", "ich muss auflegen",
		},
		Who: []string{
			"wer ist da", "wer spricht da", "wer spricht", "wer sind sie", "wer ist das", "worum geht es",
			"um was geht es", "worum geht's", "wer ruft an", "von wo rufen sie an", "sind sie ein roboter",
		},
		Repeat: []string{"was", "wie", "wie bitte", "was bitte", "bitte", "entschuldigung", "nochmal", "noch mal",
			"noch einmal", "bitte noch einmal", "wiederholen", "wiederholen sie", "wiederholen sie das",
			"können sie das wiederholen", "könnten sie das wiederholen",
			"können sie das bitte wiederholen", "was haben sie gesagt", "das habe ich nicht verstanden",
			"ich habe sie nicht verstanden", "ich habe das nicht verstanden", "ich verstehe nicht",
			"ich verstehe sie nicht", "ich kann sie nicht hören", "was meinen sie", "sagen sie das noch mal",
			"wie war die frage"},
		Record: []string{
			"hinterlassen sie eine nachricht", "hinterlasse eine nachricht", "nach dem signalton", "nach dem piepton",
			"nach dem ton",
		},
		Skip: []string{
			"weiß nicht", "weiß ich nicht", "ich weiß nicht", "ich weiß es nicht", "keine ahnung",
			"kann ich nicht sagen", "möchte ich nicht sagen", "will ich nicht sagen", "keine angabe", "überspringen",
			"nächste frage", "weiter", "geht sie nichts an", "schwer zu sagen", "keine von beiden", "keins davon",
			"weder noch",
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
		Connectives: []string{"eine", "einen", "oder", "nach"},

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
