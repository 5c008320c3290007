package conversation

import "testing"

func TestWhoAnsweredInGerman(t *testing.T) {
	t.Parallel()
	utterances{
		machine: []string{
			"Hallo, hier ist die Mailbox von Anna Becker. / Bitte hinterlassen Sie eine Nachricht nach dem Signalton.",
			"Sie haben den Anschluss von Familie Becker erreicht. / Wir sind zurzeit nicht zu Hause.",
			"Der gewünschte Gesprächspartner ist zurzeit nicht erreichbar. Bitte versuchen Sie es später noch einmal.",
			"The person you have called is temporarily not available.",
			"Guten Tag, Sie sind verbunden mit der Mobilbox von",
			"Ich kann Ihren Anruf gerade leider nicht entgegennehmen.", "Sprechen Sie bitte nach dem Ton.",
			"Hi, hier ist Tom. / Ich bin gerade nicht erreichbar. Ich rufe Sie zurück.",
			"Hinterlasst mir einfach eine Nachricht.", "Dies ist der Anrufbeantworter der Praxis Keller.",
			"Ihr Anruf wird an die Mailbox weitergeleitet.", "Die gewählte Rufnummer ist momentan nicht erreichbar.",
			"Ich melde mich so schnell wie möglich bei Ihnen.", "Dieser Anschluss ist vorübergehend nicht erreichbar.",
		},
		perhaps: []string{"Sie haben den Anschluss von Familie Becker erreicht.", "Ich bin gerade nicht erreichbar."},
		full: []string{
			"Die Mailbox ist voll.",
			"Der Speicher ist leider voll. Es können keine weiteren Nachrichten aufgenommen werden.",
			"Die Mailbox des Teilnehmers wurde noch nicht eingerichtet.",
			"Der Teilnehmer hat keine Mailbox eingerichtet.", "Kein Anschluss unter dieser Nummer.",
		},
		screening: []string{
			"Hallo. Wenn du deinen Namen und den Grund deines Anrufs nennst, sehe ich nach, ob diese Person " +
				"verfügbar ist.",
			"Die angerufene Person verwendet einen Anruffilter von Google und erhält eine Kopie dieses Gesprächs.",
			"Sagen Sie bitte Ihren Namen und warum Sie anrufen.",
			"Hier ist die virtuelle Assistentin von Anna. Bitte nennen Sie Ihren Namen und Ihr Anliegen.",
			"Was ist der Grund Ihres Anrufs?",
		},
		menu: []string{
			"Für den Vertrieb drücken Sie bitte die 1. Für den Kundendienst drücken Sie die 2.",
			"Alle unsere Mitarbeiter befinden sich im Gespräch.",
			"Bitte haben Sie etwas Geduld, der nächste freie Mitarbeiter ist für Sie da.",
			"Zu Schulungszwecken kann das Gespräch aufgezeichnet werden. Das Gespräch wird aufgezeichnet.",
			"Unsere Öffnungszeiten sind Montag bis Freitag von neun bis siebzehn Uhr.",
		},
		hold: []string{
			"Einen Moment, bitte.", "Moment, ich hole sie.", "Ja, Sekunde, ich gebe Ihnen meine Frau.",
			"Bleiben Sie dran.", "Augenblick, ich verbinde Sie.", "Ich schau mal, ob er da ist.",
		},
		robot: []string{
			"Sind Sie ein Roboter?", "Ist das eine Aufnahme?", "Spreche ich mit einem echten Menschen?",
			"Sind Sie echt?", "Rede ich hier mit einer Maschine?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Sie haben die falsche Nummer.", "Da sind Sie falsch verbunden.", "Sie haben sich verwählt.",
				"Hier gibt es niemanden mit diesem Namen.", "Hier wohnt keine Frau Becker.",
				"Sie wohnt hier nicht mehr.", "Nein, das ist nicht mehr seine Nummer.",
				"Ich kenne keinen Herrn Becker.", "Er ist vor einem Jahr weggezogen.",
				"Ich habe diese Nummer erst seit zwei Wochen.",
			},
			Deceased: []string{
				"Er ist letzte Woche gestorben.", "Meine Frau ist leider verstorben.", "Sie ist tot.",
				"Mein Vater ist im März von uns gegangen.", "Herr Becker lebt nicht mehr.",
				"Frau Keller ist vor zwei Jahren verstorben.", "Tut mir leid, sie ist vor kurzem verstorben.",
				"Wir haben ihn gestern beerdigt.", "Nein, der ist gestorben.",
			},
			Minor: []string{
				"Mama ist nicht da.", "Meine Mama ist gerade unter der Dusche.", "Ich bin erst sieben.",
				"Ich bin sechs Jahre alt.", "Meine Eltern sind nicht zu Hause.", "Ich bin doch nur ein Kind.",
				"Ich darf nicht mit Fremden reden.", "Soll ich die Mama holen?", "Papa schläft.",
			},
			Busy: []string{
				"Ich bin gerade am Steuer.", "Ich fahre gerade Auto.", "Ich bin in einer Besprechung.",
				"Das passt mir gerade nicht.", "Ich kann gerade nicht sprechen.", "Ich habe jetzt keine Zeit.",
				"Nein, das ist ein ganz schlechter Zeitpunkt.", "Ich bin gerade beschäftigt.",
				"Nein, jetzt ist es schlecht.", "Ich bin auf der Arbeit.",
			},
			CallBack: []string{
				"Rufen Sie mich in einer Stunde zurück.", "Können Sie später noch mal anrufen?",
				"Rufen Sie bitte morgen wieder an.", "Ruf mich heute Abend an.",
				"Ich fahre gerade, rufen Sie in einer Stunde noch einmal an.", "Rufen Sie mich nicht vor zwölf an.",
				"Können wir morgen sprechen?", "Er ist um sechs wieder da.", "Melden Sie sich am Montag noch mal.",
				"Versuchen Sie es später noch einmal.",
			},
			WantsHuman: []string{
				"Kann ich mit einem Menschen sprechen?", "Ich möchte mit einem Mitarbeiter reden.",
				"Verbinden Sie mich mit einem echten Menschen.", "Ich rede nicht mit Maschinen.", "Mitarbeiter, bitte.",
				"Gibt es da auch einen richtigen Menschen?", "Ich will eine echte Person.",
				"Mit Robotern rede ich nicht, geben Sie mir einen Mitarbeiter.",
			},
		},
		callBack: map[string]string{
			"Rufen Sie mich in einer Stunde zurück.":    "2026-11-25 11:07",
			"Rufen Sie in zwanzig Minuten noch mal an.": "2026-11-25 10:27",
			"Rufen Sie mich in einer halben Stunde an.": "2026-11-25 10:37",
			"Rufen Sie mich in anderthalb Stunden an.":  "2026-11-25 11:37",
			"Rufen Sie morgen früh an.":                 "2026-11-26 09:00",
			"Rufen Sie mich heute Abend an.":            "2026-11-25 18:00",
			"Können Sie mich um vier anrufen?":          "2026-11-25 16:00",
			"Rufen Sie um halb fünf noch mal an.":       "2026-11-25 16:30",
			"Rufen Sie um Viertel vor fünf an.":         "2026-11-25 16:45",
			"Rufen Sie um 16:30 Uhr an.":                "2026-11-25 16:30",
			"Rufen Sie mich am Montag an.":              "2026-11-30 10:07",
			"Rufen Sie am Montagabend an.":              "2026-11-30 18:00",
			"Rufen Sie am Freitag um zwei an.":          "2026-11-27 14:00",
			"Können Sie nach fünf anrufen?":             "2026-11-25 17:00",
			"Rufen Sie mich nicht vor zwölf an.":        "2026-11-25 12:00",
			"Rufen Sie übermorgen um 9 Uhr morgens an.": "2026-11-27 09:00",
			"Rufen Sie um vier Uhr dreißig an.":         "2026-11-25 16:30",
			"Rufen Sie später wieder an.":               "",
		},
		person: []string{
			"Meine Mama ist krank.", "Mir geht es nicht gut.", "Das passt mir nicht.", "Nein, das geht nicht.",
			"Nein, ich hatte keine Zeit.", "Das ist schlecht.", "Montag passt nicht.", "Ja.", "Nein.", "Hallo?",
			"Ja, hallo?", "Becker.", "Am Apparat.", "Wer ist da?", "Ja, am Montag.",
			"Ich habe eine Nachricht hinterlassen.", "Er hat mich nie zurückgerufen.",
			"Nein, ich war letzte Woche beschäftigt.", "Ich bin am Montag beschäftigt.", "Mein Handy ist tot.",
			"Meine Mutter hat mich hingefahren.", "Ich bin siebzig Jahre alt.", "Ja, ich wohne hier.",
			"Nein, ich wohne nicht allein.", "In einer Stunde.", "Morgen früh.", "Um vier Uhr.",
			"Ja, ich habe mit einem Arzt gesprochen.", "Nein, niemand war da gestern.", "Es war die falsche Medizin.",
			"Ich habe keine Schmerzen.", "Der Termin ist morgen.", "Ja, ich habe Zeit.", "Nein, noch nicht.",
			"Vielleicht später.", "Ich bin gestern umgezogen.", "Ja, mein Mann ist hier.",
			"Ich habe den Arzt angerufen.", "Bitte machen Sie schnell, ich muss bald los.",
			"Der Ton in dem Brief war unfreundlich.",
		},
	}.checkWho(t, "de-DE")
}
