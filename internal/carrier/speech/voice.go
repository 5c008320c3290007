package speech

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// Gender is the gender of a voice as its provider states it.
type Gender string

// Genders.
const (
	Female Gender = "female"
	Male   Gender = "male"
)

// Voice is a voice that the carrier offers.
type Voice struct {
	Provider Provider
	ID       string // as ConversationRelay takes it: "Joanna-Neural", "en-US-Chirp3-HD-Aoede"
	Name     string // "Joanna"
	Engine   string // "Neural"; empty for ElevenLabs
	Gender   Gender
	Locale   string // BCP 47 with a region; empty: the voice speaks every language
}

// Label names a voice for people: "Joanna, female, Amazon Polly Neural".
func (v Voice) Label() string {
	return strings.TrimSpace(v.Name + ", " + string(v.Gender) + ", " + v.Provider.Name() + " " + v.Engine)
}

// Fits reports whether a voice speaks a language (BCP 47), with any accent.
func (v Voice) Fits(language string) bool { return v.Locale == "" || base(v.Locale) == base(language) }

// Find returns a voice of the table.
func Find(provider Provider, id string) (Voice, bool) {
	i := slices.IndexFunc(voices, func(v Voice) bool { return v.Provider == provider && v.ID == id })
	if i < 0 {
		return Voice{}, false
	}
	return voices[i], true
}

// Voices returns the voices that fit a language. Those of the same region come first.
func Voices(language string) []Voice {
	var same, others []Voice
	for _, v := range voices {
		switch {
		case !v.Fits(language):
		case v.Locale == "" || strings.EqualFold(v.Locale, language):
			same = append(same, v)
		default:
			others = append(others, v)
		}
	}
	return append(same, others...)
}

// base returns the language of a tag. Norwegian has two tags.
func base(tag string) string {
	b, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if b == "no" {
		return "nb"
	}
	return b
}

// ElevenLabs has more voices than any list, because people clone voices. An ID is 20 characters.
var elevenLabsID = regexp.MustCompile(`^[A-Za-z0-9]{20,40}$`)

// elevenLabsModels are the models of ElevenLabs that ConversationRelay knows. Those of version 2
// speak English only.
// https://www.twilio.com/docs/voice/conversationrelay/voice-configuration
var elevenLabsModels = []string{"flash_v2_5", "turbo_v2_5", "flash_v2", "turbo_v2"}

// VoiceModels returns the models of ElevenLabs that speak a language.
func VoiceModels(language string) []string {
	if base(language) == "en" {
		return slices.Clone(elevenLabsModels)
	}
	return []string{"flash_v2_5", "turbo_v2_5"}
}

// VoiceProblem describes why a provider does not speak a language with a voice and a model. The
// field is one of Settings. Without a problem, it is empty.
func VoiceProblem(provider Provider, voice, model, language string) (field, problem string) {
	v, known := Find(provider, voice)
	switch {
	case provider == "" && (voice != "" || model != ""):
		return "provider", "required with a voice"
	case provider == "":
		return "", ""
	case !slices.Contains(VoiceProviders(), provider):
		return "provider", "must be one of amazon, google, elevenlabs"
	case voice == "":
		return "voice", "required with a provider"
	case provider == ElevenLabs && !known && !elevenLabsID.MatchString(voice):
		return "voice", "must be the ID of an ElevenLabs voice, 20 letters and digits"
	case provider != ElevenLabs && !known:
		return "voice", "is not a voice of " + provider.Name()
	case !v.Fits(language):
		return "voice", "speaks " + v.Locale + " and does not fit the agent's language. Choose " + fitting(language)
	case model != "" && provider != ElevenLabs:
		return "model", "is only for ElevenLabs"
	case model != "" && !slices.Contains(VoiceModels(language), model):
		return "model", "must be one of " + strings.Join(VoiceModels(language), ", ") + " in the agent's language"
	}
	return "", ""
}

// fitting names a few voices for a language: "Sofie-Neural, da-DK-Wavenet-F or another voice".
func fitting(language string) string {
	var ids []string
	for _, provider := range []Provider{Amazon, Google} {
		for _, v := range Voices(language) {
			if v.Provider == provider {
				ids = append(ids, v.ID)
				break
			}
		}
	}
	return strings.Join(append(ids, "another voice of the language"), " or ")
}

func (s *Settings) validateVoice(at func(string) string, language string, p *fault.Problems) {
	s.Voice, s.Model = strings.TrimSpace(s.Voice), strings.TrimSpace(s.Model)
	if field, problem := VoiceProblem(s.Provider, s.Voice, s.Model, language); problem != "" {
		p.Addf(at(field), "%s", problem)
	}
}

// VoiceLocale returns the locale in which a chosen voice speaks, if it is not the agent's own.
func (s Settings) VoiceLocale(language string) string {
	if v, ok := Find(s.Provider, s.Voice); ok && v.Locale != "" && !strings.EqualFold(v.Locale, language) {
		return v.Locale
	}
	return ""
}

// Named reports whether the settings name a voice or a transcription, which the carrier may refuse.
func (s Settings) Named() bool { return s.Provider != "" || s.TranscriptionProvider != "" }

// Unnamed returns the settings without voice and transcription, so that the carrier's defaults for
// the language apply.
func (s Settings) Unnamed() Settings {
	s.Provider, s.Voice, s.Model = "", "", ""
	s.TranscriptionProvider, s.TranscriptionModel, s.EndOfTurnThreshold = "", "", nil
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }
