package regulation

import (
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

// Book finds the rules that apply to numbers. It remembers what it computed, so it belongs to one
// goroutine. A nil book has no rules.
type Book struct {
	settings  Settings
	local     map[Place]*Local
	schedules map[scheduleKey]*hours.Schedule
}

type scheduleKey struct {
	base  *hours.Schedule
	place Place
	zones string
}

// Local is what applies at a place.
type Local struct {
	Place Place
	Rules []Rule // as the settings change them
	Caps  []Cap
}

// Cap limits the calls to one number within a period.
type Cap struct {
	Calls  int
	Period time.Duration
	Rule   string // the ID of its rule; empty for a limit of the organization
}

// NewBook returns the book of an organization, nil if its settings limit no call.
func NewBook(s Settings) *Book {
	if !s.On() {
		return nil
	}
	return &Book{settings: s, local: map[Place]*Local{}, schedules: map[scheduleKey]*hours.Schedule{}}
}

// Of returns what applies to a number: the rules of its country and of its state.
func (b *Book) Of(n phone.Number) *Local {
	if b == nil {
		return &Local{}
	}
	place := PlaceOf(n)
	if l, ok := b.local[place]; ok {
		return l
	}
	l := &Local{Place: place}
	for _, r := range b.settings.applied() {
		if r.Place != place && r.Place != place.Country() {
			continue
		}
		l.Rules = append(l.Rules, r)
		if r.Calls > 0 {
			l.Caps = append(l.Caps, Cap{Calls: r.Calls, Period: time.Duration(r.Days) * ruleDay, Rule: r.ID})
		}
	}
	b.local[place] = l
	return l
}

// ZonesOf returns the clocks by which the rules of a number apply: the recipient's own time zone,
// otherwise those that the number may be in, otherwise those of its calling hours.
func ZonesOf(n phone.Number, own string, otherwise []string) []string {
	if own != "" {
		return []string{own}
	}
	if zones, reliable := phone.Zones(n); reliable {
		return zones
	}
	return otherwise
}

// Schedule returns when a number may be called: at the times of base that the rules allow by the
// clocks in zones. Those come from ZonesOf.
func (b *Book) Schedule(base *hours.Schedule, n phone.Number, zones []string) (*hours.Schedule, error) {
	if b == nil {
		return base, nil
	}
	l := b.Of(n)
	key := scheduleKey{base, l.Place, strings.Join(zones, " ")}
	if s, ok := b.schedules[key]; ok {
		return s, nil
	}
	s := base
	days, err := hours.Always().In(zones...)
	if err != nil {
		return nil, err
	}
	s = s.And(days.Except(func(d hours.Date) bool { return b.Closed(l, d) != "" }))
	for _, r := range l.Rules {
		if len(r.Windows) == 0 {
			continue
		}
		law, err := hours.Hours{Timezone: hours.Recipient, Windows: r.Windows}.In(zones...)
		if err != nil {
			return nil, err
		}
		s = s.And(law)
	}
	b.schedules[key] = s
	return s, nil
}

// Closed returns why no call is allowed on a day: the name of a public holiday or of the
// organization's own day. It is empty on other days.
func (b *Book) Closed(l *Local, d hours.Date) string {
	if name, own := b.settings.closedOn(d); own {
		if name == "" {
			name = "A day without calls"
		}
		return name
	}
	if b.settings.Holidays {
		if name := Holiday(l.Place.Country(), d); name != "" {
			return name
		}
	}
	for _, r := range l.Rules {
		if r.Holidays {
			if name := Holiday(r.Place, d); name != "" {
				return name
			}
		}
	}
	return ""
}

// The IDs of what an organization adds to the table.
const (
	PublicHolidays = "public_holidays" // no calls on public holidays of the country
	ClosedDays     = "closed_days"     // days without calls
)

// Applied returns the IDs of all that decides about calls to a number: the rules of its place, PublicHolidays and
// ClosedDays.
func (b *Book) Applied(n phone.Number) []string {
	l := b.Of(n)
	ids := l.IDs()
	if b == nil {
		return ids
	}
	if b.settings.Holidays && slices.Contains(HolidayCountries, l.Place.Country()) {
		ids = append(ids, PublicHolidays)
	}
	if len(b.settings.ClosedDays) > 0 {
		ids = append(ids, ClosedDays)
	}
	return ids
}

// IDs returns the IDs of the rules that apply.
func (l *Local) IDs() []string {
	ids := []string{}
	for _, r := range l.Rules {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return ids
}
