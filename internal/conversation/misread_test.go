package conversation

import (
	"strings"
	"testing"
)

// misread are sentences of a language that sound like something else.
type misread struct {
	ask     string   // a question for yes or no, in words that people use to ask us to wait
	hold    []string // two clauses that ask to wait
	deny    string   // yes, then no, then why not
	aside   []string // answers nothing
	idiom   []string // nobody has died, and nobody has a wrong number
	dead    string   // somebody has died
	between string   // call me between two and four
	minor   string   // a child says its age
	age     string   // asks for an age
	scale   string   // asks for another number
	busy    string   // tells the time, and has none
	glad    string   // no problem
}

var misreads = map[string]misread{
	"en-US": {
		"Do you have a moment, please?", []string{"One moment, don't hang up.", "Hold on, she's in the garden."},
		"Yeah, no, that doesn't work.",
		[]string{"She's not here right now.", "That's not her.", "I can't hear anything."},
		[]string{
			"My husband passed his exam.", "My dad is dead tired.", "My wife nearly died.", "What's the wrong number?",
		},
		"My husband passed last month.", "Call me between two and four.", "I'm only seven.", "How old are you?",
		"How likely are you to recommend us, from 0 to 10?", "It's 3 pm, I'm busy.", "No problem.",
	},
	"fr-FR": {
		"Avez-vous un moment, et êtes-vous satisfait ?",
		[]string{"Ne quittez pas, je vous la passe.", "Un instant, ne raccrochez pas."},
		"Oui, non, ça ne marche pas.", []string{"Je n'entends pas.", "Ce n'est pas elle.", "Elle n'est pas là."},
		[]string{"Mon mari est mort de fatigue.", "Ma femme est morte de rire.", "C'est quoi le mauvais numéro ?"},
		"Mon mari est mort.", "Rappelez-moi entre deux heures et quatre heures.", "J'ai sept ans.",
		"Quel âge avez-vous ?", "De 0 à 10, quelle note donnez-vous ?", "Il est 3 heures, je suis occupé.",
		"Pas de problème.",
	},
	"es-ES": {
		"¿Tiene un momento ahora?", []string{"Un momento, no cuelgue.", "Espere, no cuelgue."},
		"Sí, no, eso no funciona.", []string{"Ella no está.", "No es ella.", "No oigo nada."},
		[]string{
			"Mi marido está muerto de cansancio.", "Mi mujer está muerta de hambre.", "¿Cuál es el número equivocado?",
		},
		"Mi marido está muerto.", "Llámeme entre las dos y las cuatro.", "Tengo siete años.", "¿Qué edad tiene?",
		"¿Qué nota nos da, de 0 a 10?", "Son las 3, estoy ocupado.", "No hay problema.",
	},
	"it-IT": {
		"Ha un attimo, un momento?", []string{"Un attimo, non riattacchi.", "Aspetti, non riattacchi."},
		"Sì, no, così non va.", []string{"Lei non c'è.", "Non è lei.", "Non sento."},
		[]string{"Mio marito è morto di stanchezza.", "Mia moglie è morta dal ridere.", "Qual è il numero sbagliato?"},
		"Mio marito è morto.", "Mi chiami tra le due e le quattro.", "Ho sette anni.", "Quanti anni ha?",
		"Che voto ci dà, da 0 a 10?", "Sono le 3, sono in riunione.", "Non c'è problema.",
	},
	"pt-BR": {
		"Você tem um momento?", []string{"Um momento, não desligue.", "Espere, não desligue."},
		"Sim, não, isso não funciona.", []string{"Ela não está.", "Não é ela.", "Não ouço."},
		[]string{"Meu marido está morto de cansaço.", "Minha mulher está morta de fome.", "Qual é o número errado?"},
		"Meu marido está morto.", "Me ligue entre as duas e as quatro.", "Tenho sete anos.", "Qual é a sua idade?",
		"Que nota você nos dá, de 0 a 10?", "São 3 horas da tarde, estou ocupado.", "Sem problema.",
	},
	"de-DE": {
		"Haben Sie einen Moment?", []string{"Moment, legen Sie nicht auf.", "Einen Augenblick, bitte nicht auflegen."},
		"Ja, nein, das geht nicht.", []string{"Sie ist nicht da.", "Das ist sie nicht.", "Ich höre nichts."},
		[]string{
			"Mein Mann ist vor Lachen fast gestorben.", "Meine Frau ist halb tot.", "Was ist die falsche Nummer?",
		},
		"Mein Mann ist gestorben.", "Rufen Sie mich zwischen zwei und vier an.", "Ich bin sieben.", "Wie alt sind Sie?",
		"Wie bewerten Sie uns von 0 bis 10?", "Es ist 3 Uhr, ich bin beschäftigt.", "Kein Problem.",
	},
	"nl-NL": {
		"Heeft u een moment?", []string{"Een moment, niet ophangen.", "Wacht even, hang niet op."},
		"Ja, nee, dat werkt niet.", []string{"Ze is er niet.", "Dat is ze niet.", "Ik hoor niets."},
		[]string{"Mijn man is dood moe.", "Mijn vrouw is bijna dood van het lachen.", "Wat is het verkeerde nummer?"},
		"Mijn man is dood.", "Bel me tussen twee en vier.", "Ik ben pas zeven.", "Hoe oud bent u?",
		"Welk cijfer geeft u ons, van 0 tot 10?", "Het is 3 uur, ik ben bezig.", "Geen probleem.",
	},
	"da-DK": {
		"Har du et øjeblik?", []string{"Et øjeblik, læg ikke på.", "Vent lige, læg ikke på."},
		"Ja, nej, det går ikke.", []string{"Hun er her ikke.", "Det er ikke hende.", "Jeg kan ikke høre."},
		[]string{"Min mand er død af grin.", "Min kone er død træt.", "Hvad er det forkerte nummer?"},
		"Min mand er død.", "Ring til mig mellem to og fire.", "Jeg er kun syv.", "Hvor gammel er du?",
		"Hvilken karakter giver du os fra 0 til 10?", "Klokken er 3, jeg har travlt.", "Det er ikke noget problem.",
	},
	"nb-NO": {
		"Har du et øyeblikk?", []string{"Et øyeblikk, ikke legg på.", "Vent litt, ikke legg på."},
		"Ja, nei, det går ikke.", []string{"Hun er ikke her.", "Det er ikke henne.", "Jeg hører ikke."},
		[]string{"Mannen min er død av latter.", "Kona mi er død sliten.", "Hva er feil nummer?"},
		"Mannen min er død.", "Ring meg mellom to og fire.", "Jeg er bare sju.", "Hvor gammel er du?",
		"Hvilken karakter gir du oss fra 0 til 10?", "Klokka er 3, jeg er opptatt.", "Ikke noe problem.",
	},
	"sv-SE": {
		"Har du ett ögonblick?", []string{"Ett ögonblick, lägg inte på.", "Vänta lite, lägg inte på."},
		"Ja, nej, det går inte.", []string{"Hon är inte här.", "Det är inte hon.", "Jag hör inte."},
		[]string{"Min man dog av skratt.", "Min fru är död trött.", "Vad är fel nummer?"},
		"Min man är död.", "Ring mig mellan två och fyra.", "Jag är bara sju.", "Hur gammal är du?",
		"Vilket betyg ger du oss från 0 till 10?", "Klockan är 3, jag är upptagen.", "Inga problem.",
	},
	"pl-PL": {
		"Czy ma pani chwileczkę?",
		[]string{"Chwileczkę, proszę się nie rozłączać.", "Moment, proszę się nie rozłączać."},
		"Tak, nie, to nie działa.", []string{"Nie ma jej w domu.", "To nie ona.", "Nie słyszę."},
		[]string{"Mąż umarł ze śmiechu.", "Żona prawie umarła.", "Jaki to zły numer?"},
		"Mąż umarł.", "Proszę zadzwonić między drugą a czwartą.", "Mam siedem lat.", "Ile ma pani lat?",
		"Jaką ocenę nam pani daje, od 0 do 10?", "Jest godzina 3, jestem zajęty.", "Nie ma problemu.",
	},
	"cs-CZ": {
		"Máte chvilku?", []string{"Chvilku, prosím nezavěšujte.", "Moment, nepokládejte to."},
		"Ano, ne, to nejde.", []string{"Není doma.", "To není ona.", "Neslyším."},
		[]string{"Manžel málem umřel.", "Manželka umřela smíchy.", "Jaké je to špatné číslo?"},
		"Manžel umřel.", "Zavolejte mi mezi druhou a čtvrtou.", "Je mi sedm.", "Kolik je vám let?",
		"Jakou známku nám dáte, od 0 do 10?", "Jsou 3 hodiny, nemám čas.", "Žádný problém.",
	},
	"ro-RO": {
		"Aveți un moment?", []string{"Un moment, nu închideți.", "Așteptați, nu închideți."},
		"Da, nu, asta nu merge.", []string{"Nu e acasă.", "Nu e ea.", "Nu aud."},
		[]string{"Soțul meu e mort de oboseală.", "Soția mea e moartă de foame.", "Care e numărul greșit?"},
		"Soțul meu e mort.", "Sunați-mă între două și patru.", "Am șapte ani.", "Câți ani aveți?",
		"Ce notă ne dați, de la 0 la 10?", "Este ora 3, sunt ocupat.", "Nicio problemă.",
	},
	"el-GR": {
		"Έχετε μια στιγμή;", []string{"Μια στιγμή, μην κλείσετε.", "Περιμένετε, μην κλείσετε το τηλέφωνο."},
		"Ναι, όχι, δεν γίνεται.", []string{"Δεν είναι εδώ.", "Δεν είναι αυτή.", "Δεν ακούω."},
		[]string{
			"Ο άντρας μου πέθανε στα γέλια.", "Η γυναίκα μου πέθανε από την κούραση.", "Ποιο είναι το λάθος νούμερο;",
		},
		"Ο άντρας μου πέθανε.", "Πάρτε με μεταξύ δύο και τέσσερις.", "Είμαι επτά χρονών.", "Τι ηλικία έχετε;",
		"Τι βαθμό μας δίνετε, από 0 έως 10;", "Η ώρα είναι 3, οδηγώ.", "Κανένα πρόβλημα.",
	},
	"tr-TR": {
		"Bir dakikanız var mı?", []string{"Bir dakika, kapatmayın.", "Bekleyin, telefonu kapatmayın."},
		"Evet, hayır, bu olmaz.", []string{"Evde değil.", "O değil.", "Duyamıyorum."},
		[]string{"Kocam gülmekten öldü.", "Karım yorgunluktan öldü.", "Yanlış numara hangisi?"},
		"Kocam öldü.", "Beni saat iki ile dört arasında arayın.", "Yedi yaşındayım.", "Kaç yaşındasınız?",
		"Bize 0 ile 10 arasında kaç puan verirsiniz?", "Saat 3, meşgulüm.", "Sorun değil.",
	},
}

// What sounds like an answer or a wish is none, and what is one is taken, in every language.
func TestMisreads(t *testing.T) {
	t.Parallel()
	low, high := limits(0, 10)
	for _, tag := range LanguageTags() {
		m, ok := misreads[tag]
		if !ok {
			if !strings.Contains(" en-GB en-AU en-IN de-AT de-CH es-MX es-US fr-CA nl-BE pt-PT sv-FI ", " "+tag+" ") {
				t.Errorf("%s has no sentences", tag)
			}
			continue
		}
		closed, scale := Question{Expect: YesNo}, Question{Expect: Number, Min: low, Max: high}
		says := func(heard string, q Question, ask string, want ...string) {
			t.Helper()
			if ask != "" {
				q.Ask = ask
			}
			got := meaningAsked(tag, q, heard)
			for _, w := range want {
				if got == w {
					return
				}
			}
			t.Errorf("%s: %q to %q means %s, want %s", tag, heard, q.Ask, got, strings.Join(want, " or "))
		}
		for _, heard := range m.hold {
			says(heard, closed, m.ask, "on_hold")
			says(heard, closed, "#", "on_hold")
			says(heard, scale, m.scale, "on_hold")
		}
		says(m.deny, closed, "#", "false")
		for _, heard := range m.aside {
			says(heard, closed, "#", "no answer", "repeat")
		}
		for _, heard := range m.idiom {
			says(heard, closed, "#", "no answer", "repeat", "skip", "true", "false")
		}
		says(m.dead, closed, "#", "deceased")
		says(m.minor, scale, m.scale, "minor")
		says(m.minor, scale, m.age, "7")
		says(m.busy, scale, m.scale, "busy")
		says("8", scale, m.scale, "8")

		state, _ := Start(Script{Language: tag, Greeting: "@", Questions: []Question{closed}}, nil, true)
		called, _ := Step(state, Prompt{Text: m.between, At: wednesday})
		if called.Intent != CallBack || called.CallBackAt == nil ||
			called.CallBackAt.In(wednesday.Location()).Format("02 15:04") != "25 14:00" {
			t.Errorf("%s: %q is %s at %v", tag, m.between, called.Intent, called.CallBackAt)
		}
		state, _ = Step(state, Prompt{Text: m.glad})
		if a := Analyze(state); a.Sentiment == Negative {
			t.Errorf("%s: %q is %s", tag, m.glad, a.Sentiment)
		}
	}
}

// Who says "wait" and goes on speaking does not ask us to wait.
func TestWaitIsNotAlwaysAWait(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tag   string
		q     Question
		heard string
		want  string
	}{
		{"en-US", Question{Expect: YesNo}, "Wait, no.", "false"},
		{"en-US", Question{Expect: YesNo}, "Hold on, yes, I did.", "true"},
		{"en-US", Question{Expect: YesNo}, "Wait, what?", "repeat"},
		{"en-US", Question{Expect: YesNo}, "One moment, I'm driving.", "busy"},
		{"en-US", Question{Expect: Number}, "Wait, five.", "5"},
		{"en-US", Question{Expect: Text}, "Wait, I want to mention the bill.", "Wait, I want to mention the bill."},
		{"en-US", Question{Expect: Choice, Options: []string{"Wait", "Cancel"}}, "Wait, please.", "Wait"},
		{"de-DE", Question{Expect: Number}, "Moment, sieben.", "7"},
		{"fr-FR", Question{Expect: YesNo}, "Attendez, oui.", "true"},
		{"es-ES", Question{Expect: YesNo}, "Espere, no.", "false"},
	} {
		q := c.q
		q.Ask = "Shall we wait or cancel?"
		if got := meaningAsked(c.tag, q, c.heard); got != c.want {
			t.Errorf("%s: %q means %s, want %s", c.tag, c.heard, got, c.want)
		}
	}
}

// The first words decide, and of "yeah, no" the last.
func TestYeahNo(t *testing.T) {
	t.Parallel()
	for heard, want := range map[string]string{
		"Yeah, no, that doesn't work.": "false", "Yeah. No. That doesn't suit me.": "false",
		"No, yes, that suits me.": "true", "Yes, but not on Mondays.": "true", "Yes, no pain.": "true",
		"Yes, no, I mean yes, it does.": "true", "No, thank you, yes, really.": "true",
		"No, she's not here.": "false", "It's her, she's not here though.": "no answer",
	} {
		if got := meaningOf("en-US", Question{Expect: YesNo}, heard); got != want {
			t.Errorf("%q means %s, want %s", heard, got, want)
		}
	}
}
