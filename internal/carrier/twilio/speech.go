package twilio

import (
	"strings"
	"time"
	"unicode"

	"github.com/dialwright/dialwright/internal/carrier"
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
type utterance struct {
	number          int
	text            string
	language        string
	uninterruptible bool

	sound   string // the text for comparison with reported words: letters and digits only
	played  int    // how many bytes of sound were reported as played
	began   time.Time
	ended   time.Time
	flushed bool // the next utterance must cut this utterance off
}

func newUtterance(number int, text string, opt carrier.SayOptions) *utterance {
	return &utterance{
		number: number, text: text, language: opt.Language,
		uninterruptible: opt.Uninterruptible, sound: sound(text),
	}
}

// sound returns the part of a text that the speech engine reports unchanged: letters and digits, in
// lower case.
func sound(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// token is a text as the relay takes it. Tokens are SSML, in which "&" and "<" are markup.
// They are left out rather than escaped, because a provider without SSML would say "amp".
// https://www.twilio.com/en-us/changelog/conversationrelay-now-supports-ssml-tags-to-fine-tune-speech
func token(text string) string {
	if !strings.ContainsAny(text, "&<>") {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("&<>", r)
	}), " ")
}

// heard applies a report of played words: the next words, or all words so far. It returns whether
// the words belong to this utterance.
func (u *utterance) heard(words string) bool {
	s := sound(words)
	switch {
	case s == "":
		return false
	case strings.HasPrefix(u.sound[u.played:], s):
		u.played += len(s)
	case strings.HasPrefix(u.sound, s) && len(s) >= u.played:
		u.played = len(s)
	default:
		return false
	}
	return true
}

// whole reports whether all words were reported as played.
func (u *utterance) whole() bool { return u.played == len(u.sound) }

// part returns the text up to the last word reported as played.
func (u *utterance) part() string { return u.upTo(u.played) }

// upTo returns the shortest beginning of the text with n bytes of sound, and the punctuation after
// it.
func (u *utterance) upTo(n int) string {
	if n <= 0 {
		return ""
	}
	seen := 0
	for i, r := range u.text {
		counts := unicode.IsLetter(r) || unicode.IsDigit(r)
		if seen >= n && (counts || unicode.IsSpace(r)) {
			return u.text[:i]
		}
		if counts {
			seen += len(string(unicode.ToLower(r)))
		}
	}
	return u.text
}

// startsWith reports whether words could be the beginning of this utterance.
func (u *utterance) startsWith(words string) bool {
	return strings.HasPrefix(u.sound, sound(words))
}

// slowest returns the longest time that saying a text may take, at 100 words per minute and with
// time for the speech engine to begin. CJK text has no spaces, so its characters are counted.
func slowest(text string) time.Duration {
	words := len(strings.Fields(text))
	words = max(words, len([]rune(text))/8)
	return 5*time.Second + time.Duration(words)*600*time.Millisecond
}
