package cloud

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

const (
	// unknownLimit applies when the operator reports no limit that the product understands. It is
	// the lowest existing level, because an unknown limit must not mean unlimited.
	unknownLimit = 250
	// highestLimit is the highest level with a number. It also applies to "unlimited".
	highestLimit = 100_000
)

// Tier is a messaging limit in the operator's words: how many distinct recipients outside
// a service window may get messages in any 24 hours. The zero value is an unknown limit.
// Tier reads any JSON value (a name, a number, a number in quotes, null) without an
// error.
type Tier struct {
	raw string
}

// ParseTier reads TIER_250, TIER_2K, TIER_UNLIMITED, UNLIMITED, -1, 2000 and similar values.
func ParseTier(s string) Tier {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r > ' ' && r < 0x7f:
			return r
		}
		return '?' // a character that no limit contains
	}, strings.TrimSpace(s))
	return Tier{raw: s[:min(len(s), 40)]} // longer than every known limit
}

// String returns the operator's value, or "" if the operator sent none.
func (t Tier) String() string { return t.raw }

// Limit returns the limit that applies: the operator's number, 100000 for unlimited and for higher
// numbers, and 250 for an unknown limit.
func (t Tier) Limit() int {
	n, _ := t.number()
	return n
}

// Known reports whether the operator reported a limit that the product understands. An unknown
// limit should be logged.
func (t Tier) Known() bool {
	_, known := t.number()
	return known
}

// Unlimited reports whether the operator sets no limit.
func (t Tier) Unlimited() bool {
	return t.raw == "UNLIMITED" || t.raw == "TIER_UNLIMITED" || t.raw == "-1"
}

// level matches TIER_250, TIER_2K, 250 and 2K. Meta has renamed levels before, so the
// number is read from the name and not from a list.
var level = regexp.MustCompile(`^(?:TIER_)?([0-9]{1,9})(K|M)?$`)

func (t Tier) number() (limit int, known bool) {
	if t.Unlimited() {
		return highestLimit, true
	}
	m := level.FindStringSubmatch(t.raw)
	if m == nil {
		return unknownLimit, false // UNTIERED, TIER_NOT_SET, "", anything new
	}
	n, _ := strconv.Atoi(m[1]) // at most nine digits
	switch m[2] {
	case "K":
		n *= 1_000
	case "M":
		n *= 1_000_000
	}
	return min(n, highestLimit), true
}

// UnmarshalJSON reads a tier from any JSON value.
func (t *Tier) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err // not valid JSON
	}
	switch v := v.(type) {
	case string:
		*t = ParseTier(v)
	case float64:
		*t = ParseTier(strconv.FormatFloat(v, 'f', -1, 64)) // 2000, 2e3 and 2000.0 are the same
	case nil:
		*t = Tier{}
	default:
		*t = ParseTier(string(text))
	}
	return nil
}
