package speech

import "github.com/dialwright/dialwright/internal/fault"

// Engines are the voice and the transcription of one language.
type Engines struct {
	Provider Provider `json:"provider"` // of the voice; empty: the carrier's default voice
	Voice    string   `json:"voice"`    // the provider's ID of the voice; empty with an empty Provider
	Model    string   `json:"model"`    // of an ElevenLabs voice; empty: the carrier's default

	TranscriptionProvider Provider `json:"transcription_provider"` // empty: the carrier's default
	TranscriptionModel    string   `json:"transcription_model"`    // empty: the provider's default for the language
}

// Engines returns the voice and the transcription of the settings.
func (s Settings) Engines() Engines {
	return Engines{s.Provider, s.Voice, s.Model, s.TranscriptionProvider, s.TranscriptionModel}
}

// With returns the settings with another voice and transcription.
func (s Settings) With(e Engines) Settings {
	s.Provider, s.Voice, s.Model = e.Provider, e.Voice, e.Model
	s.TranscriptionProvider, s.TranscriptionModel = e.TranscriptionProvider, e.TranscriptionModel
	if e.TranscriptionModel != Flux { // no other model takes a threshold
		s.EndOfTurnThreshold = nil
	}
	return s
}

// Validate tidies the engines and records each problem under prefix and the field. language is their
// BCP 47 tag.
func (e *Engines) Validate(prefix, language string, p *fault.Problems) {
	s := Settings{}.With(*e)
	at := func(field string) string { return prefix + "." + field }
	s.validateVoice(at, language, p)
	s.validateTranscription(at, language, p)
	*e = s.Engines()
}
