// Package speech owns how an agent sounds and listens on a call: the voices and the speech models
// that carriers offer, which of them fit a language, and how words are pronounced.
package speech

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/fault"
)

// Provider is a company whose speech engine the carrier uses.
type Provider string

// Providers of voices and of transcription.
const (
	ElevenLabs Provider = "elevenlabs" // voices
	Amazon     Provider = "amazon"     // voices
	Google     Provider = "google"     // voices and transcription
	Deepgram   Provider = "deepgram"   // transcription
)

// VoiceProviders returns the providers of voices.
func VoiceProviders() []Provider { return []Provider{Amazon, Google, ElevenLabs} }

// Name is the provider's own name.
func (p Provider) Name() string {
	switch p {
	case ElevenLabs:
		return "ElevenLabs"
	case Amazon:
		return "Amazon Polly"
	case Google:
		return "Google"
	case Deepgram:
		return "Deepgram"
	}
	return string(p)
}

// Interruptible is what of the recipient cuts the agent off.
type Interruptible string

// The recipient is heard and "stop" is understood in every case.
const (
	ByAnything Interruptible = "any"
	BySpeech   Interruptible = "speech"
	ByKeys     Interruptible = "dtmf"
	ByNothing  Interruptible = "none"
)

// Sensitivity is how easily speech interrupts the agent.
type Sensitivity string

// Sensitivities.
const (
	High   Sensitivity = "high"
	Medium Sensitivity = "medium"
	Low    Sensitivity = "low"
)

// Settings are the speech settings of an agent. They are stored and shown in the API as they are.
type Settings struct {
	Provider Provider `json:"provider"` // of the voice; empty: the carrier's default voice
	Voice    string   `json:"voice"`    // the provider's ID of the voice; empty with an empty Provider
	Model    string   `json:"model"`    // of an ElevenLabs voice; empty: the carrier's default

	TranscriptionProvider Provider `json:"transcription_provider"` // empty: the carrier's default
	TranscriptionModel    string   `json:"transcription_model"`    // empty: the provider's default for the language

	// EndOfTurnMS is the silence that ends an utterance of the recipient. Nil: the carrier decides.
	EndOfTurnMS *int `json:"end_of_turn_ms" nullable:"true"`
	// EndOfTurnThreshold is how sure the model Flux must be that an utterance is over. Nil: its default.
	EndOfTurnThreshold *float64 `json:"end_of_turn_threshold" nullable:"true"`

	Interruptible        Interruptible `json:"interruptible"`
	InterruptSensitivity Sensitivity   `json:"interrupt_sensitivity"`
	// IgnoreBackchannel makes the carrier drop short acknowledgments such as "uh-huh".
	IgnoreBackchannel bool `json:"ignore_backchannel"`

	Hints          []string        `json:"hints"` // words and phrases that the transcription should expect
	Pronunciations []Pronunciation `json:"pronunciations"`
}

// Pronunciation is a word or phrase and how it is said.
type Pronunciation struct {
	Word   string `json:"word"`
	Spoken string `json:"spoken"`
}

// Default returns the settings of an agent for which nothing was chosen.
func Default() Settings {
	return Settings{
		Interruptible:        ByAnything,
		InterruptSensitivity: High,
		Hints:                []string{},
		Pronunciations:       []Pronunciation{},
	}
}

// UnmarshalJSON reads stored settings. What is absent has its default.
func (s *Settings) UnmarshalJSON(data []byte) error {
	type plain Settings
	p := plain(Default())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*s = Settings(p)
	return nil
}

// Bounds of the settings. Twilio documents those of the end of a turn for ConversationRelay
// (https://www.twilio.com/docs/voice/twiml/connect/conversationrelay), and those of hints for
// <Gather> (https://www.twilio.com/docs/voice/twiml/gather#hints).
const (
	MinEndOfTurn, MaxEndOfTurn = 600, 5000 // milliseconds
	MinThreshold, MaxThreshold = 0.5, 0.9
	maxHints, maxHint          = 500, 100
	maxPronunciations          = 200
	maxWord, maxSpoken         = 60, 120
)

// Validate tidies the settings and records each problem under prefix and the field. language is the
// BCP 47 tag of the agent's language.
func (s *Settings) Validate(prefix, language string, p *fault.Problems) {
	d := Default()
	if s.Interruptible == "" {
		s.Interruptible = d.Interruptible
	}
	if s.InterruptSensitivity == "" {
		s.InterruptSensitivity = d.InterruptSensitivity
	}
	at := func(field string) string { return prefix + "." + field }
	s.validateVoice(at, language, p)
	s.validateTranscription(at, language, p)
	fault.OneOf(p, at("interruptible"), []Interruptible{s.Interruptible},
		[]Interruptible{ByAnything, BySpeech, ByKeys, ByNothing})
	fault.OneOf(p, at("interrupt_sensitivity"), []Sensitivity{s.InterruptSensitivity}, []Sensitivity{High, Medium, Low})
	s.validateHints(at("hints"), p)
	s.validatePronunciations(at("pronunciations"), p)
}

// line reports the problem with a text on one line of at most limit characters.
func line(text string, limit int) (problem string, ok bool) {
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return "must be plain text on one line", false
	case utf8.RuneCountInString(text) > limit:
		return "must have at most " + itoa(limit) + " characters", false
	case !strings.ContainsFunc(text, isWordRune):
		return "must contain a letter or a digit", false
	}
	return "", true
}

func (s *Settings) validateHints(path string, p *fault.Problems) {
	hints, seen := []string{}, map[string]bool{}
	for _, hint := range s.Hints {
		hint = strings.Join(strings.Fields(hint), " ")
		if hint == "" || seen[hint] {
			continue
		}
		seen[hint] = true
		hints = append(hints, hint)
		i := itoa(len(hints) - 1)
		if problem, ok := line(hint, maxHint); !ok {
			p.Addf(path+"["+i+"]", "%s", problem)
		} else if strings.Contains(hint, ",") {
			p.Addf(path+"["+i+"]", "must not contain a comma")
		}
	}
	if s.Hints = hints; len(hints) > maxHints {
		p.Addf(path, "must have at most %d hints", maxHints)
	}
}

func (s *Settings) validatePronunciations(path string, p *fault.Problems) {
	list := []Pronunciation{}
	first := map[string]int{}
	for _, one := range s.Pronunciations {
		one.Word = strings.Join(strings.Fields(one.Word), " ")
		one.Spoken = strings.Join(strings.Fields(one.Spoken), " ")
		i := len(list)
		list = append(list, one)
		at := path + "[" + itoa(i) + "]."
		if problem, ok := line(one.Word, maxWord); !ok {
			p.Addf(at+"word", "%s", problem)
		} else if earlier, twice := first[fold(one.Word)]; twice {
			p.Addf(at+"word", "is also the word of pronunciation %d", earlier+1)
		} else {
			first[fold(one.Word)] = i
		}
		if problem, ok := line(one.Spoken, maxSpoken); !ok {
			p.Addf(at+"spoken", "%s", problem)
		}
	}
	if s.Pronunciations = list; len(list) > maxPronunciations {
		p.Addf(path, "must have at most %d pronunciations", maxPronunciations)
	}
}
