package regulation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// Settings are what an organization makes of the rules. The zero value applies none.
type Settings struct {
	Apply      bool                `json:"apply,omitempty"`       // the table
	Holidays   bool                `json:"holidays,omitempty"`    // no calls on the country's public holidays
	ClosedDays []ClosedDay         `json:"closed_days,omitempty"` // days without calls, by the recipient's clock
	Overrides  map[string]Override `json:"overrides,omitempty"`   // by the ID of a rule
	Own        []Rule              `json:"own_rules,omitempty"`   // in addition to the table, also if it does not apply
}

// ClosedDay is a day without calls that an organization chose.
type ClosedDay struct {
	Date string `json:"date"` // 2026-12-24, or 12-24 for every year
	Name string `json:"name"`
}

// Override replaces a rule. It may be stricter or looser.
type Override struct {
	Off     bool           `json:"off,omitempty"`     // the rule does not apply
	Windows []hours.Window `json:"windows,omitempty"` // of a rule about hours
	Calls   int            `json:"calls,omitempty"`   // of a rule about the number of calls
	Reason  string         `json:"reason"`
}

const (
	maxClosedDays = 100
	maxReason     = 500
	maxRuleCalls  = 100
)

// On reports whether the settings limit any call.
func (s Settings) On() bool { return s.Apply || s.Holidays || len(s.ClosedDays) > 0 || len(s.Own) > 0 }

// Check reports what is wrong with the settings.
func (s *Settings) Check() error {
	var p fault.Problems
	if len(s.ClosedDays) > maxClosedDays {
		p.Addf("closed_days", "must have at most %d days", maxClosedDays)
	}
	seen := map[string]bool{}
	for i := range s.ClosedDays {
		d := &s.ClosedDays[i]
		d.Date, d.Name = strings.TrimSpace(d.Date), strings.TrimSpace(d.Name)
		_, yearly := time.Parse("2006-01-02", "2024-"+d.Date)
		_, once := time.Parse("2006-01-02", d.Date)
		switch {
		case yearly != nil && once != nil:
			p.Addf("closed_days", "must be dates such as 2026-12-24, or 12-24 for every year: %.20q is not", d.Date)
		case seen[d.Date]:
			p.Addf("closed_days", "names %s twice", d.Date)
		case utf8.RuneCountInString(d.Name) > 100:
			p.Addf("closed_days", "must have names of at most 100 characters")
		}
		seen[d.Date] = true
	}
	for _, id := range slices.Sorted(maps.Keys(s.Overrides)) {
		s.Overrides[id] = s.Overrides[id].check(id, &p)
	}
	s.checkOwn(&p)
	return p.Err()
}

func (o Override) check(id string, p *fault.Problems) Override {
	r, ok := RuleByID(id)
	if !ok {
		p.Addf("overrides", "has the unknown rule %.40q", id)
		return o
	}
	o.Reason = checkReason(o.Reason, p)
	switch {
	case o.Off:
		o.Windows, o.Calls = nil, 0
	case r.Calls > 0:
		o.Windows = nil
		if o.Calls < 1 || o.Calls > maxRuleCalls {
			p.Addf("calls", "must be between 1 and %d", maxRuleCalls)
		}
	default:
		o.Calls = 0
		hours.Hours{Timezone: hours.Recipient, Windows: o.Windows}.Validate("calling_hours", p)
	}
	return o
}

// checkReason returns the reason without spaces around it.
func checkReason(reason string, p *fault.Problems) string {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		p.Addf("reason", "required, because the audit log keeps it")
	case utf8.RuneCountInString(reason) > maxReason:
		p.Addf("reason", "must have at most %d characters", maxReason)
	}
	return reason
}

// Rule returns a rule as the settings change it, and false if it does not apply.
func (s Settings) Rule(r Rule) (Rule, bool) {
	o, changed := s.Overrides[r.ID]
	switch {
	case !s.Apply || changed && o.Off:
		return r, false
	case !changed:
		return r, true
	case r.Calls > 0:
		r.Calls = o.Calls
	default:
		r.Windows = o.Windows
	}
	return r, true
}

// applied returns the rules that apply: those of the table as the settings change them, and the own rules.
func (s Settings) applied() []Rule {
	var all []Rule
	for _, r := range rules {
		if r, applies := s.Rule(r); applies {
			all = append(all, r)
		}
	}
	return append(all, s.Own...)
}

// closedOn returns the name of the organization's own day without calls.
func (s Settings) closedOn(d hours.Date) (string, bool) {
	yearly := fmt.Sprintf("%02d-%02d", d.Month, d.Day)
	once := fmt.Sprintf("%04d-%s", d.Year, yearly)
	for _, c := range s.ClosedDays {
		if c.Date == once || c.Date == yearly {
			return c.Name, true
		}
	}
	return "", false
}
