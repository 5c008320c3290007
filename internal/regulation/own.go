package regulation

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// maxOwn is the maximum number of own rules of an organization.
const maxOwn = 100

// ownPrefix starts the IDs of organizations' own rules. IDs in the table start with a country.
const ownPrefix = "own-"

// Add adds a rule of the organization's own: for a place, with windows, or at most so many calls to a number in a day,
// or both. Its ID names the place and is never used again, so that the decisions of past calls stay readable.
func (s *Settings) Add(r Rule) {
	r.ID = ownPrefix + strings.ToLower(string(r.Place)) + "-" + uuid.NewString()[:8]
	s.Own = append(s.Own, r)
}

// OwnRule returns an own rule by its ID.
func (s Settings) OwnRule(id string) (Rule, bool) {
	i := slices.IndexFunc(s.Own, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return s.Own[i], true
}

// Remove removes an own rule.
func (s *Settings) Remove(id string) {
	s.Own = slices.DeleteFunc(s.Own, func(r Rule) bool { return r.ID == id })
}

// PlaceOfOwn returns the place that the ID of an own rule names, also after the rule was removed.
func PlaceOfOwn(id string) (Place, bool) {
	rest, own := strings.CutPrefix(id, ownPrefix)
	end := strings.LastIndexByte(rest, '-')
	if !own || end < 0 {
		return "", false
	}
	return Place(strings.ToUpper(rest[:end])), true
}

func (s *Settings) checkOwn(p *fault.Problems) {
	if len(s.Own) > maxOwn {
		p.Addf("own_rules", "must be at most %d", maxOwn)
	}
	for i := range s.Own {
		r := &s.Own[i]
		if !r.Place.Known() {
			p.Addf("place", "must be a country, a state of the US or a province of Canada, such as DE, US-FL or CA-ON")
		}
		r.Source = checkReason(r.Source, p)
		switch {
		case r.Days > 1:
			p.Addf("days", "must be 1")
		case r.Days == 1 && (r.Calls < 1 || r.Calls > maxRuleCalls):
			p.Addf("calls", "must be between 1 and %d", maxRuleCalls)
		case r.Days == 0 && len(r.Windows) == 0:
			p.Addf("calls", "required, unless the rule has hours")
		}
		if len(r.Windows) > 0 {
			hours.Hours{Timezone: hours.Recipient, Windows: r.Windows}.Validate("calling_hours", p)
		}
	}
}
