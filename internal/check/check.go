// Package check owns the rules for fields that several nouns share: names, short texts,
// time zones, countries. Each function tidies the value in place and adds its problems to
// the caller's problems.
package check

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

// MaxName is the maximum length of a name, in characters.
const MaxName = 100

// Name checks one line of 1 to MaxName characters. It removes surrounding space.
func Name(p *fault.Problems, path string, name *string) { Required(p, path, name, MaxName) }

// Required checks one line of 1 to limit characters. It removes surrounding space.
func Required(p *fault.Problems, path string, line *string, limit int) {
	*line = strings.TrimSpace(*line)
	if *line == "" {
		p.Addf(path, "required")
		return
	}
	Line(p, path, line, limit)
}

// Line checks one line of at most limit characters, which may be empty. It removes
// surrounding space.
func Line(p *fault.Problems, path string, line *string, limit int) {
	*line = strings.TrimSpace(*line)
	switch {
	case utf8.RuneCountInString(*line) > limit:
		p.Addf(path, "must have at most %d characters", limit)
	case !utf8.ValidString(*line):
		p.Addf(path, "must be valid UTF-8")
	case strings.ContainsFunc(*line, unicode.IsControl):
		p.Addf(path, "must not contain control characters")
	}
}

var amount = regexp.MustCompile(`^\d{1,9}(\.\d{1,6})?$`)

// Amount checks an amount of money as an exact decimal, which may be empty. It removes
// surrounding space.
func Amount(p *fault.Problems, path string, text *string) {
	*text = strings.TrimSpace(*text)
	if *text != "" && !amount.MatchString(*text) {
		p.Addf(path, "must be a number with at most 6 decimals, such as 0.0075")
	}
}

// Currency checks a currency code of ISO 4217, which may be empty. It removes surrounding space.
func Currency(p *fault.Problems, path string, code *string) {
	*code = strings.TrimSpace(*code)
	unit, err := currency.ParseISO(*code)
	if *code != "" && (err != nil || unit.String() != *code || unit == currency.XXX) {
		p.Addf(path, "must be a currency code such as USD")
	}
}

// Text checks a text of any number of lines and at most limit characters, which may be
// empty. It replaces the \r\n that browsers send by \n.
func Text(p *fault.Problems, path string, text *string, limit int) {
	*text = strings.TrimSpace(strings.ReplaceAll(*text, "\r\n", "\n"))
	switch {
	case utf8.RuneCountInString(*text) > limit:
		p.Addf(path, "must have at most %d characters", limit)
	case !utf8.ValidString(*text):
		p.Addf(path, "must be valid UTF-8")
	case strings.ContainsFunc(*text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		p.Addf(path, "must not contain control characters")
	}
}

// RequiredText checks a text of any number of lines and 1 to limit characters, as Text does.
func RequiredText(p *fault.Problems, path string, text *string, limit int) {
	if Text(p, path, text, limit); *text == "" {
		p.Addf(path, "required")
	}
}

// Searchable returns a search text that PostgreSQL accepts. Text in the database contains
// no invalid UTF-8 and no NUL, and a query with either fails. Searchable replaces both by
// a character that hardly any text contains.
func Searchable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// TimeZone checks an IANA name such as Europe/Berlin.
func TimeZone(p *fault.Problems, path string, zone *string) {
	*zone = strings.TrimSpace(*zone)
	if *zone == "" {
		p.Addf(path, "required")
		return
	}
	if !hours.KnownZone(*zone) {
		p.Addf(path, hours.WrongZone+"%s", meant(*zone))
	}
}

// zoneAreas are the areas of IANA names in which meant looks for a city.
var zoneAreas = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific",
	"Atlantic", "Indian", "America/Argentina", "America/Indiana"}

// meant suggests the zone of a city: "Berlin" is Europe/Berlin.
func meant(city string) string {
	words := strings.FieldsFunc(city, func(r rune) bool { return r == ' ' || r == '_' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
	}
	for _, area := range zoneAreas {
		if zone := area + "/" + strings.Join(words, "_"); len(words) > 0 && hours.KnownZone(zone) {
			return ". Did you mean " + zone + "?"
		}
	}
	return ""
}

// Region checks an ISO 3166-1 alpha-2 code of a country that has phone numbers.
func Region(p *fault.Problems, path string, region *string) {
	*region = strings.ToUpper(strings.TrimSpace(*region))
	if *region == "" {
		p.Addf(path, "required")
		return
	}
	if !phone.KnownRegion(*region) {
		p.Addf(path, "not a two-letter country code")
	}
}
