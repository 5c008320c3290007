package speech

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

// languages are those of agents.
var languages = []string{
	"en-US", "cs-CZ", "da-DK", "de-DE", "el-GR", "es-MX", "fr-FR", "it-IT", "nb-NO", "nl-NL", "pl-PL", "pt-BR", "ro-RO",
	"sv-SE", "tr-TR",
}

func TestEveryLanguageHasVoices(t *testing.T) {
	t.Parallel()
	for _, language := range languages {
		count := map[Provider]int{}
		for _, v := range Voices(language) {
			count[v.Provider]++
			if field, problem := VoiceProblem(v.Provider, v.ID, "", language); problem != "" {
				t.Errorf("%s in %s: %s %s", v.ID, language, field, problem)
			}
		}
		undocumented := language == "cs-CZ" || language == "el-GR"
		if count[Google] < 2 || count[ElevenLabs] < 2 || count[Amazon] == 0 && !undocumented {
			t.Errorf("%s: %v", language, count)
		}
	}
	seen := map[string]bool{}
	for _, v := range voices {
		if key := string(v.Provider) + v.ID; seen[key] {
			t.Errorf("%s twice", key)
		} else {
			seen[key] = true
		}
	}
	for id, want := range map[string]string{
		"Joanna-Neural":         "Joanna, female, Amazon Polly Neural",
		"Joanna":                "Joanna, female, Amazon Polly Standard",
		"da-DK-Wavenet-G":       "G, male, Google Wavenet",
		"en-GB-Chirp3-HD-Aoede": "Aoede, female, Google Chirp 3 HD",
		"UgBBYS2sOqTuMpoF3BR0":  "Mark, male, ElevenLabs",
	} {
		if i := slices.IndexFunc(voices, func(v Voice) bool { return v.ID == id }); i < 0 || voices[i].Label() != want {
			t.Errorf("%s: %d, want %s", id, i, want)
		}
	}
	if first := Voices("en-GB")[0]; first.Locale != "en-GB" {
		t.Errorf("the first voice of en-GB is %+v", first)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	ms := func(n int) *int { return &n }
	threshold := func(x float64) *float64 { return &x }
	many := make([]string, maxHints+1)
	for i := range many {
		many[i] = itoa(i)
	}
	for want, c := range map[string]struct {
		language string
		settings Settings
	}{
		"":                                  {"no", Settings{Provider: Amazon, Voice: "Ida-Neural"}},
		"s.provider: required with a voice": {"en-US", Settings{Voice: "Joanna"}},
		"s.provider: must be one of amazon, google, elevenlabs": {
			"en-US", Settings{Provider: Deepgram, Voice: "x"},
		},
		"s.voice: required with a provider": {"en-US", Settings{Provider: Google}},
		"s.voice: is not a voice of Google": {
			"en-US", Settings{Provider: Google, Voice: "Joanna"},
		},
		"s.voice: must be the ID of an ElevenLabs voice, 20 letters": {
			"en", Settings{Provider: ElevenLabs, Voice: "Rachel"},
		},
		"s.voice: speaks en-US and does not fit the agent's language. Choose Sofie-Neural or da-DK-Wavenet-F or": {
			"da-DK", Settings{Provider: Amazon, Voice: "Joanna-Neural"},
		},
		"s.model: is only for ElevenLabs": {
			"en-US", Settings{Provider: Amazon, Voice: "Joanna", Model: "flash_v2_5"},
		},
		"s.model: must be one of flash_v2_5, turbo_v2_5 in the agent's language": {
			"da-DK", Settings{Provider: ElevenLabs, Voice: "UgBBYS2sOqTuMpoF3BR0", Model: "turbo_v2"},
		},
		"s.transcription_provider: required with a transcription model": {
			"en-US", Settings{TranscriptionModel: Flux},
		},
		"s.transcription_provider: must be deepgram or google": {
			"en-US", Settings{TranscriptionProvider: Amazon},
		},
		"s.transcription_model: must be one of nova-3-general, nova-2-general for Deepgram": {
			"el-GR", Settings{TranscriptionProvider: Deepgram, TranscriptionModel: Flux},
		},
		"s.end_of_turn_ms: must be between 600 and 5,000": {"en-US", Settings{EndOfTurnMS: ms(599)}},
		"s.end_of_turn_threshold: is only for the transcription model flux": {
			"en-US", Settings{EndOfTurnThreshold: threshold(0.7)},
		},
		"s.end_of_turn_threshold: must be between 0.5 and 0.9": {
			"en-US", Settings{
				TranscriptionProvider: Deepgram, TranscriptionModel: Flux, EndOfTurnThreshold: threshold(math.NaN()),
			},
		},
		"s.interruptible: must be one of any, speech, dtmf, none": {"en-US", Settings{Interruptible: "never"}},
		"s.interrupt_sensitivity: must be one of high, medium":    {"en-US", Settings{InterruptSensitivity: "0.5"}},
		"s.hints[1]: must not contain a comma": {
			"en-US", Settings{Hints: []string{"a", "", "a", "b, c"}},
		},
		"s.hints[0]: must have at most 100 characters": {
			"en-US", Settings{Hints: []string{strings.Repeat("x", 101)}},
		},
		"s.hints: must have at most 500 hints": {"en-US", Settings{Hints: many}},
		"s.pronunciations[1].word: is also the word of pronunciation 1": {
			"en-US", Settings{Pronunciations: []Pronunciation{{"\u00c5se", "a"}, {" a\u030aSE ", "b"}}},
		},
		"s.pronunciations[0].spoken: must contain a letter or a digit": {
			"en-US", Settings{Pronunciations: []Pronunciation{{"a", " . "}}},
		},
	} {
		var p fault.Problems
		c.settings.Validate("s", c.language, &p)
		got := ""
		if err := p.Err(); err != nil {
			for _, f := range fault.As(err).Fields {
				got += f.Path + ": " + f.Message + "; "
			}
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" || strings.Count(got, ";") > 1 {
			t.Errorf("%+v: %q, want %q", c.settings, got, want)
		}
	}
}

func TestStoredSettingsHaveDefaults(t *testing.T) {
	t.Parallel()
	var s Settings
	if err := json.Unmarshal([]byte(`{"provider": "google", "voice": "el-GR-Wavenet-B"}`), &s); err != nil {
		t.Fatal(err)
	}
	if s.Voice != "el-GR-Wavenet-B" || s.Interruptible != ByAnything || s.InterruptSensitivity != High ||
		s.Hints == nil {
		t.Errorf("%+v", s)
	}
	if s.VoiceLocale("el") != "el-GR" || s.VoiceLocale("el-GR") != "" || !s.Named() || s.Unnamed().Named() {
		t.Errorf("%+v", s)
	}
}
