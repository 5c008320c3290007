package phone

import (
	"slices"

	"github.com/nyaruka/phonenumbers"
)

// Zones returns the IANA time zones that a number may be in, by its digits. They are
// reliable only for a fixed line, a mobile number, or a number that may be either. Every
// other kind (toll-free, personal, VoIP, unknown …) has no zones. The caller then falls
// back to the project's zone and says so.
//
// A mobile number of a country with several zones has all of them.
func Zones(n Number) (zones []string, reliable bool) {
	p, nsn := split(string(n))
	if p == nil || !p.placed(nsn) {
		return nil, false
	}
	zones, err := phonenumbers.GetTimezonesForPrefix(string(n))
	if err != nil || len(zones) == 0 || slices.Contains(zones, phonenumbers.UNKNOWN_TIMEZONE) {
		return nil, false
	}
	return slices.Clone(zones), true // the library returns its own slice
}

// placed reports whether a number is a fixed line, a mobile number or either.
func (p *plan) placed(nsn string) bool {
	_, relation := p.find(nsn)
	return relation == placed
}

// find returns the index of a number's region, and the number's relation to the region. A
// number belongs to the first region whose leading digits it begins with or whose kinds it
// matches. Without such a region the index is -1.
func (p *plan) find(nsn string) (index, relation int) {
	regions := p.regions()
	for i, r := range regions {
		if r.leading != nil && len(regions) > 1 {
			if r.leading.MatchString(nsn) {
				return i, r.relation(nsn)
			}
			continue
		}
		if relation := r.relation(nsn); relation != unknown {
			return i, relation
		}
	}
	return -1, unknown
}
