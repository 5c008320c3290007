package twilio

import (
	"strings"
	"time"
	"unicode"

	"github.com/dialwright/dialwright/internal/carrier"
)

// utterance is something we say, and what is known of its being played.
//
// The relay confirms playing with info frames, whose form is not documented
// but the same in several of Twilio's own demos:
//
//	{"type":"info","name":"agentSpeaking","value":"on"|"off"}
//	{"type":"info","name":"tokensPlayed","value":"Hi, this is"}
//
// None of them is relied on to come: without any, playing is inferred from the
// time it takes.
type utterance struct {
	number          int
	text            string
	language        string
	uninterruptible bool

	sound   string // text as it is compared with what was played: letters and digits only
	played  int    // how many bytes of sound were reported as played
	began   time.Time
	ended   time.Time
	flushed bool // the next utterance is to cut it off
}

func newUtterance(number int, text string, opt carrier.SayOptions) *utterance {
	return &utterance{
		number: number, text: text, language: opt.Language,
		uninterruptible: opt.Uninterruptible, sound: sound(text),
	}
}

// sound leaves only what is certain to survive the way to the speech engine
// and back: letters and digits, in lower case.
func sound(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// heard takes in a report of words played: the next words, or all words so far.
// It reports whether they are this utterance's.
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

// part is the text up to the last word reported as played.
func (u *utterance) part() string { return u.upTo(u.played) }

// upTo is the shortest beginning of the text that has n bytes of sound, with
// the punctuation that follows directly.
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

// slowest is the longest it may take to say text, in speech of 100 words a
// minute, and with time for the speech engine to begin. CJK text has no
// spaces: there, characters count.
func slowest(text string) time.Duration {
	words := len(strings.Fields(text))
	words = max(words, len([]rune(text))/8)
	return 5*time.Second + time.Duration(words)*600*time.Millisecond
}
