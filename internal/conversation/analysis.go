package conversation

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/wire"
)

// Analysis is the result of a conversation, as the API shows it.
type Analysis struct {
	Status     AnalysisStatus `json:"status"`
	Summary    string         `json:"summary"`
	Answers    map[string]any `json:"answers"`
	Sentiment  Sentiment      `json:"sentiment"`
	Successful bool           `json:"successful"` // every required question of the script has an answer
	OptOut     bool           `json:"opt_out"`
	Intent     *Intent        `json:"intent"`       // what a person wanted instead of answering
	CallBackAt *wire.Time     `json:"call_back_at"` // when a person wants to be called back, if a time was understood

	// Leeway is what the person left open of CallBackAt. ByPerson is whether the person was promised that
	// somebody calls, so that no agent does. Needs are what a model left to people. All are for the settlement, and the
	// API shows none: what comes of them are follow-ups.
	Leeway   Leeway   `json:"leeway,omitempty"`
	ByPerson bool     `json:"by_person,omitempty"`
	Needs    []string `json:"needs,omitempty"`

	// Asked are the keys of the questions that the person was asked in this call, in the order of the script. Fields
	// that a model fills are asked once the person has spoken. Nil: unknown. The API shows none: they are for figures.
	Asked []string `json:"asked,omitzero"`
	// Skipped are the keys of the questions that did not apply, because a branch led past them.
	Skipped []string `json:"skipped"`

	// Variables are what the answers of the organization's tools set.
	Variables map[string]string `json:"variables"`

	// Language is the language (BCP 47) in which the conversation ended, which the API shows beside the analysis.
	Language string `json:"language,omitempty"`
	// Model is what the language model used, which the API shows beside the analysis. Nil: none was asked.
	Model *ModelUse `json:"model,omitempty"`
}

// AnalysisStatus is the state of an analysis.
type AnalysisStatus string

const (
	Pending AnalysisStatus = "pending" // the analysis does not exist yet
	Ready   AnalysisStatus = "ready"
	Failed  AnalysisStatus = "failed"
)

// Sentiment is the recipient's mood, as their words show it.
type Sentiment string

const (
	Positive Sentiment = "positive"
	Neutral  Sentiment = "neutral"
	Negative Sentiment = "negative"
	Unknown  Sentiment = "unknown" // the recipient said too little
)

// Analyze makes the analysis of a finished conversation from its answers alone. It adds
// no claim of its own.
func Analyze(s State) Analysis {
	a := Analysis{
		Status:    Ready,
		Answers:   map[string]any{},
		Sentiment: s.sentiment(),
		OptOut:    s.OptedOut != "",
		Variables: map[string]string{},
		Model:     s.Dialog.use(),
		Language:  s.Speaking(),
		Needs:     s.Needs,
		Asked:     s.asked(),
		Skipped:   s.Skipped(),
	}
	maps.Copy(a.Variables, s.Values())
	if s.Intent != "" {
		a.Intent, a.CallBackAt = &s.Intent, wire.Optional(s.CallBackAt)
		a.Leeway, a.ByPerson = s.Leeway, s.Intent == CallBack && s.Promised
	}
	for _, answer := range s.Answers {
		a.Answers[answer.Key] = answer.Value
	}
	p := s.progress()
	a.Successful = s.Ending == Completed && p.answered == p.total
	a.Summary = s.summary(p)
	return a
}

// asked returns the keys of the questions that the person was asked. Answers of earlier calls were not.
func (s State) asked() []string {
	keys, skipped := []string{}, s.skipped()
	for i, q := range s.Script.Questions {
		at := slices.IndexFunc(s.Answers, func(a Answer) bool { return a.Key == q.Key })
		asked := s.Heard > 0 && (s.modeled() && !skipped[i] || i == s.Question && !s.Unasked)
		if at >= 0 {
			asked = !s.gaveEarlier(s.Answers[at])
		}
		if asked {
			keys = append(keys, q.Key)
		}
	}
	return keys
}

// gaveEarlier reports whether a person who calls back gave an answer in an earlier call.
func (s State) gaveEarlier(a Answer) bool {
	return s.Inbound != nil && slices.ContainsFunc(s.Inbound.Answers, func(b Answer) bool {
		return b.Key == a.Key && b.Value != nil && b.Value == a.Value
	})
}

// progress is how many of the questions that count have an answer.
type progress struct {
	answered, total int
	skipped         int    // questions that do not apply
	kind            string // "question" or, of a model, "field"; "required question" if others are optional
	past, ing       string // "answered" and "answering"
}

// progress counts the required questions.
func (s State) progress() progress {
	given := map[string]bool{}
	for _, a := range s.Answers {
		given[a.Key] = a.Value != nil
	}
	p := progress{kind: "question", past: "answered", ing: "answering"}
	if s.Script.Model != nil { // what pages call fields
		p = progress{kind: "field", past: "filled", ing: "filling"}
	}
	noun := p.kind
	skipped := s.skipped()
	for i, q := range s.Script.Questions {
		if skipped[i] {
			p.skipped++
			continue
		}
		if !q.IsRequired() {
			p.kind = "required " + noun
			continue
		}
		p.total++
		if given[q.Key] {
			p.answered++
		}
	}
	return p
}

// String is "1 of 2 questions" or, of all, "the question", "both questions" or "all 3 questions".
func (p progress) String() string {
	if p.answered == p.total {
		switch p.total {
		case 0:
		case 1:
			return "the " + p.kind
		case 2:
			return "both " + p.kind + "s"
		default:
			return fmt.Sprintf("all %d %ss", p.total, p.kind)
		}
	}
	return fmt.Sprintf("%d of %s", p.answered, counted(p.total, p.kind))
}

func (s State) sentiment() Sentiment {
	switch {
	case s.Glad == 0 && s.Sad == 0:
		return Unknown
	case s.Glad > s.Sad:
		return Positive
	case s.Sad > s.Glad:
		return Negative
	}
	return Neutral
}

const (
	maxSummaryAnswers = 4
	maxSummaryText    = 100 // characters of one answer
	maxSummaryName    = 60  // characters of a description that names its answer
)

// summary describes the course of the call, a transfer that failed, the answers, and the questions without an answer,
// each in a sentence.
func (s State) summary(p progress) string {
	sentences := []string{s.outcome(p)}
	if p.skipped > 0 {
		sentences = append(sentences, counted(p.skipped, strings.TrimPrefix(p.kind, "required "))+" did not apply.")
	}
	if in := s.Inbound; in != nil {
		if in.Refused && s.Ending != SaidGoodbye {
			sentences = append(sentences, refusedOptOut+".")
		}
		if in.AskedWhy {
			sentences = append(sentences, "Asked why they had been called.")
		}
	}
	if failed := s.unconnected(); len(failed) > 0 {
		sentences = append(sentences, notConnected+english.List(failed)+".")
	}
	var given, missed []string
	for _, a := range s.Answers {
		name := s.named(a.Key)
		switch {
		case a.Value == nil:
			missed = append(missed, name)
		case strings.HasSuffix(name, "?”"):
			given = append(given, name+" "+sentence(shown(a.Value)))
		default:
			given = append(given, sentence(name+": "+shown(a.Value)))
		}
	}
	if more := len(given) - maxSummaryAnswers; more > 0 {
		given = append(given[:maxSummaryAnswers], fmt.Sprintf("And %d more.", more))
	}
	sentences = append(sentences, given...)
	if len(missed) > 0 {
		sentences = append(sentences, sentence("no clear answer on "+english.List(missed)))
	}
	return strings.Join(sentences, " ")
}

// named is how a summary names a question, within a sentence: by its description if that is short, else by its text in
// quotes, as the pages of answers do. A question that was removed only has its key.
func (s State) named(key string) string {
	for _, q := range s.Script.Questions {
		if q.Key != key {
			continue
		}
		d := strings.TrimRight(strings.TrimSpace(q.Description), ".:")
		if d != "" && utf8.RuneCountInString(d) <= maxSummaryName && !strings.ContainsAny(d, ".:\n") {
			first, size := utf8.DecodeRuneInString(d)
			if second, _ := utf8.DecodeRuneInString(d[size:]); !unicode.IsUpper(second) { // no abbreviation
				d = string(unicode.ToLower(first)) + d[size:]
			}
			return d
		}
		if asked := lastQuestion(oneLine(Readable(q.Ask))); asked != "" {
			return "“" + asked + "”"
		}
	}
	return strings.ReplaceAll(key, "_", " ")
}

// lastQuestion is what a text asks in the end, without the sentences before it.
func lastQuestion(text string) string {
	text = strings.TrimRight(text, ".:")
	if strings.HasSuffix(text, "?") {
		if found := sentenceEnd.FindAllStringIndex(text, -1); found != nil {
			text = text[found[len(found)-1][1]:]
		}
	}
	if short := limit(text, maxSummaryText); short != text {
		return strings.TrimSpace(short) + "…"
	}
	return text
}

// sentenceEnd is the end of a sentence. A short word before a period may be a title: "Dr. Lee".
var sentenceEnd = regexp.MustCompile(`(?:[!?…]|\pL{4,}\.) `)

// refusedOptOut is what a summary says of a caller who could not be put on the do-not-call list.
const refusedOptOut = "Asked not to be called again, but withheld the number"

func (s State) outcome(p progress) string {
	answered, total, progress := p.answered, p.total, p.String()
	they := strings.ToUpper(p.past[:1]) + p.past[1:]
	switch s.Ending {
	case Voicemail:
		return "Reached a voicemail and left no message."
	case MessageLeft:
		if s.CutShort {
			return "Reached a voicemail, which ended before the message did."
		}
		return "Reached a voicemail and left the message."
	case Screened:
		return "Reached a call screener, which did not put the call through."
	case MenuReached:
		return "Reached a phone menu and nobody behind it."
	case OptedOut:
		how := "by pressing 9"
		if s.OptedOut == BySpeech {
			how = "in their own words"
		}
		after := ""
		if answered > 0 {
			after = " after " + p.ing + " " + progress
		}
		return "Asked not to be called again, " + how + after + "."
	case Ending(WrongPerson), Ending(Deceased), Ending(Minor), Ending(Busy), Ending(CallBack), Ending(WantsHuman):
		after := ""
		if answered > 0 {
			after = " after " + p.ing + " " + progress
		}
		return intentWords[s.Intent] + after + "."
	case Unanswered:
		if s.Heard == 0 && answered == 0 {
			return "Picked up and said nothing."
		}
		return they + " " + progress + ", then fell silent."
	case Completed:
		switch {
		case len(s.Script.Questions) == 0 && s.Script.Model != nil:
			return "Talked to the end."
		case len(s.Script.Questions) == 0:
			return "Heard the message to the end."
		case total == 0:
			return "Stayed to the end. No " + strings.TrimPrefix(p.kind, "required ") + " required an answer."
		case answered == 0:
			return "Stayed to the end, but " + p.past + " none of the " + p.kind + "s."
		}
		return they + " " + progress + "."
	case SaidGoodbye:
		if s.Inbound != nil && s.Inbound.Refused {
			after := ""
			if answered > 0 {
				after = ", after " + p.ing + " " + progress
			}
			return refusedOptOut + after + "."
		}
		if answered == 0 {
			return "Said goodbye without " + p.ing + " a " + p.kind + "."
		}
		return they + " " + progress + ", then said goodbye."
	case TooLong:
		return they + " " + progress + " before the conversation was ended for its length."
	case ModelFailed:
		return "The call ended because no language model answered."
	case ModelRefused:
		return "The call ended because the language model refused to answer, or what it said must not be spoken."
	case ModelBudget:
		return they + " " + progress + " before the call reached the limits of its language model."
	case HungUp:
		switch {
		case s.announces():
			return "Hung up before the message was over."
		case s.Heard == 0 && answered == 0:
			return "The call ended before anything was said to the agent."
		case answered == 0:
			return "The call ended before a " + p.kind + " was " + p.past + "."
		case answered == total:
			return "The call ended after the last answer."
		}
		return they + " " + progress + ", then the call ended."
	}
	if s.Phase == Transferring {
		after := ""
		if answered > 0 {
			after = " after " + p.ing + " " + progress
		}
		return ToBeConnected + s.Handed.Name + after + "."
	}
	// No end of the conversation is known: the line failed, or the call still talks.
	if answered == 0 {
		return "The conversation broke off before a " + p.kind + " was " + p.past + "."
	}
	return they + " " + progress + " before the conversation broke off."
}

// The conversation is over before somebody takes a transfer. Whoever knows that somebody took it replaces the first
// beginning of the summary by the second one.
const (
	ToBeConnected = "Was to be connected with "
	Connected     = "Was connected with "
	notConnected  = "Was not connected with "
)

// intentWords say in a summary what a person wanted.
var intentWords = map[Intent]string{
	WrongPerson: "Reached a person who is not the recipient",
	Deceased:    "Was told that the recipient has died",
	Minor:       "Reached a child",
	Busy:        "Had no time to talk",
	CallBack:    "Asked to be called at another time",
	WantsHuman:  "Asked to talk to a person",
}

// shown formats an answer for people.
func shown(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		cut := limit(v, maxSummaryText)
		if cut != v {
			cut = strings.TrimSpace(cut) + "…"
		}
		return strings.TrimRight(cut, ".!? ")
	}
	return "–"
}

// sentence adds an initial capital and a final period.
func sentence(s string) string {
	r := []rune(s)
	s = strings.ToUpper(string(r[0])) + string(r[1:])
	if strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
