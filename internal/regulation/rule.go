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
// number it allows. Hours are by the recipient's clock.
type Rule struct {
	ID       string         `json:"id"`
	Place    Place          `json:"place"`
	Windows  []hours.Window `json:"windows"`  // allowed; empty: the rule limits the number of calls
	Holidays bool           `json:"holidays"` // no calls on public holidays of the place
	Calls    int            `json:"calls"`    // at most this many to one number; 0: the rule limits the hours
	Days     int            `json:"days"`     // within this many days
	Source   string         `json:"source"`   // statute or regulation
	URL      string         `json:"url"`
	AsOf     string         `json:"as_of"`    // when the row was written
	Verified bool           `json:"verified"` // the words of the source were read, not only what others say of it
	Note     string         `json:"note"`
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
	if r.Calls > 0 {
		span := "24 hours"
		if r.Days > 1 {
			span = fmt.Sprintf("%d days", r.Days)
		}
		if r.Calls == 1 {
			return "At most 1 call to a number in " + span
		}
		return fmt.Sprintf("At most %d calls to a number in %s", r.Calls, span)
	}
	text := strings.TrimPrefix(hours.Describe(hours.Hours{Timezone: hours.Recipient, Windows: r.Windows}),
		"Recipient's time, ")
	if r.Holidays {
		text += ", not on public holidays"
	}
	return text
}
