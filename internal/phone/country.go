package phone

import (
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Country returns the country of a number as an ISO 3166-1 alpha-2 code, or as a calling code
// ("+870") that belongs to no country. If several countries share the calling code and the
// number matches none of them, Country returns the main country. It returns an empty string
// for a text that is not a number.
func Country(n Number) string {
	p, nsn := split(string(n))
	if p == nil {
		return ""
	}
	if p.regionIDs[0] == noRegion {
		return "+" + strconv.Itoa(p.code)
	}
	if len(p.regionIDs) == 1 {
		return p.regionIDs[0]
	}
	i, _ := p.find(nsn)
	return p.regionIDs[max(i, 0)]
}

// noRegion is the library's region of the calling codes that belong to no country.
const noRegion = "001"

// countryNames are current names of countries that golang.org/x/text, whose tables are from
// 2017, does not have yet, and shorter names.
var countryNames = map[string]string{
	"HK": "Hong Kong", "MK": "North Macedonia", "MO": "Macao", "SZ": "Eswatini", "TR": "Türkiye",
}

// CountryName returns the English name of a country, and a calling code unchanged.
func CountryName(country string) string {
	if name, ok := countryNames[country]; ok {
		return name
	}
	r, err := language.ParseRegion(country)
	if err != nil {
		return country
	}
	return display.English.Regions().Name(r)
}

// CountryInText returns the name of a country with its article: "the Netherlands".
func CountryInText(country string) string {
	name := CountryName(country)
	switch country {
	case "BS", "GM", "KM", "MV", "NL", "PH", "SC":
		return "the " + name
	}
	if strings.HasPrefix(name, "United ") || strings.HasSuffix(name, " Republic") ||
		strings.HasSuffix(name, " Islands") {
		return "the " + name
	}
	return name
}
