package phone

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/nyaruka/phonenumbers"
)

// plan is the numbering plan of one country calling code.
type plan struct {
	code         int
	trunk        *regexp.Regexp // matches where a national prefix may have to be removed; nil: no national prefix
	lengths      lengths        // of full national numbers
	shortLengths lengths        // of short and emergency numbers
	regionIDs    []string       // the main region first
	regions      func() []region
}

// lengths is a set of digit counts, one bit for each.
type lengths uint32

func (l lengths) has(n int) bool { return n < 32 && l&(1<<n) != 0 }

func lengthSet(of []int32) lengths {
	var l lengths
	for _, n := range of {
		if n >= 0 && n < 32 { // -1 means "no numbers"
			l |= 1 << n
		}
	}
	return l
}

// plans contains the plan of every calling code. Each plan is compiled on first use.
var plans [1000]func() *plan

func init() {
	for code := range phonenumbers.GetSupportedCallingCodes() {
		plans[code] = sync.OnceValue(func() *plan { return compile(code) })
	}
}

// split finds the calling code of an E.164 number. No code begins with another code. The
// plan is nil if the code is unknown or the text is not in E.164.
func split(e164 string) (p *plan, nsn string) {
	if !syntax(e164) {
		return nil, ""
	}
	code := 0
	for i := 1; i <= 3 && i < len(e164); i++ {
		code = code*10 + int(e164[i]-'0')
		if code > 0 && code < len(plans) && plans[code] != nil {
			return plans[code](), e164[i+1:]
		}
	}
	return nil, ""
}

func compile(code int) *plan {
	p := &plan{code: code, regionIDs: phonenumbers.GetRegionCodesForCountryCode(code)}
	main := territory(p.regionIDs[0], code)
	p.lengths = lengthSet(main.GetGeneralDesc().GetPossibleLength())
	if prefix := main.GetNationalPrefixForParsing(); prefix != "" {
		p.trunk = regexp.MustCompile("^(?:" + prefix + ")")
	}
	for _, m := range shortTerritories()[code] {
		p.shortLengths |= lengthSet(m.GetGeneralDesc().GetPossibleLength())
	}
	p.regions = sync.OnceValue(func() []region {
		regions := make([]region, 0, len(p.regionIDs))
		for _, id := range p.regionIDs {
			regions = append(regions, compileRegion(territory(id, code)))
		}
		return regions
	})
	return p
}

// short reports whether a national number is a short or emergency number. If the same
// digits are also a full number, they are read as the full number, unless they reach the
// emergency services.
func (p *plan) short(nsn string) bool {
	if !p.shortLengths.has(len(nsn)) {
		return false
	}
	for _, id := range p.regionIDs {
		if phonenumbers.IsEmergencyNumber(nsn, id) {
			return true
		}
	}
	n := message(p.code, nsn)
	return phonenumbers.IsValidShortNumber(n) && !phonenumbers.IsValidNumber(n)
}

// region describes the numbers of one country of a plan.
type region struct {
	leading *regexp.Regexp // prefix of this region's numbers; nil: the kinds decide
	general kind
	fixed   kind
	mobile  kind
	others  []kind
}

// kind describes the numbers of one type, such as mobile.
type kind struct {
	pattern *regexp.Regexp // nil: no numbers
	lengths lengths        // 0: any length of the plan
}

func (k kind) matches(nsn string) bool {
	return k.pattern != nil && (k.lengths == 0 || k.lengths.has(len(nsn))) && k.pattern.MatchString(nsn)
}

func compileKind(d *phonenumbers.PhoneNumberDesc) kind {
	pattern := d.GetNationalNumberPattern()
	if pattern == "" {
		return kind{}
	}
	k := kind{pattern: regexp.MustCompile("^(?:" + pattern + ")$")}
	if of := d.GetPossibleLength(); len(of) > 0 {
		if k.lengths = lengthSet(of); k.lengths == 0 {
			return kind{}
		}
	}
	return k
}

func compileRegion(m *phonenumbers.PhoneMetadata) region {
	r := region{
		general: compileKind(m.GetGeneralDesc()),
		fixed:   compileKind(m.GetFixedLine()),
		mobile:  compileKind(m.GetMobile()),
	}
	if digits := m.GetLeadingDigits(); digits != "" {
		r.leading = regexp.MustCompile("^(?:" + digits + ")")
	}
	for _, d := range []*phonenumbers.PhoneNumberDesc{
		m.GetPremiumRate(), m.GetTollFree(), m.GetSharedCost(), m.GetVoip(),
		m.GetPersonalNumber(), m.GetPager(), m.GetUan(), m.GetVoicemail(),
	} {
		if k := compileKind(d); k.pattern != nil {
			r.others = append(r.others, k)
		}
	}
	return r
}

// These values say whether a number belongs to a place.
const (
	unknown   = iota // matches no kind of the region
	placed           // a fixed line, a mobile or either
	placeless        // toll-free, personal, premium and the like
)

func (r region) relation(nsn string) int {
	if !r.general.matches(nsn) {
		return unknown
	}
	for _, k := range r.others {
		if k.matches(nsn) {
			return placeless
		}
	}
	if r.fixed.matches(nsn) || r.mobile.matches(nsn) {
		return placed
	}
	return unknown
}

// territory returns the library's metadata of a region of a calling code.
func territory(region string, code int) *phonenumbers.PhoneMetadata {
	return territories()[territoryKey(region, code)]
}

var territories = sync.OnceValue(func() map[string]*phonenumbers.PhoneMetadata {
	collection, err := phonenumbers.MetadataCollection()
	if err != nil {
		panic("phone: the numbering plans in the binary can't be read: " + err.Error())
	}
	of := map[string]*phonenumbers.PhoneMetadata{}
	for _, m := range collection.GetMetadata() {
		of[territoryKey(m.GetId(), int(m.GetCountryCode()))] = m
	}
	return of
})

// territoryKey includes the calling code, because all calling codes without a country
// have the region "001".
func territoryKey(region string, code int) string { return region + strconv.Itoa(code) }

var shortTerritories = sync.OnceValue(func() map[int][]*phonenumbers.PhoneMetadata {
	collection, err := phonenumbers.ShortNumberMetadataCollection()
	if err != nil {
		panic("phone: the short numbers in the binary can't be read: " + err.Error())
	}
	of := map[int][]*phonenumbers.PhoneMetadata{}
	for _, m := range collection.GetMetadata() {
		code := phonenumbers.GetCountryCodeForRegion(m.GetId())
		of[code] = append(of[code], m)
	}
	return of
})
