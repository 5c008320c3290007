package conversation

import (
	"slices"
	"strings"
	"sync"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// languages are the languages that an agent can speak: their opt-out, yes and no are
// understood. The dashboard, the API, the sandbox and the dialer use this table. To add a
// language, write its file in lexicon and its line here. English comes first, because it
// is understood in every call.
var languages = []*supported{
	{tag: "en", regions: []string{"US", "GB", "AU", "IN"}, source: lexicon.English},
	{tag: "cs", regions: []string{"CZ"}, source: lexicon.Czech},
	{tag: "da", regions: []string{"DK"}, source: lexicon.Danish},
	{tag: "de", regions: []string{"DE", "AT", "CH"}, source: lexicon.German},
	{tag: "el", regions: []string{"GR"}, source: lexicon.Greek},
	{tag: "es", regions: []string{"ES", "MX", "US"}, source: lexicon.Spanish},
	{tag: "fr", regions: []string{"FR", "CA"}, source: lexicon.French},
	{tag: "it", regions: []string{"IT"}, source: lexicon.Italian},
	{tag: "nb", alias: "no", regions: []string{"NO"}, source: lexicon.Norwegian},
	{tag: "nl", regions: []string{"NL", "BE"}, source: lexicon.Dutch},
	{tag: "pl", regions: []string{"PL"}, source: lexicon.Polish},
	{tag: "pt", regions: []string{"BR", "PT"}, source: lexicon.Portuguese},
	{tag: "ro", regions: []string{"RO"}, source: lexicon.Romanian},
	{tag: "sv", regions: []string{"SE", "FI"}, source: lexicon.Swedish},
	{tag: "tr", regions: []string{"TR"}, source: lexicon.Turkish},
}

// supported is one line of the table of languages.
type supported struct {
	tag     string   // the primary subtag of a BCP 47 tag
	alias   string   // another primary subtag of the same language
	regions []string // choices of the forms, the most common first; other regions are valid too
	source  func() lexicon.Language

	once     sync.Once
	compiled *tongue
}

func (s *supported) tongue() *tongue {
	s.once.Do(func() {
		s.compiled = compile(s.source())
		s.compiled.caller = lexicon.Callers[s.tag]
		s.compiled.dates = lexicon.SpokenDates[s.tag]
		s.compiled.secrets = phrases(lexicon.SecretsIn(s.tag))
		s.compiled.whyAsked = patternOf(s.compiled.caller.WhyAsked)
	})
	return s.compiled
}

// supportedAs returns the language of a tag: "pt-BR", or "pt_BR" as WhatsApp writes it.
// It returns nil for an unsupported language.
func supportedAs(tag string) *supported {
	base := strings.ToLower(tag)
	if i := strings.IndexAny(base, "-_"); i >= 0 {
		base = base[:i]
	}
	for _, s := range languages {
		if base != "" && (base == s.tag || base == s.alias) {
			return s
		}
	}
	return nil
}

// tongueOf returns the tongue of a language tag. An unsupported language gets English, so
// that "stop" works in all calls and messages.
func tongueOf(tag string) *tongue {
	if s := supportedAs(tag); s != nil {
		return s.tongue()
	}
	return languages[0].tongue()
}

// Understands reports whether answers in a language (BCP 47) are understood. An agent in
// any other language would not recognize "stop", so it may not call anyone.
func Understands(tag string) bool { return supportedAs(tag) != nil }

// Trouble says in a language (BCP 47) that a technical problem ends the call.
func Trouble(tag string) string { return tongueOf(tag).lines.Trouble }

// LanguageTags returns the choices of a form, with their regions: "en-US".
func LanguageTags() []string {
	var tags []string
	for _, s := range languages {
		for _, region := range s.regions {
			tags = append(tags, s.tag+"-"+region)
		}
	}
	return tags
}

// languageList names the supported languages for an error: "de, en, es".
func languageList() string {
	var tags []string
	for _, s := range languages {
		tags = append(tags, s.tag)
	}
	slices.Sort(tags)
	return strings.Join(tags, ", ")
}
