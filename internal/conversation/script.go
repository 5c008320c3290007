// Package conversation decides what a voice agent says next. It is a pure state machine,
// without a clock and a database. Its State is stored after every step, so any process
// can continue the call. A scripted agent asks its questions in order. A language model
// answers for other agents: the action Think asks for its answer, which comes back as the
// input Thought.
//
// An utterance is first checked for an opt-out, before any other interpretation.
package conversation

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// Script is what a scripted agent says and asks, in this order. Its texts may contain
// variables: {{name}}, or {{name|there}} with a fallback.
type Script struct {
	Language string `json:"language"` // BCP 47; the language in which answers are understood
	Greeting string `json:"greeting"`
	// InboundGreeting is said instead of Greeting to people who call. Empty: a standard line.
	InboundGreeting  string     `json:"inbound_greeting,omitempty"`
	Disclosure       string     `json:"disclosure"` // spoken with the greeting; empty: a standard line
	Questions        []Question `json:"questions"`
	NotUnderstood    string     `json:"not_understood"` // said before a question is repeated; empty: a standard line
	Goodbye          string     `json:"goodbye"`        // empty: a standard line
	VoicemailMessage string     `json:"voicemail_message"`
	// Languages are further languages in which a model may hold the conversation.
	Languages []Translation `json:"languages,omitempty"`
	// SilenceSeconds is how long the recipient may be silent before the agent asks whether they are
	// there. 0: DefaultSilence.
	SilenceSeconds int `json:"silence_seconds,omitempty"`
	// Nudges is how often in a row the agent asks before it hangs up. Nil: DefaultNudges.
	Nudges *int `json:"nudges,omitempty"`
	// Model makes a language model hold the conversation. Nil: the questions are asked in order.
	Model *Model `json:"model,omitempty"`
	// Transfer is to whom the agent may transfer calls. Nil: to nobody.
	Transfer *TransferSettings `json:"transfer,omitempty"`
	// Analysis is how calls are analyzed after their end. It says nothing in a call.
	Analysis AnalysisSettings `json:"analysis,omitzero"`
}

// AnalysisSettings are how the calls of an agent are analyzed.
type AnalysisSettings struct {
	ConnectionID *uuid.UUID `json:"connection_id,omitempty"` // of the model that analyzes; nil: by rule
	// Success says to the model what makes a call successful. Empty: every required question has an answer.
	Success string `json:"success,omitempty"`
}

// Silences of the recipient.
const (
	DefaultSilence, minSilence, maxSilence = 8, 3, 30 // seconds
	DefaultNudges, maxNudges               = 1, 5
)

// Silence returns how long the recipient may be silent.
func (s Script) Silence() time.Duration {
	if s.SilenceSeconds == 0 {
		return DefaultSilence * time.Second
	}
	return time.Duration(s.SilenceSeconds) * time.Second
}

// MaxNudges returns how often in a row the agent asks whether the recipient is there.
func (s Script) MaxNudges() int {
	if s.Nudges == nil {
		return DefaultNudges
	}
	return *s.Nudges
}

// Limits of a script, in characters and in elements.
const (
	maxGreeting   = 1000
	maxDisclosure = 500
	maxAsk        = 600
	maxLine       = 600
	maxVoicemail  = 1000
	maxQuestions  = 30
	maxSuccess    = 1000
)

var (
	keySyntax      = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	languageSyntax = regexp.MustCompile(`^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$`)
)

// Validate records each problem under prefix and the path of the value:
// "script.questions[2].key".
func (s *Script) Validate(prefix string, p *fault.Problems) {
	path := func(format string, args ...any) string {
		if prefix == "" {
			return fmt.Sprintf(format, args...)
		}
		return prefix + "." + fmt.Sprintf(format, args...)
	}
	if problem := languageProblem(s.Language); problem != "" {
		p.Addf(path("language"), "%s", problem)
	}
	text(p, path("greeting"), s.Greeting, true, maxGreeting)
	text(p, path("inbound_greeting"), s.InboundGreeting, false, maxGreeting)
	text(p, path("disclosure"), s.Disclosure, false, maxDisclosure)
	text(p, path("not_understood"), s.NotUnderstood, false, maxLine)
	text(p, path("goodbye"), s.Goodbye, false, maxLine)
	text(p, path("voicemail_message"), s.VoicemailMessage, false, maxVoicemail)
	if s.SilenceSeconds != 0 && (s.SilenceSeconds < minSilence || s.SilenceSeconds > maxSilence) {
		p.Addf(path("silence_seconds"), "must be between %d and %d", minSilence, maxSilence)
	}
	if n := s.MaxNudges(); n < 0 || n > maxNudges {
		p.Addf(path("nudges"), "must be between 0 and %d", maxNudges)
	}
	if s.Model != nil {
		s.Model.validate(path, p)
	}
	s.validateLanguages(path, p)
	s.validateTransfer(path, p)
	switch success := s.Analysis.Success; {
	case !plain(success):
		p.Addf(path("analysis.success"), "must be plain text")
	case utf8.RuneCountInString(success) > maxSuccess:
		p.Addf(path("analysis.success"), "must have at most %d characters", maxSuccess)
	}
	if len(s.Questions) > maxQuestions {
		p.Addf(path("questions"), "must have at most %d questions", maxQuestions)
		return
	}
	first := map[string]int{}
	for i, q := range s.Questions {
		at := func(field string) string { return path("questions[%d].%s", i, field) }
		if !keySyntax.MatchString(q.Key) {
			p.Addf(at("key"), "must be 1 to 40 lowercase letters, digits and underscores, starting with a letter")
		} else if earlier, twice := first[q.Key]; twice {
			p.Addf(at("key"), "is also the key of question %d", earlier+1)
		} else if q.Key == End {
			p.Addf(at("key"), "must not be %q, which means the end of the call", End)
		} else {
			first[q.Key] = i
		}
		text(p, at("ask"), q.Ask, true, maxAsk)
		s.validateAsks(at("asks"), q, p)
		q.validateDescription(at("description"), p)
		q.validateExpect(at, s.Tags(), p)
		s.validateBranches(i, at("branches"), p)
		if q.FollowUp != nil {
			q.validateRule(at("follow_up"), *q.FollowUp, "must say which answers make a follow-up", p)
		}
	}
}

// languageProblem describes why a tag is not a language of agents, or returns an empty text.
func languageProblem(tag string) string {
	switch {
	case !languageSyntax.MatchString(tag):
		return `must be a language tag such as "en-US"`
	case !Understands(tag):
		return `must be one of ` + languageList() + `, with or without a region as in "en-US"`
	}
	return ""
}

// text checks one spoken text.
func text(p *fault.Problems, path, s string, required bool, limit int) {
	switch {
	case !plain(s):
		p.Addf(path, "must be plain text")
	case strings.TrimSpace(s) == "":
		if required {
			p.Addf(path, "required")
		}
	case utf8.RuneCountInString(s) > limit:
		p.Addf(path, "must have at most %d characters", limit)
	default:
		if problem := CheckTemplate(s); problem != "" {
			p.Addf(path, "%s", problem)
		}
	}
}

// plain reports whether a text is valid and has no control characters except white space.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	})
}

// Variables returns the names of the variables in the script and in the instructions of its model, in order, each once.
func (s Script) Variables() []string {
	var names []string
	seen := map[string]bool{}
	find := func(text string) string {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			if !seen[m[1]] {
				seen[m[1]] = true
				names = append(names, m[1])
			}
		}
		return text
	}
	s.edit(find)
	if s.Model != nil {
		find(s.Model.Instructions)
	}
	return names
}

// Said returns the first text that the agent says on its calls to people and that has a variable, filled with vars, and
// whether the text has a fallback for the variable. The text is empty if the agent does not say the variable.
func (s Script) Said(name string, vars map[string]any) (text string, fallback bool) {
	texts := []string{s.Greeting, s.Disclosure}
	for _, q := range s.Questions {
		texts = append(texts, q.Ask)
		for _, b := range q.Branches {
			texts = append(texts, b.Say)
		}
	}
	for _, text := range append(texts, s.Goodbye, s.VoicemailMessage, s.NotUnderstood) {
		for _, m := range variable.FindAllStringSubmatchIndex(text, -1) {
			if text[m[2]:m[3]] == name {
				return Fill(text, vars), m[4] >= 0
			}
		}
	}
	return "", false
}

// filled returns the script with its variables filled in and its standard lines set.
func (s Script) filled(vars map[string]any) Script {
	s.edit(func(text string) string { return Fill(text, vars) })
	lines := tongueOf(s.Language).lines
	s.Disclosure = cmp.Or(s.Disclosure, lines.Disclosure)
	s.NotUnderstood = cmp.Or(s.NotUnderstood, lines.NotUnderstood)
	s.Goodbye = cmp.Or(s.Goodbye, lines.Goodbye)
	s.VoicemailMessage = cmp.Or(s.VoicemailMessage, Fill(lines.Voicemail, vars))
	for i := range s.Languages {
		l := &s.Languages[i]
		l.complete(l.Language, vars)
		l.Introduction = introduction(l.Language, vars)
		l.Automated = Fill(tongueOf(l.Language).lines.Automated, vars)
	}
	if s.Model != nil {
		held := *s.Model
		held.Instructions = frame(s, vars)
		held.HTTP = slices.Clone(held.HTTP)
		for i := range held.HTTP {
			held.HTTP[i].Say = Fill(held.HTTP[i].Say, vars)
		}
		s.Model = &held
	}
	return s
}

// edit replaces every text that may contain variables. What the script shares with a copy stays unchanged.
func (s *Script) edit(change func(string) string) {
	w := s.wording()
	w.edit(change)
	s.Greeting, s.InboundGreeting = w.Greeting, w.InboundGreeting
	s.Disclosure, s.NotUnderstood = w.Disclosure, w.NotUnderstood
	s.Goodbye, s.VoicemailMessage = w.Goodbye, w.VoicemailMessage
	s.Questions, s.Languages = slices.Clone(s.Questions), slices.Clone(s.Languages)
	for i := range s.Questions {
		q := &s.Questions[i]
		q.Ask, q.Asks = change(q.Ask), maps.Clone(q.Asks)
		for _, tag := range slices.Sorted(maps.Keys(q.Asks)) {
			q.Asks[tag] = change(q.Asks[tag])
		}
		q.Branches = slices.Clone(q.Branches)
		for j := range q.Branches {
			b := &q.Branches[j]
			b.Say, b.Says = change(b.Say), maps.Clone(b.Says)
			for _, tag := range slices.Sorted(maps.Keys(b.Says)) {
				b.Says[tag] = change(b.Says[tag])
			}
		}
	}
	for i := range s.Languages {
		s.Languages[i].edit(change)
	}
}
