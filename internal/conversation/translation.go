package conversation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/fault"
)

// Translation is what an agent says in a further language, and how it sounds and hears there. Empty
// texts are standard lines of the language.
type Translation struct {
	Language string         `json:"language"` // BCP 47
	Speech   speech.Engines `json:"speech"`
	Wording

	// These lines are set only in the script of a call.
	Introduction string `json:"introduction,omitempty"` // as in State
	Automated    string `json:"automated,omitempty"`    // as in State
}

// Wording is the fixed texts of a script in one language.
type Wording struct {
	Greeting string `json:"greeting"`
	// InboundGreeting is said instead of Greeting to people who call. Empty: a standard line.
	InboundGreeting  string `json:"inbound_greeting,omitempty"`
	Disclosure       string `json:"disclosure"`
	NotUnderstood    string `json:"not_understood"`
	Goodbye          string `json:"goodbye"`
	VoicemailMessage string `json:"voicemail_message"`
}

// maxTranslations is how many further languages an agent may have.
const maxTranslations = 8

// wording is the script's fixed texts in its own language.
func (s Script) wording() Wording {
	return Wording{
		s.Greeting, s.InboundGreeting, s.Disclosure, s.NotUnderstood, s.Goodbye, s.VoicemailMessage,
	}
}

// edit replaces each text of a wording.
func (w *Wording) edit(change func(string) string) {
	for _, text := range []*string{
		&w.Greeting, &w.InboundGreeting, &w.Disclosure, &w.NotUnderstood, &w.Goodbye, &w.VoicemailMessage,
	} {
		*text = change(*text)
	}
}

// complete fills in variables, and sets the standard lines of a language for texts that are empty.
func (w *Wording) complete(language string, vars map[string]any) {
	w.edit(func(text string) string { return Fill(text, vars) })
	lines := tongueOf(language).lines
	w.Greeting = cmp.Or(w.Greeting, introduction(language, vars))
	w.Disclosure = cmp.Or(w.Disclosure, lines.Disclosure)
	w.NotUnderstood = cmp.Or(w.NotUnderstood, lines.NotUnderstood)
	w.Goodbye = cmp.Or(w.Goodbye, lines.Goodbye)
	w.VoicemailMessage = cmp.Or(w.VoicemailMessage, Fill(lines.Voicemail, vars))
}

// Tags returns the languages of the script, its own first.
func (s Script) Tags() []string {
	tags := []string{s.Language}
	for _, l := range s.Languages {
		tags = append(tags, l.Language)
	}
	return tags
}

// Choose returns the language of the script in which a call to a recipient begins. wanted is what is known
// of the recipient's language: a tag such as "es-US" or "es", or a name such as "Spanish" or "español". A
// language that the script does not have, and none, is its own.
func (s Script) Choose(wanted string) string {
	tags := s.Tags()
	if len(tags) == 1 || strings.TrimSpace(wanted) == "" {
		return s.Language
	}
	if tag := tagOf(tags, strings.TrimSpace(wanted)); tag != "" {
		return tag
	}
	said := strings.Join(flatten(clauses(wanted)), " ")
	for _, tag := range tags {
		base := baseOf(tag)
		for _, t := range []*tongue{tongueOf(tag), languages[0].tongue()} {
			if t.names[said] == base {
				return tag
			}
		}
	}
	return s.Language
}

// tagOf returns the tag of the same language, or "".
func tagOf(tags []string, wanted string) string {
	base := baseOf(wanted)
	for _, tag := range tags {
		if base != "" && baseOf(tag) == base {
			return tag
		}
	}
	return ""
}

// baseOf is the primary subtag of a supported language, or "".
func baseOf(tag string) string {
	if s := supportedAs(tag); s != nil {
		return s.tag
	}
	return ""
}

// validateLanguages checks the further languages.
func (s *Script) validateLanguages(path func(format string, args ...any) string, p *fault.Problems) {
	switch {
	case len(s.Languages) == 0:
	case s.Model == nil:
		p.Addf(path("languages"), "are only for the kind model")
		return
	case len(s.Languages) > maxTranslations:
		p.Addf(path("languages"), "must have at most %d languages", maxTranslations)
		return
	}
	taken := map[string]bool{baseOf(s.Language): true}
	for i := range s.Languages {
		l := &s.Languages[i]
		at := func(field string) string { return path("languages[%d].%s", i, field) }
		switch problem, base := languageProblem(l.Language), baseOf(l.Language); {
		case problem != "":
			p.Addf(at("language"), "%s", problem)
		case taken[base]:
			p.Addf(at("language"), "must differ from the agent's other languages in more than the region")
		default:
			taken[base] = true
			l.Speech.Validate(at("speech"), l.Language, p)
		}
		text(p, at("greeting"), l.Greeting, false, maxGreeting)
		text(p, at("inbound_greeting"), l.InboundGreeting, false, maxGreeting)
		text(p, at("disclosure"), l.Disclosure, false, maxDisclosure)
		text(p, at("not_understood"), l.NotUnderstood, false, maxLine)
		text(p, at("goodbye"), l.Goodbye, false, maxLine)
		text(p, at("voicemail_message"), l.VoicemailMessage, false, maxVoicemail)
	}
}

// validateAsks checks the translations of a question.
func (s *Script) validateAsks(path string, q Question, p *fault.Problems) {
	for _, tag := range slices.Sorted(maps.Keys(q.Asks)) {
		at := path + "." + tag
		if !slices.ContainsFunc(s.Languages, func(l Translation) bool { return l.Language == tag }) {
			p.Addf(path, "must name further languages of the agent, unlike %q", limit(tag, 40))
			continue
		}
		text(p, at, q.Asks[tag], true, maxAsk)
	}
}

// Untranslated is what a script says in its own language only.
type Untranslated struct {
	Language  string   `json:"language"`  // of the missing translations
	Questions []string `json:"questions"` // keys of questions without a translation of Ask
	Options   []string `json:"options"`   // keys of questions without a translation of their Options
	Branches  []string `json:"branches"`  // keys of questions without a translation of what a branch says
	Texts     []string `json:"texts"`     // fields of Wording for which standard lines of the language are spoken
}

// Equal reports whether the same translations are missing.
func (u Untranslated) Equal(o Untranslated) bool {
	return u.Language == o.Language && slices.Equal(u.Questions, o.Questions) &&
		slices.Equal(u.Options, o.Options) && slices.Equal(u.Branches, o.Branches) && slices.Equal(u.Texts, o.Texts)
}

// Untranslated returns what is missing in each further language of a script, in their order. A complete language is
// left out.
func (s Script) Untranslated() []Untranslated {
	missing := []Untranslated{}
	for _, l := range s.Languages {
		m := Untranslated{
			Language: l.Language, Questions: []string{}, Options: []string{}, Branches: []string{}, Texts: []string{},
		}
		for _, q := range s.Questions {
			if q.Ask != "" && q.Asks[l.Language] == "" {
				m.Questions = append(m.Questions, q.Key)
			}
			if len(q.Options) > 0 && len(q.TranslatedOptions[l.Language]) == 0 {
				m.Options = append(m.Options, q.Key)
			}
			if slices.ContainsFunc(q.Branches, func(b Branch) bool { return b.Say != "" && b.Says[l.Language] == "" }) {
				m.Branches = append(m.Branches, q.Key)
			}
		}
		for _, text := range []struct{ own, translated, name string }{
			{s.Greeting, l.Greeting, "greeting"},
			{s.InboundGreeting, l.InboundGreeting, "inbound_greeting"},
			{s.Disclosure, l.Disclosure, "disclosure"},
			{s.NotUnderstood, l.NotUnderstood, "not_understood"},
			{s.Goodbye, l.Goodbye, "goodbye"},
			{s.VoicemailMessage, l.VoicemailMessage, "voicemail_message"},
		} {
			if text.own != "" && text.translated == "" {
				m.Texts = append(m.Texts, text.name)
			}
		}
		if len(m.Questions)+len(m.Options)+len(m.Branches)+len(m.Texts) > 0 {
			missing = append(missing, m)
		}
	}
	return missing
}
