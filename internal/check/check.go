// Package check owns the rules that fields of several nouns share: names, short
// texts, time zones, countries. Each function tidies the value in place and
// adds what is wrong with it to the caller's problems.
package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

// MaxName bounds the names people give to things, in characters.
const MaxName = 100

// Name is one line of 1 to MaxName characters; space around it is removed.
func Name(p *fault.Problems, path string, name *string) { Required(p, path, name, MaxName) }

// Required is one line of 1 to limit characters; space around it is removed.
func Required(p *fault.Problems, path string, line *string, limit int) {
	*line = strings.TrimSpace(*line)
	if *line == "" {
		p.Addf(path, "required")
		return
	}
	Line(p, path, line, limit)
}

// Line is one line of at most limit characters, possibly none; space around it
// is removed.
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

// Text is any number of lines of at most limit characters in all, possibly
// none; line ends become \n, as browsers send \r\n.
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

// Searchable is a text that somebody asks for. What no text in the database can
// hold, and is an error to ask for, becomes a character that hardly any has.
func Searchable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// TimeZone is an IANA name such as Europe/Berlin.
func TimeZone(p *fault.Problems, path string, zone *string) {
	*zone = strings.TrimSpace(*zone)
	if *zone == "" {
		p.Addf(path, "required")
		return
	}
	if !hours.KnownZone(*zone) {
		p.Addf(path, "not an IANA time zone%s", meant(*zone))
	}
}

// zoneAreas are the areas of IANA names in which people look for a city.
var zoneAreas = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific",
	"Atlantic", "Indian", "America/Argentina", "America/Indiana"}

// meant offers the zone of a city: "Berlin" is Europe/Berlin.
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

// Region is an ISO 3166-1 alpha-2 code of a country that has phone numbers.
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
