package ui

import (
	"sort"
	"sync"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Zones are time zones to suggest; any other IANA name may be typed.
var Zones = []string{
	"UTC", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Anchorage", "America/Argentina/Buenos_Aires",
	"America/Bogota", "America/Chicago", "America/Denver", "America/Halifax", "America/Lima", "America/Los_Angeles", "America/Mexico_City",
	"America/New_York", "America/Phoenix", "America/Puerto_Rico", "America/Santiago", "America/Sao_Paulo", "America/St_Johns", "America/Toronto",
	"America/Vancouver", "Asia/Bangkok", "Asia/Dhaka", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta", "Asia/Jerusalem", "Asia/Karachi",
	"Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Taipei", "Asia/Tokyo",
	"Atlantic/Reykjavik", "Australia/Adelaide", "Australia/Brisbane", "Australia/Perth", "Australia/Sydney", "Europe/Amsterdam", "Europe/Athens",
	"Europe/Berlin", "Europe/Bucharest", "Europe/Dublin", "Europe/Helsinki", "Europe/Istanbul", "Europe/Kyiv", "Europe/Lisbon", "Europe/London",
	"Europe/Madrid", "Europe/Paris", "Europe/Prague", "Europe/Rome", "Europe/Stockholm", "Europe/Vienna", "Europe/Warsaw", "Europe/Zurich",
	"Pacific/Auckland", "Pacific/Honolulu",
}

// Regions are the countries whose numbers we can read, by name.
var Regions = sync.OnceValue(func() []Option {
	name := display.English.Regions()
	var options []Option
	for code := range phonenumbers.GetSupportedRegions() {
		if r, err := language.ParseRegion(code); err == nil && r.IsCountry() {
			options = append(options, Option{Value: code, Label: name.Name(r)})
		}
	}
	sort.Slice(options, func(i, j int) bool { return options[i].Label < options[j].Label })
	return options
})

// languages are those that voices commonly speak.
var languages = []string{
	"en-US", "en-GB", "en-AU", "en-IN", "ar-SA", "cs-CZ", "da-DK", "de-DE", "el-GR", "es-ES", "es-MX", "es-US", "fi-FI", "fr-CA", "fr-FR",
	"he-IL", "hi-IN", "hu-HU", "id-ID", "it-IT", "ja-JP", "ko-KR", "nl-NL", "nb-NO", "pl-PL", "pt-BR", "pt-PT", "ro-RO", "ru-RU", "sv-SE",
	"th-TH", "tr-TR", "uk-UA", "vi-VN", "zh-CN",
}

// Languages are options for a language; one that is not common is kept when it
// is the current value.
func Languages(current string) []Option {
	tags := languages
	known := current == ""
	for _, t := range languages {
		known = known || t == current
	}
	if !known {
		tags = append([]string{current}, languages...)
	}
	options := make([]Option, len(tags))
	for i, t := range tags {
		options[i] = Option{Value: t, Label: LanguageName(t)}
	}
	return options
}

// LanguageName writes a BCP 47 tag in English: "es-US" reads "Spanish (US)".
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
	return display.English.Regions().Name(r)
}

// RegionName is the country of an ISO 3166-1 alpha-2 code.
func RegionName(code string) string {
	r, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	return display.English.Regions().Name(r)
}
