package twilio

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// utterance is an utterance of the agent, and how much of it was played.
//
// The relay confirms playing with info frames. Their form is not documented, but several of
// Twilio's demos use it:
//
//	{"type":"info","name":"agentSpeaking","value":"on"|"off"}
//	{"type":"info","name":"tokensPlayed","value":"Hi, this is"}
//
// These frames may not come. Without them, playing is inferred from the time that it takes.
//
// They report the words as they were sent: in their spoken forms, with markup escaped or not.
type utterance struct {
	carrier.SayOptions
	voice            voice
	speech.Rendering // of the text that can be sent; for the current utterance, it was sent
	rest             string
	complete         bool // no more text comes
	over             bool // its Spoken is due
	number           int

	sent    int    // how many bytes of Spoken were sent
	tokens  int    // how many messages they were
	sound   string // the spoken form for comparison with reported words: letters and digits only
	played  int    // how many bytes of sound were reported as played
	began   time.Time
	ended   time.Time
	resumed time.Time // when a token was sent last after playing had begun
	flushed bool      // the next utterance must cut this utterance off
}

// voice is how the agent of a line speaks in one language.
type voice struct {
	locale   string // of what is spoken, BCP 47; empty: the relay's default
	words    speech.Pronouncer
	ssml     bool // tokens are SSML
	bySpeech bool // speech interrupts the agent
}

// voicesOf returns the voices of a manner, by the languages that are heard.
func voicesOf(manner carrier.Manner) map[string]voice {
	all := map[string]voice{manner.Language: newVoice(manner.Language, manner.Speech)}
	for _, v := range manner.Others {
		all[v.Language] = newVoice(v.Language, manner.Speech.With(v.Engines))
	}
	return all
}

func newVoice(language string, s speech.Settings) voice {
	words := s.Pronunciations
	// The providers whose SSML Twilio documents in full. ElevenLabs, the default, takes one tag in one
	// language. https://www.twilio.com/docs/voice/conversationrelay/voice-configuration
	ssml := s.Provider == speech.Google || s.Provider == speech.Amazon
	if and := ampersands[strings.ToLower(language[:min(2, len(language))])]; and != "" && !ssml {
		words = append([]speech.Pronunciation{{Word: "&", Spoken: " " + and + " "}}, words...)
	}
	return voice{
		locale:   cmp.Or(s.VoiceLocale(language), language),
		words:    speech.NewPronouncer(words),
		ssml:     ssml,
		bySpeech: s.Interruptible != speech.ByKeys && s.Interruptible != speech.ByNothing,
	}
}

// ampersands are the words for "&" in the languages of agents.
var ampersands = map[string]string{
	"cs": "a", "da": "og", "de": "und", "el": "και", "en": "and", "es": "y", "fr": "et", "it": "e",
	"nb": "og", "nl": "en", "no": "og", "pl": "i", "pt": "e", "ro": "și", "sv": "och", "tr": "ve",
}

// extend adds to the text of an utterance.
func (v voice) extend(u *utterance, text string, complete bool) {
	from := len(u.Spoken)
	u.rest = v.words.Extend(&u.Rendering, u.rest+text, complete)
	u.complete = complete
	u.sound += speech.Sound(u.Spoken[from:])
}

// token is a spoken text as the relay takes it. Tokens are SSML, in which "&", "<" and ">" are markup.
// A provider without SSML might say "amp" for an escaped "&", so there they are left out.
// https://www.twilio.com/en-us/changelog/conversationrelay-now-supports-ssml-tags-to-fine-tune-speech
func (v voice) token(text string) string {
	switch {
	case !strings.ContainsAny(text, "&<>"):
		return text
	case v.ssml:
		return escaped.Replace(text)
	}
	return markup.ReplaceAllString(text, " ")
}

var markup = regexp.MustCompile(`[\s\pZ&<>]+`) // with the space around it

var (
	escaped   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	unescaped = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'")
)

// heard applies a report of played words: the next words, or all words so far. It returns whether
// the words belong to this utterance.
func (u *utterance) heard(words string) bool {
	for _, s := range sounds(words) {
		switch {
		case strings.HasPrefix(u.sound[u.played:], s):
			u.played += len(s)
			return true
		case strings.HasPrefix(u.sound, s) && len(s) >= u.played:
			u.played = len(s)
			return true
		}
	}
	return false
}

// sounds are the sounds that reported words may mean, because their markup may be escaped.
func sounds(words string) []string {
	var all []string
	for _, text := range []string{unescaped.Replace(words), words} {
		if s := speech.Sound(text); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// whole reports whether all words were reported as played.
func (u *utterance) whole() bool { return u.played == len(u.sound) }

// lull returns how long a silence must last to be the end of the utterance, and not the report of a
// pause before words that were sent meanwhile.
func (u *utterance) lull() time.Duration {
	return max(settleTime, u.resumed.Add(resumeTime).Sub(u.ended))
}

// part returns the written text up to the last word reported as played.
func (u *utterance) part() string { return u.UpTo(u.played) }

// beginning returns how many bytes of sound words are, if they could be the beginning of this utterance.
func (u *utterance) beginning(words string) (n int, ok bool) {
	for _, s := range sounds(words) {
		if strings.HasPrefix(u.sound, s) {
			return len(s), true
		}
	}
	return 0, false
}

// slowest returns the longest time that saying a text may take, at 100 words per minute and with
// time for the speech engine to begin. CJK text has no spaces, so its characters are counted.
func slowest(text string) time.Duration {
	words := len(strings.Fields(text))
	words = max(words, len([]rune(text))/8)
	return 5*time.Second + time.Duration(words)*600*time.Millisecond
}
