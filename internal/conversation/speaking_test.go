package conversation

import (
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
)

// bilingual is modelCheckIn with Spanish, whose questions are translated.
func bilingual() Script {
	s := modelCheckIn()
	s.Languages = []Translation{
		{Language: "es-US", Wording: Wording{Greeting: "Hola {{first_name}}, le habla {{agent}}."}},
		{Language: "fr-FR"},
	}
	s.Questions = slices.Clone(s.Questions)
	for i := range s.Questions {
		s.Questions[i].Asks = map[string]string{"es-US": "¿Pregunta " + s.Questions[i].Key + "?"}
	}
	s.Questions[2].TranslatedOptions = map[string][]string{"es-US": {"Visita a domicilio", "Llamada telefónica"}}
	return s
}

const spanishDisclosure = "Esta es una llamada automática. Pulse 9 o diga «stop» en cualquier momento y no " +
	"volveremos a llamarle."

// did is what told says, and whether the model is asked.
func did(actions []Action) string {
	if slices.Contains(actions, Action(Think{})) {
		return strings.TrimSpace(told(actions) + " think")
	}
	return told(actions)
}

func TestLanguageOfTheRecipient(t *testing.T) {
	t.Parallel()
	s := bilingual()
	for wanted, want := range map[string]string{
		"": "en-US", "es": "es-US", "es-MX": "es-US", "ES_us": "es-US", "Spanish": "es-US", " Español ": "es-US",
		"French": "fr-FR", "français": "fr-FR", "en-GB": "en-US", "de": "en-US", "Klingon": "en-US", "{{x}}": "en-US",
	} {
		if got := s.Choose(wanted); got != want {
			t.Errorf("%q: %s, want %s", wanted, got, want)
		}
	}
	s.VoicemailMessage = "Call us."
	state, actions := Start(s, map[string]any{"language": "es", "first_name": "Ana", "agent": "Nora"}, true)
	if state.Speaking() != "es-US" || did(actions) != "say Hola Ana, le habla Nora. say "+spanishDisclosure+" think" {
		t.Errorf("began in %s: %s", state.Speaking(), did(actions))
	}
	if !strings.Contains(state.Request().Messages[1].Text, "Spanish (es-US)") {
		t.Errorf("the model sees %v", state.Request().Messages)
	}
	_, actions = Step(state, MachineDetected{MessageEnd: true})
	if got := did(actions); !strings.HasPrefix(got, "say Le habla Nora de") {
		t.Errorf("to a voicemail: %s", got)
	}
}

// Each language is asked for in every language.
func TestAskingForALanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, other, own, wants, lacks string }{
		{"en", "es", "Do you speak English?", "Excuse me, do you speak Spanish?", "Sorry, I don't speak Spanish."},
		{"cs", "en", "Mluvíte česky?", "Mluvíte anglicky?", "Nemluvím anglicky."},
		{"da", "en", "Taler du dansk?", "Kan vi tale engelsk?", "Jeg taler ikke engelsk."},
		{"de", "en", "Sprechen Sie Deutsch?", "Können wir Englisch sprechen?", "Ich spreche kein Englisch."},
		{"el", "en", "Μιλάτε ελληνικά;", "Μιλάτε αγγλικά;", "Δεν μιλάω αγγλικά."},
		{"es", "en", "¿Habla español?", "¿Podemos hablar en inglés?", "No hablo inglés."},
		{"fr", "en", "Vous parlez français ?", "Est-ce que vous parlez anglais ?", "Je ne parle pas anglais."},
		{"it", "en", "Parla italiano?", "Possiamo parlare in inglese?", "Non parlo inglese."},
		{"nb", "en", "Snakker du norsk?", "Kan vi snakke engelsk?", "Jeg snakker ikke engelsk."},
		{"nl", "en", "Spreekt u Nederlands?", "Kunnen we Engels spreken?", "Ik spreek geen Engels."},
		{"pl", "en", "Czy mówi pan po polsku?", "Czy możemy rozmawiać po angielsku?", "Nie mówię po angielsku."},
		{"pt", "en", "Você fala português?", "Podemos falar em inglês?", "Não falo inglês."},
		{"ro", "en", "Vorbiți română?", "Vorbiți engleză?", "Nu vorbesc engleză."},
		{"sv", "en", "Pratar du svenska?", "Kan vi tala engelska?", "Jag talar inte engelska."},
		{"tr", "en", "Türkçe konuşuyor musunuz?", "İngilizce biliyor musunuz?", "İngilizce bilmiyorum."},
	} {
		in := func(main, further, heard string) string {
			s := modelCheckIn()
			s.Language, s.Languages = main, []Translation{{Language: further}}
			state, _ := Start(s, nil, false)
			state, _ = Step(state, Prompt{Text: heard})
			return state.Speaking()
		}
		for heard, want := range map[string]string{c.own: c.tag, c.lacks: c.tag} {
			if got := in(c.other, c.tag, heard); got != want {
				t.Errorf("%q to an agent in %s: %s, want %s", heard, c.other, got, want)
			}
		}
		if got := in(c.tag, c.other, c.wants); got != c.other {
			t.Errorf("%q to an agent in %s: %s, want %s", c.wants, c.tag, got, c.other)
		}
		if got := in(c.tag, c.other, c.own); got != c.tag {
			t.Errorf("%q to an agent in %s: %s", c.own, c.tag, got)
		}
	}
}

// Every language has a name in every language, and each is understood.
func TestNamesOfLanguages(t *testing.T) {
	t.Parallel()
	for _, s := range languages {
		tongue := s.tongue()
		for _, other := range languages {
			named := false
			for name, base := range tongue.names {
				named = named || base == other.tag && name != ""
			}
			if !named {
				t.Errorf("%s has no name for %s", s.tag, other.tag)
			}
		}
		if len(s.source().Speak) == 0 || len(s.source().NotSpoken) == 0 {
			t.Errorf("nobody asks for a language in %s", s.tag)
		}
	}
}

// Speaking of a language is not asking for it.
func TestSpeakingOfLanguages(t *testing.T) {
	t.Parallel()
	for _, heard := range []string{
		"My mother is Spanish.", "I took a Spanish class last year.", "The form is in Spanish, but that is fine.",
		"Yes, an interpreter for Spanish.", "Spanish.", "My nurse speaks Spanish.", "We had French toast.",
		"Do you speak English?", "I speak Spanish and English.", "Do you speak Greek?", "",
	} {
		state, _ := Start(bilingual(), nil, false)
		if state, _ = Step(state, Prompt{Text: heard}); state.Speaking() != "en-US" {
			t.Errorf("%q: %s", heard, state.Speaking())
		}
	}
}

func TestLanguageChanges(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]Prompt{
		"asked for": {Text: "¿Habla español?"}, "recognized": {Text: "Sí, dígame.", Language: "es"},
	} {
		d := newDialog(t, bilingual()).hear().answers("Have you seen your doctor?").hear()
		system := d.state.Request().System
		d.step(in)
		if d.state.Speaking() != "es-US" || !d.has(Say{Text: spanishDisclosure}) || !d.has(Think{}) {
			t.Fatalf("%s: %s, %v", name, d.state.Speaking(), d.actions)
		}
		d.wantSaid(`
user: [The person has answered the phone.]
user: [The call continues in American English (en-US).]
assistant: ` + greeted + `
assistant: ` + disclosure + `
assistant: Have you seen your doctor?
user: [The call continues in Spanish (es-US).]
user: ` + in.Text + `
assistant: ` + spanishDisclosure + `
user: [Go on.]
`)
		if d.state.Request().System != system {
			t.Errorf("%s: the system text changed", name)
		}
		if d.state.Moment() != "Un momento, por favor." || !strings.HasPrefix(d.state.Trouble(), "Perdone") {
			t.Errorf("%s: the lines are not Spanish", name)
		}
		d.hear().answers("¿Ha visto a su médico?").hear()
		// What was under way at the change is not a change back, and another utterance is.
		if d.step(Prompt{Text: "Uh", Language: "en-US"}); d.state.Speaking() != "es-US" {
			t.Errorf("%s: switched back by a late utterance", name)
		}
		if _, actions := Resume(d.state); did(actions) != "say Perdone, se ha cortado un momento. think" {
			t.Errorf("%s: resumed with %s", name, did(actions))
		}
		if out, actions := Step(d.state, Prompt{Text: "Take me off your list."}); out.OptedOut == "" ||
			!strings.Contains(did(actions), "We will not call") {
			t.Errorf("%s: opted out in English: %s", name, did(actions))
		}
		d.answers("¿Le duele?").hear().step(Prompt{Text: "Can we speak English?"})
		if d.state.Speaking() != "en-US" || d.has(Say{Text: disclosure}) {
			t.Errorf("%s: back in %s: %v", name, d.state.Speaking(), d.actions)
		}
		if a := Analyze(d.state); a.Language != "en-US" {
			t.Errorf("%s: analyzed as %s", name, a.Language)
		}
	}
}

func TestOptOutInEveryLanguageOfTheAgent(t *testing.T) {
	t.Parallel()
	for heard, tag := range map[string]string{
		"No me llame más.": "es-US", "Ne m'appelez plus.": "fr-FR", "Stop calling me.": "en-US",
	} {
		d := newDialog(t, bilingual()).step(Prompt{Text: heard})
		want := "say " + LinesOf(tag).OptedOut + " hang up opt_out"
		if d.state.OptedOut != BySpeech || did(d.actions) != want || d.state.Speaking() != tag {
			t.Errorf("%q in %s: %s", heard, d.state.Speaking(), did(d.actions))
		}
	}
	single := modelCheckIn()
	if d := newDialog(t, single).step(Prompt{Text: "No me llame más."}); d.state.OptedOut != "" {
		t.Error("an agent of one language opted out in another")
	}
}

func TestLanguageTool(t *testing.T) {
	t.Parallel()
	d := newDialog(t, bilingual()).hear().answers("Hi?").hear().step(Prompt{Text: "Abla es pan yol"})
	if !slices.ContainsFunc(d.state.Request().Tools, func(tool model.Tool) bool {
		return tool.Name == "switch_language" && strings.Contains(string(tool.Parameters), `["en-US","es-US","fr-FR"]`)
	}) {
		t.Error("the tool is not offered")
	}
	d.answers("", "switch_language", `{"language":"de-DE"}`)
	if !strings.Contains(d.said(), `result: {"error":"language must be one of en-US, es-US, fr-FR"}`) {
		t.Errorf("the model sees %s", d.said())
	}
	d.answers("", "switch_language", `{"language":"es-US"}`)
	if d.state.Speaking() != "es-US" || did(d.actions) != "say "+spanishDisclosure+" think" {
		t.Errorf("%s: %s", d.state.Speaking(), did(d.actions))
	}
	if !strings.Contains(d.said(), `result: {"language":"es-US"}
user: [The call continues in Spanish (es-US).]
assistant: `+spanishDisclosure) {
		t.Errorf("the model sees %s", d.said())
	}
	if one := newDialog(t, modelCheckIn()); slices.ContainsFunc(one.state.Request().Tools, func(tool model.Tool) bool {
		return tool.Name == "switch_language"
	}) {
		t.Error("an agent of one language has the tool")
	}
}

// Without a model, the questions are asked in the language of the call if they are translated, and else in
// the agent's own.
func TestFallbackInALanguage(t *testing.T) {
	t.Parallel()
	d := newDialog(t, bilingual()).hear().answers("Hi?").hear().step(Prompt{Text: "¿Habla español?"})
	d.hear().step(Unthought{})
	if did(d.actions) != "say Perdone, no le he entendido. ¿Pregunta seen_doctor?" {
		t.Errorf("fell back with %s", did(d.actions))
	}
	if d.step(Prompt{Text: "Sí."}); did(d.actions) != "record true say Gracias. ¿Pregunta pain?" {
		t.Errorf("answered: %s", did(d.actions))
	}
	if d.step(Prompt{Text: "Do you speak English?"}); !strings.HasPrefix(did(d.actions), "say ") ||
		d.state.Speaking() != "en-US" || strings.Contains(did(d.actions), "Pregunta") {
		t.Errorf("in English: %s", did(d.actions))
	}
	if d.step(Prompt{Text: "Parlez-vous français ?"}); d.state.Speaking() != "en-US" {
		t.Error("switched to a language without questions")
	}
	d = newDialog(t, bilingual()).hear().answers("Hi?").hear().step(Prompt{Text: "Parlez-vous français ?"})
	if d.hear().step(Unthought{}); d.state.Speaking() != "en-US" || strings.Contains(did(d.actions), "é") {
		t.Errorf("fell back in %s with %s", d.state.Speaking(), did(d.actions))
	}
}

// Who interrupts the greeting drops the disclosure behind it, which is said before anything else.
func TestDisclosureAfterAnInterruptedGreeting(t *testing.T) {
	t.Parallel()
	interrupted := func(heard string) *dialog {
		d := newDialog(t, modelCheckIn())
		d.unheard = nil
		return d.step(Played{Given: greeted, Text: heard}).step(Interrupted{Given: disclosure})
	}
	again := "say " + greeted + " say " + disclosure + " think"
	if d := interrupted("Hello Ada,").step(Prompt{Text: "Hello?"}); did(d.actions) != again {
		t.Errorf("at its beginning: %s", did(d.actions))
	}
	if d := interrupted("Hello Ada,").step(Silence{}); did(d.actions) != again {
		t.Errorf("without words: %s", did(d.actions))
	}
	d := interrupted("Hello Ada, this is Nora, an automated voice calling for").step(Prompt{Text: "Yes?"})
	if did(d.actions) != "say "+disclosure+" think" {
		t.Errorf("at its end: %s", did(d.actions))
	}
	if d.hear().answers("Fine?").hear().step(Prompt{Text: "Yes."}); did(d.actions) != "think" {
		t.Errorf("later: %s", did(d.actions))
	}
}

func TestValidateLanguages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Script)
		want   string
	}{
		"valid":     {func(*Script) {}, ""},
		"scripted":  {func(s *Script) { s.Model = nil }, "languages: are only for the kind model"},
		"unknown":   {func(s *Script) { s.Languages[0].Language = "tlh" }, "languages[0].language: must be one of"},
		"malformed": {func(s *Script) { s.Languages[0].Language = "?" }, "languages[0].language: must be a language"},
		"its own":   {func(s *Script) { s.Languages[0].Language = "en-GB" }, "languages[0].language: must differ"},
		"twice":     {func(s *Script) { s.Languages[1].Language = "es-MX" }, "languages[1].language: must differ"},
		"text":      {func(s *Script) { s.Languages[1].Goodbye = "{{" }, "languages[1].goodbye: must write variables"},
		"voice": {func(s *Script) {
			s.Languages[1].Speech = speech.Engines{Provider: speech.Amazon, Voice: "Joanna-Neural"}
		}, "languages[1].speech.voice: speaks en-US"},
		"many": {func(s *Script) { s.Languages = make([]Translation, 9) }, "languages: must have at most 8"},
		"untold": {func(s *Script) {
			s.Questions[0].Asks = map[string]string{"de": "?"}
		}, "questions[0].asks: must name"},
		"asks": {func(s *Script) { s.Questions[0].Asks["es-US"] = " " }, "questions[0].asks.es-US: required"},
		"opts out": {func(s *Script) {
			s.Questions[2].Options = []string{"No me llame más", "Yes"}
		}, "questions[2].options[0]: means"},
		"options in an unknown language": {func(s *Script) {
			s.Questions[2].TranslatedOptions = map[string][]string{"de": {"A", "B"}}
		}, "questions[2].translated_options: must name further languages of the agent, unlike \"de\""},
		"too few options": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"] = []string{"Visita"}
		}, "questions[2].translated_options.es-US: must translate each of the 2 choices, in their order"},
		"an empty option": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"][1] = " "
		}, "questions[2].translated_options.es-US[1]: required"},
		"the same option": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"][1] = "Visita a domicilio"
		}, "questions[2].translated_options.es-US[1]: sounds the same as choice 1"},
		"another's original": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"][1] = "home visit"
		}, "questions[2].translated_options.es-US[1]: sounds the same as choice 1"},
		"its original": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"][0] = "Home visit"
		}, ""},
		"an option that opts out": {func(s *Script) {
			s.Questions[2].TranslatedOptions["es-US"][1] = "No me llame más"
		}, "questions[2].translated_options.es-US[1]: means"},
		"options of no choice": {func(s *Script) {
			s.Questions[0].TranslatedOptions = map[string][]string{"es-US": {"Sí", "No"}}
		}, "questions[0].translated_options: are only for a choice"},
		"asks a tool": {func(s *Script) { s.Model.Tools = []ToolName{SwitchLanguageTool} }, "model.tools[0]: must be"},
	} {
		s := bilingual()
		c.change(&s)
		var p fault.Problems
		s.Validate("", &p)
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// An answer in another language is stored as the option itself, whether it is spoken, typed or recorded by the model.
func TestTranslatedOptions(t *testing.T) {
	t.Parallel()
	scripted := func(questions ...Question) State {
		s := bilingual()
		s.Questions = questions
		state, _ := Start(s, map[string]any{"language": "es"}, false)
		state.Dialog.Scripted = true
		return state
	}
	care := bilingual().Questions[2]
	for heard, want := range map[string]any{
		"Visita a domicilio, por favor.": "Home visit",
		"La llamada.":                    "Phone call", // a word that only this option has
		"La segunda.":                    "Phone call",
		"El dos.":                        "Phone call",
		"Phone call":                     "Phone call", // its original
		"La visita o la llamada.":        nil,
	} {
		state, actions := Step(scripted(care), Prompt{Text: heard, Language: "es"})
		got := any(nil)
		if len(state.Answers) == 1 {
			got = state.Answers[0].Value
		}
		if got != want {
			t.Errorf("%q: %v, want %v (%s)", heard, got, want, told(actions))
		}
	}
	for key, want := range map[string]string{"1": "Home visit", "2": "Phone call"} {
		if state, _ := Step(scripted(care), Digit{key}); len(state.Answers) != 1 || state.Answers[0].Value != want {
			t.Errorf("key %s: %v", key, state.Answers)
		}
	}
	care.TranslatedOptions["fr-FR"] = []string{"Visite", "Appel"}
	care.TranslatedOptions["de-DE"] = []string{"Besuch", "Visite"}
	for value, want := range map[string]string{
		"Home visit": "Home visit", "visita a domicilio": "Home visit", "LLAMADA TELEFÓNICA": "Phone call",
		"appel": "Phone call", "Visite": "", "Brief": "",
	} {
		got, err := care.Accept(value, "")
		if want == "" && (err == nil || err.Error() != `must be one of "Home visit", "Phone call"`) ||
			want != "" && got != want {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
	if s := (State{Script: bilingual(), Language: "es-US"}); s.question(2).Options[0] != "Visita a domicilio" {
		t.Errorf("asked with %q", s.question(2).Options)
	}
}

// Whatever is heard, in whatever language, the conversation stays in a language of the agent.
func FuzzLanguage(f *testing.F) {
	for _, heard := range []string{"¿Habla español?", "in french please", "no me llame más", "]["} {
		f.Add(heard, "es")
	}
	f.Fuzz(func(t *testing.T, heard, tag string) {
		state, _ := Start(bilingual(), map[string]any{"language": tag}, true)
		for range 3 {
			state, _ = Step(state, Prompt{Text: heard, Language: tag})
			if !slices.Contains(state.Script.Tags(), state.Speaking()) {
				t.Fatalf("%q in %q: speaks %q", heard, tag, state.Speaking())
			}
		}
	})
}
