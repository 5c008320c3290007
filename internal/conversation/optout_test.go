package conversation

import (
	"strings"
	"testing"
)

func TestOptsOut(t *testing.T) {
	t.Parallel()
	for language, cases := range map[string]map[string]bool{
		"en-US": {
			"stop": true, "Stop.": true, "STOP!": true, "Stop, please.": true, "No. Stop.": true, "please stop": true,
			"just stop it":   true,
			"stop stop stop": true, "Uh, can you stop?": true, "I said stop": true, "I want you to stop.": true,
			"Stop! I don't want this.": true,
			"Stop calling me.":         true, "please stop calling this number": true, "would you stop calling": true,
			"stop calling me, you people":   true,
			"I want you to stop calling me": true, "stop all these calls": true, "Stop making these calls": true,
			"quit calling me":      true,
			"Don't call me again.": true, "dont call me anymore": true, "Do not call me.": true,
			"never call this number again": true, "please don't call here anymore": true,
			"I don't want you to call me again": true, "I don't want any more calls": true,
			"no more calls please": true, "I do not wish to be contacted": true,
			"take me off your list": true, "Take me off of your damn calling list": true, "remove my number": true,
			"Could you remove me from your list, please?": true,
			"put me on your do not call list":             true, "unsubscribe": true, "I'd like to opt out": true,
			"opt me out": true, "leave me alone": true, "lose my number": true,
			"why don't you stop calling me": true, "Can't you stop calling?": true,
			"I don't care, stop calling me": true, "I told you not to call me again": true,
			"I don't want to hear from you": true, "yes stop": true, "I want to stop receiving these calls": true,

			"don't stop": false, "Please don't stop.": false, "Don't stop calling me.": false,
			"I never said stop calling": false, "I don't want you to stop calling me": false,
			"you don't have to stop calling": false,
			"Stop by tomorrow":               false, "could you stop by on Monday": false, "the bus stop": false,
			"I'm at the bus stop": false, "Bus stop.": false, "It's the last stop": false,
			"I can't stop coughing": false, "full stop": false, "non-stop": false, "nonstop": false,
			"the phone won't stop ringing": false, "I had to stop calling the doctor": false,
			"I stopped calling them": false, "I will stop calling my brother": false, "stop sign": false,
			"don't call me before noon": false, "Don't call me now, call tomorrow": false,
			"They never call me back": false, "why don't you call me": false,
			"if you don't call me again I'd be sad": false, "call me again tomorrow": false,
			"yes": false, "No.": false, "no thanks": false, "take me off the waiting list": false,
			"I don't know": false, "don't unsubscribe me": false, "I did not opt out": false,
			"don't lose my number": false, "please don't leave me alone": false, "who is calling?": false,
			"one stop shop": false, "it stops hurting at night": false, "put me on the list": false, "nine": false,
			"": false, "...": false,
		},
		"es-ES": {
			"stop": true, "Pare.": true, "pare, por favor": true, "basta ya": true, "No me llame más": true,
			"no me llamen nunca más": true, "No vuelvan a llamarme": true, "no me vuelva a llamar": true,
			"Deje de llamarme": true, "dejen de molestarme por favor": true, "quítenme de la lista": true,
			"Quíteme de su lista, por favor": true, "quiero darme de baja": true, "Borren mi número": true,
			"no quiero más llamadas": true, "No quiero que me llamen más": true, "no me llame": true,
			"déjenme en paz": true,
			"no pare":        false, "No deje de llamarme": false, "la parada de autobús": false,
			"no me llamo Juan": false, "no me llame antes de las diez": false, "No me llamen más tarde": false,
			"llámeme más tarde": false, "para mañana": false, "sin parar": false, "No": false,
			"dejé de llamar al médico": false, "lista de espera": false, "tengo la presión baja": false,
			"no vuelvan a llamarme hasta mañana": false,
		},
		"de-DE": {
			"Stopp": true, "stop bitte": true, "Hören Sie auf!": true, "Hören Sie bitte auf, mich anzurufen": true,
			"Rufen Sie mich nicht mehr an": true, "rufen Sie mich nie wieder an": true,
			"Bitte rufen Sie mich nicht an.":         true,
			"ich möchte nicht mehr angerufen werden": true, "keine Anrufe mehr": true,
			"Streichen Sie mich von der Liste": true, "Löschen Sie meine Nummer": true,
			"Nehmen Sie mich bitte aus Ihrer Liste": true,
			"lassen Sie mich in Ruhe":               true, "Ich will keine Werbeanrufe": true,
			"nie wieder anrufen": true, "Ich will nicht, dass Sie mich wieder anrufen": true,
			"Ich möchte nicht, dass Sie hier noch einmal anrufen.": true, "Ich hoffe, dass Sie morgen anrufen": false,
			"Ich möchte nicht, dass Sie vor zehn anrufen": false, "Schluss jetzt": true,
			"Bushaltestelle": false, "ich kann nicht aufhören zu husten": false, "hören Sie nicht auf": false,
			"Hören Sie auf meinen Rat": false, "rufen Sie mich nicht vor zehn an": false,
			"Rufen Sie mich morgen an":      false,
			"ich konnte nicht mehr anrufen": false, "Löschen Sie meine Nummer bitte nicht": false,
			"rufen Sie mich nicht mehr heute an": false, "Nein": false, "ich hatte keine Anrufe": false,
			"Setzen Sie mich auf die Warteliste": false, "das ist halt so": false,
		},
		"fr-FR": {
			"stop": true, "Arrêtez": true, "Arrêtez, s'il vous plaît": true, "arrêtez de m'appeler": true,
			"Ne m'appelez plus": true, "ne m'appelez plus jamais": true, "m'appelez plus": true,
			"cessez ces appels":          true,
			"Retirez-moi de votre liste": true, "supprimez mon numéro": true, "je ne veux plus être appelé": true,
			"je ne veux plus recevoir d'appels": true, "laissez-moi tranquille": true, "je veux me désinscrire": true,
			"plus d'appels": true,
			"n'arrêtez pas": false, "N'arrêtez pas de m'appeler": false, "l'arrêt de bus": false,
			"ne m'appelez pas avant dix heures": false, "rappelez plus tard": false, "Appelez-moi plus tard": false,
			"ne m'appelez plus tard": false,
			"j'ai arrêté de fumer":   false, "il n'arrête pas de m'appeler": false, "il ne m'appelle plus": false,
			"Non": false, "je suis sur liste d'attente": false, "je ne veux pas être appelé le matin": false,
		},
		"pt-BR": {
			"pare": true, "Pare, por favor": true, "stop": true, "não me ligue mais": true, "Não me liguem mais": true,
			"nunca mais me ligue": true, "pare de me ligar": true, "parem com essas ligações": true,
			"tire meu número da lista": true, "Me tira da lista": true, "não quero mais receber ligações": true,
			"remova o meu número": true, "me deixem em paz": true, "não voltem a ligar": true,
			"quero me descadastrar": true,
			"não pare":              false, "Não pare de me ligar": false, "ponto de ônibus": false,
			"parada de ônibus": false, "não me ligue antes das dez": false, "me ligue mais tarde": false,
			"não me ligue mais tarde": false,
			"para amanhã":             false, "Não": false, "lista de espera": false, "não remova meu número": false,
		},
		"it-IT": {
			"stop": true, "Basta!": true, "Smettetela": true, "basta, per favore": true, "Non mi chiami più": true,
			"non mi chiamate mai più": true, "smettete di chiamarmi": true, "toglietemi dalla lista": true,
			"Mi tolga dalla vostra lista": true, "cancellate il mio numero": true,
			"non voglio più essere chiamata": true, "non voglio più ricevere telefonate": true,
			"lasciatemi in pace": true, "basta telefonate": true,
			"fermata dell'autobus": false, "non smettete di chiamarmi": false, "non mi chiamo Marco": false,
			"non mi chiami prima delle dieci": false, "chiami più tardi": false, "Non mi chiami più tardi": false,
			"No": false, "mio figlio non mi chiama più": false, "lista d'attesa": false, "ho smesso di fumare": false,
		},
		"nl-NL": {"stop": true, "Stop.": true, "please stop calling me": true, "de bushalte": false, "ja": false},
	} {
		for heard, want := range cases {
			if got := OptsOut(heard, language); got != want {
				t.Errorf("%s: %q opts out: %t", language, heard, got)
			}
		}
	}
	// English works whatever the agent's language.
	for _, language := range []string{"de", "es-MX", "fr-CA", "pt-PT", "it", "ja", ""} {
		if !OptsOut("Stop calling me.", language) {
			t.Errorf("%q does not understand English", language)
		}
	}
}

func BenchmarkOptsOut(b *testing.B) {
	long := Clean(
		strings.Repeat("I wanted to tell you about the garden because it is lovely and don't you know the roses ", 60),
	)
	for name, heard := range map[string]string{"short": "Yes, I saw Dr. Amin on Tuesday.", "long": long} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				OptsOut(heard, "fr-FR")
			}
		})
	}
}

// A missing cue would hide a phrase, so this test tries the phrases without the check
// of cues.
func TestCuesHideNothing(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		tag, t1 := l.tag, l.tongue()
		for _, heard := range []string{
			"stop making these calls", "i don't want to hear from you", "take me off your list", "leave me alone",
			"delete my number", "opt out please now",
			"rufen sie nie wieder an", "ich will nicht mehr belästigt werden", "melden Sie sich nicht mehr",
			"stoppen sie diese anrufe", "lass mich in frieden", "nehmen sie mich aus der kartei",
			"deje de molestarme", "saquen mi nombre", "den de baja mi número", "déjeme tranquilo",
			"bórreme del sistema",
			"fichez moi la paix", "rayez mon nom", "me retirer de la liste", "cessez vos appels", "m'embêtez plus",
			"me deixa em paz", "exclua-me da lista", "cancelar minha inscrição", "apague meus dados",
			"me tirem desta lista",
			"mi lasci stare", "annullare l'iscrizione", "depennatemi dalla lista", "finitela di rompere",
			"mi levi dall'elenco",
		} {
			for _, c := range clauses(heard) {
				if t1.stop.MatchString(strings.Join(c, " ")) && !t1.cued(c) {
					t.Errorf("%s: %q has no cue", tag, heard)
				}
			}
		}
	}
}
