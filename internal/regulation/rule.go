package regulation

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/hours"
)

// Rule is a row of the table: the hours in which a place allows calls, or how many calls to one
// number it allows. A rule of an organization's own may have both. Hours are by the recipient's clock.
type Rule struct {
	ID       string         `json:"id"`
	Place    Place          `json:"place"`
	Windows  []hours.Window `json:"windows,omitempty"`  // allowed; empty: the rule limits the number of calls
	Holidays bool           `json:"holidays,omitempty"` // no calls on public holidays of the place
	Calls    int            `json:"calls,omitempty"`    // at most this many to one number; 0: the rule limits the hours
	Days     int            `json:"days,omitempty"`     // within this many days
	Source   string         `json:"source"`             // statute or regulation, or why an organization added the rule
	URL      string         `json:"url,omitempty"`
	AsOf     string         `json:"as_of,omitempty"`    // when the row was written
	Verified bool           `json:"verified,omitempty"` // the words of the source were read, not what others say of it
	Note     string         `json:"note,omitempty"`
}

//go:embed rules.json
var file []byte

// rules is the table, by place.
var rules = func() []Rule {
	var all []Rule
	if err := json.Unmarshal(file, &all); err != nil {
		panic(fmt.Sprintf("rules.json: %v", err))
	}
	return all
}()

// Rules returns the table: the United States, their states, then the other countries.
func Rules() []Rule { return slices.Clone(rules) }

// RuleByID returns a row of the table.
func RuleByID(id string) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

// ruleDay is the length of a day in rules that limit the number of calls.
const ruleDay = 24 * time.Hour

// Text describes what a rule allows: "08:00–20:00, every day", "At most 3 calls to a number in 24
// hours".
func (r Rule) Text() string {
	limit := ""
	if r.Calls > 0 {
		span := "24 hours"
		if r.Days > 1 {
			span = fmt.Sprintf("%d days", r.Days)
		}
		limit = fmt.Sprintf("t most %d calls to a number in %s", r.Calls, span)
		if r.Calls == 1 {
			limit = "t most 1 call to a number in " + span
		}
	}
	if len(r.Windows) == 0 {
		return "A" + limit
	}
	text := strings.TrimPrefix(hours.Describe(hours.Hours{Timezone: hours.Recipient, Windows: r.Windows}),
		"Recipient's time, ")
	if r.Holidays {
		text += ", not on public holidays"
	}
	if limit != "" {
		text += ", and a" + limit
	}
	return text
}
