package ui

import (
	"slices"
	"sync"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
)

// Zones are the suggested time zones. A person may type any other IANA name.
var Zones = []string{
	"UTC", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Anchorage",
	"America/Argentina/Buenos_Aires",
	"America/Bogota", "America/Chicago", "America/Denver", "America/Halifax", "America/Lima", "America/Los_Angeles",
	"America/Mexico_City",
	"America/New_York", "America/Phoenix", "America/Puerto_Rico", "America/Santiago", "America/Sao_Paulo",
	"America/St_Johns", "America/Toronto",
	"America/Vancouver", "Asia/Bangkok", "Asia/Dhaka", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta", "Asia/Jerusalem",
	"Asia/Karachi",
	"Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Taipei",
	"Asia/Tokyo",
	"Atlantic/Reykjavik", "Australia/Adelaide", "Australia/Brisbane", "Australia/Perth", "Australia/Sydney",
	"Europe/Amsterdam", "Europe/Athens",
	"Europe/Berlin", "Europe/Bucharest", "Europe/Dublin", "Europe/Helsinki", "Europe/Istanbul", "Europe/Kyiv",
	"Europe/Lisbon", "Europe/London",
	"Europe/Madrid", "Europe/Paris", "Europe/Prague", "Europe/Rome", "Europe/Stockholm", "Europe/Vienna",
	"Europe/Warsaw", "Europe/Zurich",
	"Pacific/Auckland", "Pacific/Honolulu",
}

// Regions are the countries whose phone numbers can be parsed, sorted by name.
var Regions = sync.OnceValue(func() []Option {
	var options []Option
	for code := range phonenumbers.GetSupportedRegions() {
		if r, err := language.ParseRegion(code); err == nil && r.IsCountry() {
			options = append(options, Option{Value: code, Label: RegionName(code)})
		}
	}
	sortByLabel(options)
	return options
})

// sortByLabel sorts like an English dictionary: accents and case make no difference.
func sortByLabel(options []Option) {
	collator := collate.New(language.English, collate.IgnoreCase)
	slices.SortStableFunc(options, func(a, b Option) int { return collator.CompareString(a.Label, b.Label) })
}

// Languages returns the languages that an agent can speak, sorted by name. It includes
// the current language even if its region is not offered or the language is no longer
// supported.
func Languages(current string) []Option {
	tags := conversation.LanguageTags()
	if current != "" && !slices.Contains(tags, current) {
		tags = append(tags, current)
	}
	options := make([]Option, len(tags))
	for i, t := range tags {
		options[i] = Option{Value: t, Label: LanguageName(t)}
		if !conversation.Understands(t) {
			options[i].Label += ", not supported"
		}
	}
	sortByLabel(options)
	return options
}

// LanguageName formats a BCP 47 tag in English: "es-US" becomes "Spanish (US)".
func LanguageName(tag string) string {
	t, err := language.Parse(tag)
	if err != nil {
		return tag
	}
	base, _ := t.Base()
	name := display.English.Languages().Name(base)
	region, sure := t.Region()
	if sure != language.Exact {
		return name
	}
	return name + " (" + shortRegion(region) + ")"
}

func shortRegion(r language.Region) string {
	switch r.String() {
	case "US", "UK":
		return r.String()
	case "GB":
		return "UK"
	}
	return RegionName(r.String())
}

// RegionName returns the English name of a country by its ISO 3166-1 alpha-2 code.
func RegionName(code string) string { return phone.CountryName(code) }
