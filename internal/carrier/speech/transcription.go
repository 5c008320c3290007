package speech

import (
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// Flux is the model of Deepgram that itself recognizes the end of a turn.
const Flux = "flux"

// models are the transcription models, the default of each provider first. ConversationRelay names
// them so. Nova 2 and Nova 3 transcribe every language of agents, and Flux ten languages, of which
// agents speak fluxLanguages. Twilio's default for every language of Google is telephony.
//
// https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
// https://developers.deepgram.com/docs/models-languages-overview
var models = map[Provider][]string{
	Deepgram: {"nova-3-general", "nova-2-general", Flux},
	Google:   {"telephony", "long"},
}

var fluxLanguages = []string{"en", "es", "fr", "de", "pt", "it", "nl"}

// TranscriptionProviders returns the providers of transcription.
func TranscriptionProviders() []Provider { return []Provider{Deepgram, Google} }

// TranscriptionModels returns the models of a provider that transcribe a language.
func TranscriptionModels(provider Provider, language string) []string {
	all := slices.Clone(models[provider])
	return slices.DeleteFunc(all, func(m string) bool {
		return m == Flux && !slices.Contains(fluxLanguages, base(language))
	})
}

// TranscriptionProblem describes why a provider does not transcribe a language with a model. The
// field is one of Settings. Without a problem, it is empty.
func TranscriptionProblem(provider Provider, model, language string) (field, problem string) {
	switch fits := TranscriptionModels(provider, language); {
	case provider == "" && model != "":
		return "transcription_provider", "required with a transcription model"
	case provider == "":
		return "", ""
	case models[provider] == nil:
		return "transcription_provider", "must be deepgram or google"
	case model != "" && !slices.Contains(fits, model):
		return "transcription_model", "must be one of " + strings.Join(fits, ", ") + " for " + provider.Name() +
			" and the agent's language"
	}
	return "", ""
}

func (s *Settings) validateTranscription(at func(string) string, language string, p *fault.Problems) {
	s.TranscriptionModel = strings.TrimSpace(s.TranscriptionModel)
	if field, problem := TranscriptionProblem(s.TranscriptionProvider, s.TranscriptionModel, language); problem != "" {
		p.Addf(at(field), "%s", problem)
	}
	if ms := s.EndOfTurnMS; ms != nil && (*ms < MinEndOfTurn || *ms > MaxEndOfTurn) {
		p.Addf(at("end_of_turn_ms"), "must be between %d and %d", MinEndOfTurn, MaxEndOfTurn)
	}
	switch threshold := s.EndOfTurnThreshold; {
	case threshold == nil:
	case s.TranscriptionModel != Flux:
		p.Addf(at("end_of_turn_threshold"), "is only for the transcription model flux")
	case !(*threshold >= MinThreshold && *threshold <= MaxThreshold): // false for NaN too
		p.Addf(at("end_of_turn_threshold"), "must be between %g and %g", MinThreshold, MaxThreshold)
	}
}
