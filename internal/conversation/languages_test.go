package conversation

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"

	bcp47 "golang.org/x/text/language"
)

func TestLanguages(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]bool{
		"en": true, "en-US": true, "EN-gb": true, "de-AT": true, "pt-AO": true, "es_MX": true, "fr-CA": true,
		"zh-Hant-TW": false,
		"fi-FI":      false, "ja": false, "eng": false, "english": false, "": false, "-": false, "-en": false,
	} {
		if Understands(tag) != want {
			t.Errorf("Understands(%q) is %t", tag, !want)
		}
	}
	offered := LanguageTags()
	if !slices.Contains(offered, "en-US") || len(offered) < len(languages) {
		t.Errorf("offered: %q", offered)
	}
	for _, tag := range offered {
		if _, err := bcp47.Parse(tag); err != nil || !Understands(tag) {
			t.Errorf("%q is offered: %v", tag, err)
		}
	}
	// Other languages are not understood, but "stop" in English is.
	for heard, want := range map[string]bool{"stop calling me": true, "Rufen Sie mich nicht mehr an": false} {
		if OptsOut(heard, "ja") != want {
			t.Errorf("in Japanese, %q opts out: %t", heard, !want)
		}
	}
	// WhatsApp writes tags with an underscore.
	if !OptsOut("Não me ligue mais", "pt_BR") {
		t.Error("pt_BR is not heard in Portuguese")
	}
}

// Each language has everything that an agent needs. A missing entry would have no
// fallback.
func TestLanguagesAreComplete(t *testing.T) {
	t.Parallel()
	optional := []string{
		"NotAfter", "OfScale", "Joins", "Connectives", "Minus", "Hint", "Article", "Vague", "DecimalComma", "Parting",
	}
	for _, l := range languages {
		source := reflect.ValueOf(l.source())
		for i := range source.NumField() {
			if name := source.Type().Field(i).Name; source.Field(i).IsZero() && !slices.Contains(optional, name) {
				t.Errorf("%s has no %s", l.tag, name)
			}
		}
		transfers := reflect.ValueOf(lexicon.TransfersIn(l.tag))
		for i := range transfers.NumField() {
			line := transfers.Field(i).String()
			if line == "" || l.tag != "en" && line == reflect.ValueOf(lexicon.TransfersIn("en")).Field(i).String() {
				t.Errorf("%s has no %s", l.tag, transfers.Type().Field(i).Name)
			}
		}
		if len(l.regions) == 0 {
			t.Errorf("%s is offered in no region", l.tag)
		}
		// The disclosure names the key and the word that end the calls.
		disclosure := l.tongue().lines.Disclosure
		if !strings.Contains(disclosure, "9") || !slices.ContainsFunc(strings.Fields(disclosure), func(w string) bool {
			return OptsOut(w, l.tag)
		}) {
			t.Errorf("%s: %s", l.tag, disclosure)
		}
	}
}
