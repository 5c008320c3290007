package phone

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

var (
	rounded     = regexp.MustCompile(`^[+]?[0-9][.,]?[0-9]*[eE][+]?[0-9]+$`)
	extension   = regexp.MustCompile(`(?i)(?:;ext=|\bext(?:ension|n)?[. :]*|[x#] ?)[0-9]+$`)
	computed    = regexp.MustCompile(`^[-−][0-9][0-9.,]*$`) // =+49-151-2345678 is -2345780
	decimalZero = regexp.MustCompile(`^([+]?[0-9]{6,})[.,]0+$`)
)

// ParseNational reads a number as people write it in files and forms: in the national
// format of region (ISO 3166-1 alpha-2) or international, with spaces, dashes, dots,
// brackets, "tel:", a leading 00, a spreadsheet's leading quote or ="…". It returns the
// errors of this package, whose texts are safe to show.
func ParseNational(s, region string) (Number, error) {
	s = unwrap(s)
	if s == "" {
		return "", ErrEmpty
	}
	if n, err := Parse(s); err == nil {
		return n, nil
	}
	if len(s) > maxNational {
		return "", ErrImpossible
	}
	if rounded.MatchString(s) {
		return "", ErrRounded
	}
	if computed.MatchString(s) {
		return "", ErrComputed
	}
	if m := decimalZero.FindStringSubmatch(s); m != nil {
		s = m[1] // a number that was read as a decimal
	}
	if extension.MatchString(s) {
		return "", ErrExtension
	}
	if strings.ContainsFunc(s, unicode.IsLetter) {
		return "", ErrLetters
	}
	if strings.Count(s, "+") > 1 {
		return "", ErrImpossible
	}
	known := KnownRegion(region)
	if !known {
		region = phonenumbers.UNKNOWN_REGION
	}
	if known && isShort(s, region) {
		return "", ErrShort
	}
	if n, ok := lostPlus(s, region); ok {
		return n, nil
	}
	read, err := phonenumbers.Parse(s, region)
	if err == nil {
		if n, err := Parse(phonenumbers.Format(read, phonenumbers.E164)); err == nil {
			return n, nil
		}
	}
	// 00 is the international prefix in most of the world, so it is accepted for every
	// region.
	if rest, ok := strings.CutPrefix(digits(s), "00"); ok {
		if n, err := Parse("+" + rest); err == nil {
			return n, nil
		}
	}
	if !known && !strings.HasPrefix(s, "+") {
		return "", ErrRegion
	}
	return "", ErrImpossible
}

// Beginnings returns what numbers in E.164 begin with if people of a region begin to write them with digits: after the
// country code, all of the digits, or those after the digit that is dialed before national numbers. It returns nothing
// for an unknown region.
func Beginnings(digits, region string) []string {
	if !KnownRegion(region) {
		return nil
	}
	code := "+" + strconv.Itoa(phonenumbers.GetCountryCodeForRegion(region))
	all := []string{code + digits}
	if trunk := phonenumbers.GetNddPrefixForRegion(region, true); trunk != "" {
		if rest, ok := strings.CutPrefix(digits, trunk); ok && rest != "" {
			all = append(all, code+rest)
		}
	}
	return all
}

// lostPlus reads a number that begins with the country code of its own region but without
// the +, which spreadsheets remove. Where area codes begin with the same digits, as in
// Germany, the number could also be national. A mobile number is not read as a national
// landline: 49151… is a mobile phone, not a landline in Leer (0491).
func lostPlus(s, region string) (Number, bool) {
	code := strconv.Itoa(phonenumbers.GetCountryCodeForRegion(region))
	if d := digits(s); !strings.HasPrefix(d, code) || strings.HasPrefix(s, "+") {
		return "", false
	}
	if national, err := phonenumbers.Parse(s, region); err == nil && mobile(national) {
		return "", false
	}
	n, err := Parse("+" + digits(s))
	if err != nil {
		return "", false
	}
	read, err := phonenumbers.Parse(string(n), phonenumbers.UNKNOWN_REGION)
	return n, err == nil && mobile(read)
}

func mobile(n *phonenumbers.PhoneNumber) bool {
	return phonenumbers.GetNumberType(n) == phonenumbers.MOBILE
}

func isShort(s, region string) bool {
	d := digits(s)
	if len(d) == 0 || len(d) > 8 || strings.HasPrefix(s, "+") {
		return false
	}
	return phonenumbers.IsEmergencyNumber(d, region) ||
		phonenumbers.IsValidShortNumberForRegion(message(phonenumbers.GetCountryCodeForRegion(region), d), region)
}

// unwrap removes the characters around a number: blanks, invisible characters, the marks
// by which spreadsheets keep it as text, and the scheme of a link.
func unwrap(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), r == '\uFEFF': // direction marks, zero-width spaces
			return -1
		case unicode.IsSpace(r):
			return ' '
		case r == '＋':
			return '+'
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "'=")
	s = strings.Trim(s, `"'`)
	s = strings.TrimSpace(s)
	if len(s) > 4 && strings.EqualFold(s[:4], "tel:") {
		s = strings.TrimLeft(s[4:], "/ ")
	}
	return s
}

func digits(s string) string { return phonenumbers.NormalizeDigitsOnly(s) }
