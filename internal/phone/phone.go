// Package phone owns the rules for phone numbers: which numbers are accepted, how they
// are written for people and for logs, and which time zones they may be in.
//
// The numbering plans come from github.com/nyaruka/phonenumbers. Its general functions
// take about 20 µs per number, and an import checks 100,000 numbers. This package
// therefore compiles the plans once, and calls the library only where it must, such as to
// remove a national prefix. The tests compare the answers of both.
package phone

import (
	"errors"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Number is a phone number in E.164: "+" and up to 15 digits, possible for its
// country. The zero value is no number.
type Number string

// String returns the number in E.164. Use Format for people and Mask for logs.
func (n Number) String() string { return string(n) }

// These errors say why a number is refused. Their texts are safe to show and can follow
// the name of a field.
var (
	ErrInvalid    = errors.New("not a valid phone number. Use E.164, such as +13125550142")
	ErrEmpty      = errors.New("required")
	ErrImpossible = errors.New("not a valid phone number")
	ErrRegion     = errors.New("start the number with + and the country code")
	ErrExtension  = errors.New("numbers with an extension cannot be called")
	ErrLetters    = errors.New("a phone number cannot contain letters")
	ErrRounded    = errors.New("the spreadsheet rounded this number. Format its column as text")
	ErrComputed   = errors.New("the spreadsheet calculated this number. Format its column as text")
	ErrShort      = errors.New("emergency and short numbers cannot be called")
)

const (
	maxDigits   = 15 // E.164 §6.1
	maxNational = 64 // characters of a national number as people write it
)

// Parse reads a number in strict E.164: "+", then digits only, of a length that is
// possible for its country. It refuses short and emergency numbers. Its errors are
// ErrInvalid and ErrEmpty.
//
// The result is the canonical form. Parse removes a trunk prefix after the country code
// (+49 0 30 …), so that one telephone has one spelling on the do-not-call list.
func Parse(s string) (Number, error) {
	if s == "" {
		return "", ErrEmpty
	}
	p, nsn := split(s)
	if p == nil {
		return "", ErrInvalid
	}
	if p.trunk != nil && p.trunk.MatchString(nsn) {
		var err error
		if s, nsn, err = stripTrunk(s); err != nil {
			return "", ErrInvalid
		}
	}
	if !p.lengths.has(len(nsn)) || p.short(nsn) {
		return "", ErrInvalid
	}
	return Number(s), nil
}

// syntax reports whether s is "+" and up to 15 digits, the first of them not 0.
func syntax(s string) bool {
	if len(s) < 2 || len(s) > maxDigits+1 || s[0] != '+' || s[1] == '0' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// stripTrunk has the library remove a national prefix, if there is one. It refuses a
// number that changes again when it is read again, because the number has no canonical
// form.
func stripTrunk(s string) (e164, nsn string, err error) {
	first, err := phonenumbers.Parse(s, phonenumbers.UNKNOWN_REGION)
	if err != nil {
		return "", "", ErrInvalid
	}
	e164 = phonenumbers.Format(first, phonenumbers.E164)
	if len(e164) > maxDigits+1 {
		return "", "", ErrInvalid
	}
	if e164 != s {
		second, err := phonenumbers.Parse(e164, phonenumbers.UNKNOWN_REGION)
		if err != nil || phonenumbers.Format(second, phonenumbers.E164) != e164 {
			return "", "", ErrInvalid
		}
	}
	return e164, phonenumbers.GetNationalSignificantNumber(first), nil
}

// KnownRegion reports whether region is an ISO 3166-1 alpha-2 code whose national numbers
// ParseNational can read.
func KnownRegion(region string) bool {
	return phonenumbers.GetCountryCodeForRegion(region) != 0
}

// Mask returns the number for logs: its country code and last two digits, "+1…42".
func Mask(n Number) string {
	if len(n) < 4 {
		return ""
	}
	code := ""
	if p, _ := split(string(n)); p != nil {
		code = strconv.Itoa(p.code)
	}
	return "+" + code + "…" + string(n[len(n)-2:])
}

// Format returns the number for people: in international form, grouped as in its country,
// with spaces between the groups: "+1 312 555 0142".
func Format(n Number) string {
	p, nsn := split(string(n))
	if p == nil {
		return string(n)
	}
	// Countries separate groups with dashes, dots, brackets or spaces.
	grouped := phonenumbers.Format(message(p.code, nsn), phonenumbers.INTERNATIONAL)
	var b strings.Builder
	b.WriteByte('+')
	gap := false
	for _, r := range grouped {
		if r < '0' || r > '9' {
			gap = b.Len() > 1
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// message returns the library's form of a canonical number.
func message(code int, nsn string) *phonenumbers.PhoneNumber {
	value, _ := strconv.ParseUint(nsn, 10, 64) // at most 15 digits
	n := &phonenumbers.PhoneNumber{
		CountryCode:    new(int32(code)),
		NationalNumber: new(value),
	}
	zeros := 0
	for zeros < len(nsn)-1 && nsn[zeros] == '0' {
		zeros++
	}
	if zeros > 0 {
		n.ItalianLeadingZero = new(true)
		n.NumberOfLeadingZeros = new(int32(zeros))
	}
	return n
}
