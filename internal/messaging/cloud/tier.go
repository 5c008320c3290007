package cloud

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

const (
	// unknownLimit is granted when the operator names no limit that we
	// understand: the lowest level that exists. Unknown must not mean unlimited.
	unknownLimit = 250
	// highestLimit is the highest level that has a number; "unlimited" is
	// reported and kept to as this.
	highestLimit = 100_000
)

// Tier is a messaging limit as the operator names it: how many distinct
// recipients outside a service window may be written to in any 24 hours. The
// zero value is a limit that is not known. It reads from JSON whatever stands
// there (a name, a number, a number in quotes, null) and never fails.
type Tier struct {
	raw string
}

// ParseTier reads TIER_250, TIER_2K, TIER_UNLIMITED, UNLIMITED, -1, 2000 and
// the like.
func ParseTier(s string) Tier {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r > ' ' && r < 0x7f:
			return r
		}
		return '?' // nothing that a limit is written with
	}, strings.TrimSpace(s))
	return Tier{raw: s[:min(len(s), 40)]} // longer than any that is known
}

// String is the operator's own word, "" when it said nothing.
func (t Tier) String() string { return t.raw }

// Limit is the number that is reported and kept to: the operator's (0 included),
// 100000 for unlimited and for anything above, and 250 when it names none that we
// know.
func (t Tier) Limit() int {
	n, _ := t.number()
	return n
}

// Known reports whether the operator named a limit. One that it did not name is
// worth a line in the log.
func (t Tier) Known() bool {
	_, known := t.number()
	return known
}

// Unlimited reports whether the operator grants as many as one likes.
func (t Tier) Unlimited() bool {
	return t.raw == "UNLIMITED" || t.raw == "TIER_UNLIMITED" || t.raw == "-1"
}

// level is TIER_250, TIER_2K, 250, 2K. Meta has renamed levels before, so the
// number in the name is read rather than looked up in a list.
var level = regexp.MustCompile(`^(?:TIER_)?([0-9]{1,9})(K|M)?$`)

func (t Tier) number() (limit int, known bool) {
	if t.Unlimited() {
		return highestLimit, true
	}
	m := level.FindStringSubmatch(t.raw)
	if m == nil {
		return unknownLimit, false // UNTIERED, TIER_NOT_SET, "", anything new
	}
	n, _ := strconv.Atoi(m[1]) // nine digits at most
	switch m[2] {
	case "K":
		n *= 1_000
	case "M":
		n *= 1_000_000
	}
	return min(n, highestLimit), true
}

// UnmarshalJSON reads a tier from whatever stands there.
func (t *Tier) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err // not JSON at all
	}
	switch v := v.(type) {
	case string:
		*t = ParseTier(v)
	case float64:
		*t = ParseTier(strconv.FormatFloat(v, 'f', -1, 64)) // 2000, 2e3 and 2000.0 alike
	case nil:
		*t = Tier{}
	default:
		*t = ParseTier(string(text))
	}
	return nil
}
