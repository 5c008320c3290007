package sandbox

import (
	"regexp"
	"strings"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/simulation"
)

// words are the sentences of a recipient for an agent in a language other than English. Each
// sentence means something to the agent.
type words struct{ yes, no, hello, who, stop, bye, speak string }

// abroad maps the first part of a language tag to the words of the language.
var abroad = map[string]words{
	"cs": {"Ano.", "Ne.", "Haló?", "Kdo volá?", "Stop. Už mi nevolejte.", "Děkuji, na shledanou.", "Mluvíte česky?"},
	"da": {"Ja.", "Nej.", "Hallo?", "Hvem er det?", "Stop. Ring ikke til mig igen.", "Tak, farvel.",
		"Taler du dansk?"},
	"de": {"Ja.", "Nein.", "Hallo?", "Wer ist da?", "Stopp. Rufen Sie mich nicht mehr an.", "Danke, auf Wiederhören.",
		"Sprechen Sie Deutsch?"},
	"el": {"Ναι.", "Όχι.", "Παρακαλώ;", "Ποιος είναι;", "Στοπ. Μη με ξαναπάρετε.", "Ευχαριστώ, γεια σας.",
		"Μιλάτε ελληνικά;"},
	"es": {"Sí.", "No.", "¿Hola?", "¿Quién es?", "Pare. No me llame más.", "Gracias, adiós.", "¿Habla español?"},
	"fr": {"Oui.", "Non.", "Allô ?", "Qui est-ce ?", "Stop. Ne m'appelez plus.", "Merci, au revoir.",
		"Vous parlez français ?"},
	"it": {"Sì.", "No.", "Pronto?", "Chi parla?", "Stop. Non mi chiami più.", "Grazie, arrivederci.",
		"Parla italiano?"},
	"nb": {"Ja.", "Nei.", "Hallo?", "Hvem er det?", "Stopp. Ikke ring meg igjen.", "Takk, ha det.",
		"Snakker du norsk?"},
	"nl": {"Ja.", "Nee.", "Hallo?", "Wie is dit?", "Stop. Bel mij niet meer.", "Dank u, tot ziens.",
		"Spreekt u Nederlands?"},
	"pl": {"Tak.", "Nie.", "Halo?", "Kto mówi?", "Stop. Proszę do mnie nie dzwonić.", "Dziękuję, do widzenia.",
		"Czy mówi pan po polsku?"},
	"pt": {"Sim.", "Não.", "Alô?", "Quem fala?", "Pare. Não me ligue mais.", "Obrigado, até logo.",
		"Você fala português?"},
	"ro": {"Da.", "Nu.", "Alo?", "Cine este?", "Stop. Nu mă mai sunați.", "Mulțumesc, la revedere.",
		"Vorbiți română?"},
	"sv": {"Ja.", "Nej.", "Hallå?", "Vem är det?", "Stopp. Ring inte mig igen.", "Tack, hej då.",
		"Pratar du svenska?"},
	"tr": {"Evet.", "Hayır.", "Alo?", "Kim arıyor?", "Dur. Beni bir daha aramayın.", "Teşekkürler, hoşça kalın.",
		"Türkçe konuşuyor musunuz?"},
}

// wordsIn returns the words for a language tag. ok is false for English and for languages that no
// agent speaks.
func wordsIn(tag string) (w words, ok bool) {
	w, ok = abroad[baseOf(tag)]
	return w, ok
}

// baseOf is the first part of a language tag. Norwegian has two.
func baseOf(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if base == "no" {
		return "nb"
	}
	return base
}

// linesIn returns the lines for a language tag. A language without lines gets English ones.
func linesIn(tag string) lines {
	if l, ok := linesAbroad[baseOf(tag)]; ok {
		return l
	}
	return english
}

// asked returns the last question in the heard text, or "" without a question. The Greek question
// mark is a semicolon.
func asked(heard string) string {
	end := strings.LastIndexAny(heard, "?;")
	if end < 0 {
		return ""
	}
	return heard[strings.LastIndexAny(heard[:end], ".!?;")+1 : end+1]
}

var (
	emailAbroad = regexp.MustCompile(`mail|mejl|correo|courriel|e-?post|μέιλ|ηλεκτρονικ`)
	phoneAbroad = regexp.MustCompile(`telefon|téléphone|teléfono|telefoon|τηλεφών|τηλέφων|mobil|móvil|celular|cellulare`)
)

// answer returns an email address or a phone number if the question speaks of one, and else yes or
// no, depending on the number and the question. If the agent asks for the second time, answer
// returns what it did not the first time: a number, which may also be a day, an hour, or the place
// of a choice.
func (w words) answer(number, question string, times int) string {
	switch {
	case emailAbroad.MatchString(question) && times == 1:
		return "anna@example.com"
	case phoneAbroad.MatchString(question) && times == 1:
		return phone.Format(phone.Number(number))
	case emailAbroad.MatchString(question) || phoneAbroad.MatchString(question):
		return w.yes
	case times == 2:
		return "2"
	case simulation.Draw(number, question).IntN(4) == 0:
		return w.no
	}
	return w.yes
}
