package phone

import (
	"slices"

	"github.com/nyaruka/phonenumbers"
)

// Zones are the IANA time zones a number may be in, by its digits. They are
// reliable only for a fixed line, a mobile or a number that may be either; for
// every other kind (toll-free, personal, VoIP, unknown …) there are none, and
// the caller falls back to the project's zone and says so.
//
// A mobile of a country with several zones has all of them.
func Zones(n Number) (zones []string, reliable bool) {
	p, nsn := split(string(n))
	if p == nil || !p.placed(nsn) {
		return nil, false
	}
	zones, err := phonenumbers.GetTimezonesForPrefix(string(n))
	if err != nil || len(zones) == 0 || slices.Contains(zones, phonenumbers.UNKNOWN_TIMEZONE) {
		return nil, false
	}
	return slices.Clone(zones), true // the library hands out its own slice
}

// placed tells whether a number is a fixed line, a mobile or either. A number
// is of the first region whose leading digits it has, or whose kinds know it.
func (p *plan) placed(nsn string) bool {
	regions := p.regions()
	for _, r := range regions {
		if r.leading != nil && len(regions) > 1 {
			if r.leading.MatchString(nsn) {
				return r.relation(nsn) == placed
			}
			continue
		}
		if relation := r.relation(nsn); relation != unknown {
			return relation == placed
		}
	}
	return false
}
