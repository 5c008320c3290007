package analysis

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
)

// maxSummary is the longest summary, in characters. A longer one is cut.
const maxSummary = 300

// answer is what a model writes. A pointer tells a missing value from a zero.
type answer struct {
	Summary           string                 `json:"summary"`
	Sentiment         conversation.Sentiment `json:"sentiment"`
	Successful        *bool                  `json:"successful"`
	Fields            map[string]said        `json:"fields"`
	FollowUpWanted    *bool                  `json:"follow_up_wanted"`
	CallbackRequested *bool                  `json:"callback_requested"`
	OptOutRequested   *bool                  `json:"opt_out_requested"`
	Issues            []call.Issue           `json:"issues"`
	Quality           *float64               `json:"quality"`
}

// said is a field as the model writes it.
type said struct {
	Value      any      `json:"value"`
	Confidence *float64 `json:"confidence"`
	Quote      *string  `json:"quote"`
	Turn       *int     `json:"turn"` // of the quote; some models leave it out
}

// accept reads the answer of a model and checks it. problems say what the model must write differently. A field whose
// value is no answer to its question, or whose quote the recipient did not say, is left out.
func (about subject) accept(text string) (r Result, problems []string) {
	begin, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if begin < 0 || end < begin {
		return r, []string{"there is no JSON object"}
	}
	var a answer
	if err := json.Unmarshal([]byte(text[begin:end+1]), &a); err != nil {
		if wrong, ok := err.(*json.UnmarshalTypeError); ok { //nolint:errorlint // Unmarshal does not wrap it
			return r, []string{fmt.Sprintf("%s must not be a %s", cmp.Or(wrong.Field, "the answer"), wrong.Value)}
		}
		return r, []string{"the JSON is broken"}
	}
	summary := conversation.Clean(a.Summary)
	if summary == "" {
		problems = append(problems, "summary is missing")
	}
	if !slices.Contains(sentiments, a.Sentiment) {
		problems = append(problems, "sentiment must be positive, neutral or negative")
	}
	if a.Quality == nil || *a.Quality < 1 || *a.Quality > 10 {
		problems = append(problems, "quality must be from 1 to 10")
	}
	for _, flag := range []struct {
		name  string
		value *bool
	}{
		{"follow_up_wanted", a.FollowUpWanted}, {"callback_requested", a.CallbackRequested},
		{"opt_out_requested", a.OptOutRequested},
	} {
		if flag.value == nil {
			problems = append(problems, flag.name+" must be true or false")
		}
	}
	if len(problems) > 0 {
		return r, problems
	}
	r = Result{
		Summary:    cut(summary),
		Sentiment:  a.Sentiment,
		Successful: a.Successful,
		Findings: call.Findings{
			Fields:            about.found(a.Fields),
			FollowUpWanted:    a.FollowUpWanted,
			CallbackRequested: a.CallbackRequested,
			OptOutRequested:   a.OptOutRequested,
			Issues:            []call.Issue{},
			Quality:           new(int(math.Round(*a.Quality))),
		},
	}
	for _, issue := range call.ModelIssues {
		if slices.Contains(a.Issues, issue) {
			r.Issues = append(r.Issues, issue)
		}
	}
	about.judge(&r)
	return r, nil
}

// cut shortens a summary at a word.
func cut(summary string) string {
	short := shortened(summary, maxSummary-1)
	if short == summary || shortened(summary, maxSummary) == summary {
		return summary
	}
	if i := strings.LastIndexByte(short, ' '); i > 0 {
		short = short[:i]
	}
	return short + "…"
}

// found returns the fields whose values and quotes stand the checks.
func (about subject) found(fields map[string]said) map[string]call.FoundField {
	all := map[string]call.FoundField{}
	taken := map[int]bool{}
	for _, q := range about.Script.Questions {
		f, ok := fields[q.Key]
		if !ok || f.Value == nil || f.Quote == nil || f.Confidence == nil {
			continue
		}
		value, err := q.Accept(f.Value, about.region())
		if err != nil {
			continue
		}
		turn, ok := chosenTurn(about.turnsOf(*f.Quote), f.Turn, taken)
		if !ok {
			continue
		}
		taken[turn] = true
		all[q.Key] = call.FoundField{
			Value:      value,
			Confidence: min(max(*f.Confidence, 0), 1),
			Quote:      shortened(conversation.Clean(*f.Quote), maxQuote),
			Turn:       turn,
		}
	}
	return all
}

// maxQuote is the longest stored quote, in characters.
const maxQuote = 500

// turnsOf finds the turns of the recipient with a quote, by its words: their spelling, their case and the punctuation
// of a model do not matter. Pressed keys have no words of the recipient.
func (about subject) turnsOf(quote string) (all []int) {
	words := " " + strings.Join(conversation.Words(quote), " ") + " "
	if strings.TrimSpace(words) == "" {
		return nil
	}
	for _, t := range about.Turns {
		if t.Role == call.Recipient &&
			strings.Contains(" "+strings.Join(conversation.Words(t.Text), " ")+" ", words) {
			all = append(all, t.Index)
		}
	}
	return all
}

// chosenTurn chooses the turn of a quote. People say "Yes." more than once. The model knows which one it means. Without
// it, fields are asked in their order, so a field is in the first turn that no field before it is in.
func chosenTurn(candidates []int, named *int, taken map[int]bool) (index int, ok bool) {
	if len(candidates) == 0 {
		return 0, false
	}
	if named != nil && slices.Contains(candidates, *named) {
		return *named, true
	}
	for _, index := range candidates {
		if !taken[index] {
			return index, true
		}
	}
	return candidates[0], true
}

// judge adds what rules decide. A model can be talked into anything, so a success in a call whose recipient addressed
// the analysis counts only if the required answers were given to the agent.
func (about subject) judge(r *Result) {
	if *r.OptOutRequested && !about.Analysis.OptOut {
		r.Issues = append(r.Issues, call.OptOutMissed)
	}
	if !about.manipulated() {
		return
	}
	r.Issues = append(r.Issues, call.Manipulated)
	if r.Successful != nil && *r.Successful && !about.answered() {
		r.Successful = nil
	}
}

// addressed matches the folded words of a person who speaks to the analysis instead of the agent.
var addressed = regexp.MustCompile(`\b(` +
	`(set|mark|label|classify|output|return|report|record|rate) .{0,40}` +
	`\b(successful|sentiment|confidence|opt out requested)\b` +
	`|successful (to|is|equals|as) true\b` +
	`|(ignore|disregard|forget|override) .{0,40}\b(instructions?|rules|prompt|schema)\b` +
	`|(system prompt|json object|language model|this transcript|the transcript)\b)`)

// manipulated reports whether the recipient's words address the analysis.
func (about subject) manipulated() bool {
	for _, t := range about.Turns {
		if t.Role == call.Recipient && addressed.MatchString(strings.Join(conversation.Words(t.Text), " ")) {
			return true
		}
	}
	return false
}

// applies reports whether a successful call has an answer to a question.
func (about subject) applies(q conversation.Question) bool {
	return q.IsRequired() && !slices.Contains(about.Analysis.Skipped, q.Key)
}

// answered reports whether every required question, and at least one, was answered in the call.
func (about subject) answered() bool {
	required := 0
	for _, q := range about.Script.Questions {
		if !about.applies(q) {
			continue
		}
		if required++; about.Analysis.Answers[q.Key] == nil {
			return false
		}
	}
	return required > 0
}
