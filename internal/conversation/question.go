package conversation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
	"github.com/dialwright/dialwright/internal/fault"
)

// Question is a field that an agent collects. A scripted agent asks it once, and once more if the
// answer is not understood.
type Question struct {
	Key    string `json:"key"` // the name of the answer: lower-case letters, digits and _
	Ask    string `json:"ask"`
	Expect Expect `json:"expect"`
	// Asks are translations of Ask, by language. They are spoken if no model answers.
	Asks map[string]string `json:"asks,omitempty"`
	// Description says what the answer means. It is never spoken.
	Description string   `json:"description,omitempty"`
	Options     []string `json:"options,omitempty"` // of Choice: the options as they are spoken
	// TranslatedOptions are translations of all Options in their order, by language. The answer is the option itself.
	TranslatedOptions map[string][]string `json:"translated_options,omitempty"`

	Min      *float64 `json:"min,omitempty"`      // of Number: the smallest valid answer
	Max      *float64 `json:"max,omitempty"`      // of Number: the largest valid answer
	Required *bool    `json:"required,omitempty"` // whether a successful call has an answer; nil: true
	// Branches lead on from some answers: to a later question, to the end or to a person.
	Branches []Branch `json:"branches,omitempty"`
	// FollowUp says which answers need a person. Nil: none.
	FollowUp *AnswerRule `json:"follow_up,omitempty"`
}

// IsRequired reports whether a call is successful only with an answer to the question.
func (q Question) IsRequired() bool { return q.Required == nil || *q.Required }

// Expect is the kind of answer that a question expects.
type Expect string

const (
	YesNo  Expect = "yes_no" // true or false; key 1 or 2
	Number Expect = "number" // a number, spoken or typed (# ends it)
	Choice Expect = "choice" // one of Options, by name or by position; keys 1 to 8
	Text   Expect = "text"   // any text
	Date   Expect = "date"   // "2026-11-24"
	Time   Expect = "time"   // "14:30", on the 24-hour clock
	// Phone is a phone number in E.164. It can't be typed, because key 9 means opt out.
	Phone Expect = "phone"
	Email Expect = "email" // "anna.smith@example.com"
)

// Expects returns the kinds of answer, the most common first.
func Expects() []Expect { return []Expect{YesNo, Choice, Number, Text, Date, Time, Phone, Email} }

// expectList names the kinds of answer for an error: "yes_no, choice".
func expectList() string {
	var all []string
	for _, e := range Expects() {
		all = append(all, string(e))
	}
	return strings.Join(all, ", ")
}

// Limits of a question, in characters and in elements.
const (
	maxDescription = 300
	maxOption      = 80
	maxOptions     = lexicon.MaxOrdinals // key 9 means opt out
)

func (q Question) validateDescription(path string, p *fault.Problems) {
	switch {
	case !plain(q.Description):
		p.Addf(path, "must be plain text")
	case utf8.RuneCountInString(q.Description) > maxDescription:
		p.Addf(path, "must have at most %d characters", maxDescription)
	case strings.Contains(q.Description, "{{"):
		p.Addf(path, "must not contain variables")
	}
}

func (q Question) validateExpect(at func(field string) string, languages []string, p *fault.Problems) {
	switch q.Expect {
	case YesNo, Number, Text, Date, Time, Phone, Email:
		if len(q.Options) > 0 {
			p.Addf(at("options"), "are only for a choice")
		}
		if len(q.TranslatedOptions) > 0 {
			p.Addf(at("translated_options"), "are only for a choice")
		}
	case Choice:
		q.validateOptions(at, languages, p)
	default:
		p.Addf(at("expect"), "must be one of %s", expectList())
	}
	if q.Expect != Number && (q.Min != nil || q.Max != nil) {
		p.Addf(at("expect"), "must be number to have min and max")
	}
	if q.Min != nil && q.Max != nil && *q.Min >= *q.Max {
		p.Addf(at("max"), "must be greater than min")
	}
}

func (q Question) validateOptions(at func(field string) string, languages []string, p *fault.Problems) {
	if len(q.Options) < 2 || len(q.Options) > maxOptions {
		p.Addf(at("options"), "must have 2 to %d choices", maxOptions)
		return
	}
	first := map[string]int{}
	for i, option := range q.Options {
		path := at(fmt.Sprintf("options[%d]", i))
		said, ok := validateOption(path, option, languages, p)
		if earlier, twice := first[said]; ok && twice {
			p.Addf(path, "sounds the same as %q", q.Options[earlier])
		} else if ok {
			first[said] = i
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(q.TranslatedOptions)) {
		path, options := at("translated_options."+tag), q.TranslatedOptions[tag]
		switch {
		case !slices.Contains(languages[1:], tag):
			p.Addf(at("translated_options"), "must name further languages of the agent, unlike %q", limit(tag, 40))
			continue
		case len(options) != len(q.Options):
			p.Addf(path, "must translate each of the %d choices, in their order", len(q.Options))
			continue
		}
		named := maps.Clone(first) // an original is understood in every language
		for i, option := range options {
			at := fmt.Sprintf("%s[%d]", path, i)
			said, ok := validateOption(at, option, languages, p)
			if other, taken := named[said]; ok && taken && other != i {
				p.Addf(at, "sounds the same as choice %d", other+1)
			} else if ok {
				named[said] = i
			}
		}
	}
}

// validateOption checks one option, and returns how it sounds.
func validateOption(path, option string, languages []string, p *fault.Problems) (said string, ok bool) {
	before := p.Len()
	text(p, path, option, true, maxOption)
	if p.Len() > before {
		return "", false
	}
	said = strings.Join(flatten(clauses(option)), " ")
	switch {
	case strings.Contains(option, "{{"):
		p.Addf(path, "must not contain variables")
	case said == "":
		p.Addf(path, "must contain a word")
	case OptsOut(option, languages...):
		p.Addf(path, "means 'do not call me again' and can't be a choice")
	}
	return said, p.Len() == before
}
