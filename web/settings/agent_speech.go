package settings

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// otherElevenLabs is the choice of a voice that is given by its ID.
const otherElevenLabs = string(speech.ElevenLabs) + ":"

// speechForm shows the settings of an agent.
func speechForm(s speech.Settings, script conversation.Script) views.SpeechForm {
	v := views.SpeechForm{
		Model:                s.Model,
		EndOfTurnThreshold:   frame.WrittenFloat(s.EndOfTurnThreshold),
		Interruptible:        string(s.Interruptible),
		InterruptSensitivity: string(s.InterruptSensitivity),
		IgnoreBackchannel:    s.IgnoreBackchannel,
		Hints:                strings.Join(s.Hints, "\n"),
		SilenceSeconds:       strconv.Itoa(int(script.Silence().Seconds())),
		Nudges:               strconv.Itoa(script.MaxNudges()),
	}
	if s.Provider != "" {
		v.Voice = string(s.Provider) + ":" + s.Voice
		if _, listed := speech.Find(s.Provider, s.Voice); !listed && s.Provider == speech.ElevenLabs {
			v.Voice, v.VoiceID = otherElevenLabs, s.Voice
		}
	}
	if s.TranscriptionProvider != "" {
		v.Transcription = string(s.TranscriptionProvider) + ":" + s.TranscriptionModel
	}
	if s.EndOfTurnMS != nil {
		v.EndOfTurnMS = strconv.Itoa(*s.EndOfTurnMS)
	}
	var words []string
	for _, one := range s.Pronunciations {
		words = append(words, one.Word+" = "+one.Spoken)
	}
	v.Pronunciations = strings.Join(words, "\n")
	return v
}

// readSpeech reads the part of the form of an agent.
func readSpeech(form url.Values) views.SpeechForm {
	return views.SpeechForm{
		Voice: form.Get("speech.voice"), VoiceID: form.Get("speech.voice_id"), Model: form.Get("speech.model"),
		Transcription: form.Get("speech.transcription"), EndOfTurnMS: form.Get("speech.end_of_turn_ms"),
		EndOfTurnThreshold: form.Get("speech.end_of_turn_threshold"), Interruptible: form.Get("speech.interruptible"),
		InterruptSensitivity: form.Get("speech.interrupt_sensitivity"),
		IgnoreBackchannel:    form.Get("speech.ignore_backchannel") == "on",
		Hints:                form.Get("speech.hints"), Pronunciations: form.Get("speech.pronunciations"),
		SilenceSeconds: form.Get("silence_seconds"), Nudges: form.Get("nudges"),
	}
}

// speechSettings returns the settings of a form, and sets those of its script.
func speechSettings(v views.SpeechForm, script *conversation.Script, p *fault.Problems) speech.Settings {
	s := speech.Settings{
		Interruptible:        speech.Interruptible(v.Interruptible),
		InterruptSensitivity: speech.Sensitivity(v.InterruptSensitivity),
		IgnoreBackchannel:    v.IgnoreBackchannel,
		Hints:                strings.Split(v.Hints, "\n"),
	}
	s = s.With(enginesOf(v))
	s.EndOfTurnMS = frame.OptionalInt(p, "speech.end_of_turn_ms", v.EndOfTurnMS)
	s.EndOfTurnThreshold = frame.OptionalFloat(p, "speech.end_of_turn_threshold", v.EndOfTurnThreshold)
	if n := frame.OptionalInt(p, "silence_seconds", v.SilenceSeconds); n != nil {
		if script.SilenceSeconds = *n; *n == 0 { // 0 means the default
			script.SilenceSeconds = -1
		}
	}
	script.Nudges = frame.OptionalInt(p, "nudges", v.Nudges)
	for text := range strings.Lines(v.Pronunciations) {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		word, spoken, ok := strings.Cut(text, "=")
		if !ok {
			p.Addf("speech.pronunciations", "must have the form word = spoken form, unlike %q", text)
		}
		s.Pronunciations = append(s.Pronunciations, speech.Pronunciation{Word: word, Spoken: spoken})
	}
	return s
}

// enginesOf returns the voice and the transcription of a form.
func enginesOf(v views.SpeechForm) (e speech.Engines) {
	provider, voice, _ := strings.Cut(v.Voice, ":")
	if e.Provider, e.Voice = speech.Provider(provider), voice; v.Voice == otherElevenLabs {
		e.Voice = v.VoiceID
	}
	if e.Provider == speech.ElevenLabs { // the form keeps the model of another voice
		e.Model = v.Model
	}
	provider, e.TranscriptionModel, _ = strings.Cut(v.Transcription, ":")
	e.TranscriptionProvider = speech.Provider(provider)
	return e
}

// speechErrors moves the problems of settings to the fields of the form.
func speechErrors(e ui.Errors, form views.AgentForm) ui.Errors {
	moved, v := ui.Errors{}, form.Speech
	for path, message := range e {
		path = languageField(path, form.Languages)
		list, at, indexed := strings.Cut(path, "[")
		switch {
		case path == "speech.provider":
			path = "speech.voice"
		case path == "speech.voice" && v.Voice == otherElevenLabs:
			path = "speech.voice_id"
		case path == "speech.transcription_provider", path == "speech.transcription_model":
			path = "speech.transcription"
		case indexed && (list == "speech.hints" || list == "speech.pronunciations" || list == "model.avoid_topics"):
			index, field, _ := strings.Cut(at, "]")
			n, _ := strconv.Atoi(index)
			path, message = list, fmt.Sprintf("Line %d%s: %s", n+1, strings.Replace(field, ".", ", ", 1), message)
		case indexed && list == "model.tools":
			path = list
		}
		if _, twice := moved[path]; !twice {
			moved[path] = message
		}
	}
	return moved
}

// withSpeechOptions returns the form of an agent with the choices of its language. A voice that does not
// fit the language is no choice.
func withSpeechOptions(v views.AgentForm) views.AgentForm {
	f := &v.Speech
	f.Voices, f.Models = voiceOptions(v.Language), modelOptions(v.Language)
	f.Transcriptions = transcriptions(v.Language)
	if v.Errors == nil {
		v.Errors = ui.Errors{}
	}
	f.Transcriptions = checkOptions(v.Errors, "speech.voice", f.Voices, f.Voice, "speech.transcription",
		f.Transcriptions, f.Transcription)
	withLanguageOptions(v, v.Errors)
	if !listed(f.Models, f.Model) {
		f.Model = ""
	}
	for _, field := range []string{
		"speech.interruptible", "speech.interrupt_sensitivity", "speech.transcription", "speech.end_of_turn_ms",
		"speech.end_of_turn_threshold", "speech.model",
	} {
		f.Open = f.Open || v.Errors[field] != ""
	}
	f.Open = f.Open || cmp.Or(f.Interruptible, "any") != "any" || cmp.Or(f.InterruptSensitivity, "high") != "high" ||
		f.IgnoreBackchannel || f.Transcription+f.EndOfTurnMS+f.EndOfTurnThreshold+f.Model != ""
	if len(v.Errors) == 0 {
		v.Errors = nil
	}
	return v
}

// checkOptions notes a voice and a transcription that are no choice as problems, unless their fields have some. It
// returns the choices of the transcription, with a provider's default model if that is chosen.
func checkOptions(
	e ui.Errors, voiceField string, voices []ui.Option, voice, heardField string, heard []ui.Option, chosen string,
) []ui.Option {
	if !listed(voices, voice) && e[voiceField] == "" {
		e[voiceField] = "The voice does not fit the language. Choose another voice"
	}
	if chosen == "" || listed(heard, chosen) || e[heardField] != "" {
		return heard
	}
	if provider, model, _ := strings.Cut(chosen, ":"); model == "" {
		return append(heard, ui.Option{Value: chosen, Label: speech.Provider(provider).Name() + ", default model"})
	}
	e[heardField] = "The transcription does not fit the language. Choose another one"
	return heard
}

func listed(options []ui.Option, value string) bool {
	return slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value })
}

// voiceOptions are the voices that fit a language, grouped by provider and accent.
func voiceOptions(language string) []ui.Option {
	options := []ui.Option{{Label: "The carrier's default"}}
	groups := map[string][]ui.Option{}
	var order []string
	for _, v := range speech.Voices(language) {
		group := v.Provider.Name()
		if v.Locale != "" && !strings.EqualFold(v.Locale, language) {
			group += ", " + ui.LanguageName(v.Locale)
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], ui.Option{
			Value: string(v.Provider) + ":" + v.ID, Label: v.Label(), Group: group,
		})
	}
	other := speech.ElevenLabs.Name()
	groups[other] = append(groups[other], ui.Option{
		Value: otherElevenLabs, Label: "Another voice of ElevenLabs, by its ID", Group: other,
	})
	for _, group := range order {
		options = append(options, groups[group]...)
	}
	return options
}

func modelOptions(language string) []ui.Option {
	return append([]ui.Option{{Label: "The carrier's default"}}, ui.OptionsOf(speech.VoiceModels(language)...)...)
}

// transcriptions are the providers and models that fit a language.
func transcriptions(language string) []ui.Option {
	names := map[string]string{
		"nova-3-general": "Nova 3", "nova-2-general": "Nova 2", speech.Flux: "Flux, which recognizes the end of a turn",
		"telephony": "Telephony", "long": "Long",
	}
	options := []ui.Option{{Label: "The carrier's default"}}
	for _, provider := range speech.TranscriptionProviders() {
		for _, model := range speech.TranscriptionModels(provider, language) {
			options = append(options, ui.Option{
				Value: string(provider) + ":" + model, Label: provider.Name() + " " + cmp.Or(names[model], model),
			})
		}
	}
	return options
}

// sampleOf reads the language and the speech settings of a form whose voice is to be heard. Their
// problems are fields of the form.
func sampleOf(v views.AgentForm) (project.Sample, ui.Errors) {
	var p fault.Problems
	sample := project.Sample{Language: v.Language, Speech: speechSettings(v.Speech, &conversation.Script{}, &p)}
	problems := ui.ErrorsOf(cmp.Or(p.Err(), sample.Validate()))
	if problems == nil {
		return sample, nil
	}
	return sample, speechErrors(problems, v)
}

// callsFrom tells how the voice of an agent can be heard.
func (s *Server) callsFrom(r *http.Request) (views.CallsFrom, error) {
	numbers, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Projects.VoiceNumbers)
	switch {
	case err != nil:
		return "", err
	case len(numbers) == 0:
		return views.CallsFromNothing, nil
	case slices.ContainsFunc(numbers, func(n project.PhoneNumber) bool { return n.Carrier != project.Sandbox }):
		return views.CallsFromCarrier, nil
	}
	return views.CallsFromSandbox, nil
}
