package sandbox

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// relay is <ConversationRelay>. interruptible and preemptible are the defaults for utterances.
type relay struct {
	url           string
	interruptible interruption
	preemptible   bool
	digits        bool
	report        bool // report speech during an uninterruptible utterance
	speakerEvents bool
	tokensPlayed  bool
	spoken, heard string        // the languages (BCP 47) of speech and of recognition
	named         bool          // names a voice or a transcription
	endOfTurn     time.Duration // from the end of speech to its report
	refusal       string        // why Twilio refuses the attributes; empty: it accepts them
	attributes    map[string]string
	parameters    map[string]string
}

// interruption is what interrupts an utterance.
type interruption struct{ speech, digits bool }

// interruptions are the values of the attribute interruptible. Twilio also accepts booleans.
var interruptions = map[string]interruption{
	"any": {true, true}, "true": {true, true}, "": {true, true},
	"speech": {speech: true}, "dtmf": {digits: true},
	"none": {}, "false": {},
}

type xmlRelay struct {
	Attributes []xml.Attr `xml:",any,attr"`
	Languages  []struct {
		Attributes []xml.Attr `xml:",any,attr"`
	} `xml:"Language"`
	Parameters []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"Parameter"`
}

func (x *xmlRelay) relay() relay {
	a := attributesOf(x.Attributes)
	r := relay{
		url:           a["url"],
		interruptible: interruptions[a["interruptible"]],
		preemptible:   a["preemptible"] == "true",
		digits:        a["dtmfDetection"] == "true",
		report:        a["reportInputDuringAgentSpeech"] == "any" || a["reportInputDuringAgentSpeech"] == "speech",
		speakerEvents: hasWord(a["events"], "speaker-events"),
		tokensPlayed:  hasWord(a["events"], "tokens-played"),
		spoken:        cmp.Or(a["ttsLanguage"], a["language"], defaultLanguage),
		heard:         cmp.Or(a["transcriptionLanguage"], a["language"], defaultLanguage),
		named:         a["voice"] != "" || a["ttsProvider"] != "" || a["transcriptionProvider"] != "",
		refusal:       refusalOf(a),
		attributes:    a,
		parameters:    map[string]string{},
	}
	if ms, err := strconv.Atoi(a["speechTimeout"]); err == nil {
		r.endOfTurn = time.Duration(ms) * time.Millisecond
	}
	for _, p := range x.Parameters {
		r.parameters[p.Name] = p.Value
	}
	for _, l := range x.Languages {
		a := attributesOf(l.Attributes)
		r.named = r.named || len(a) > 1
		if a["language"] = a["code"]; a["code"] == "" && r.refusal == "" {
			r.refusal = "Invalid argument: Language without a code"
		}
		r.refusal = cmp.Or(r.refusal, refusalOf(a))
	}
	return r
}

// defaultLanguage is Twilio's, for a relay without one.
const defaultLanguage = "en-US"

func attributesOf(all []xml.Attr) map[string]string {
	a := map[string]string{}
	for _, attribute := range all {
		a[attribute.Name.Local] = attribute.Value
	}
	return a
}

// oneOf are the attributes with a fixed set of values.
// https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
var oneOf = map[string][]string{
	"ttsProvider":                  {"google", "amazon", "elevenlabs"}, // in any case
	"transcriptionProvider":        {"google", "deepgram"},             // in any case
	"interruptible":                {"none", "dtmf", "speech", "any", "true", "false"},
	"interruptSensitivity":         {"low", "medium", "high"},
	"reportInputDuringAgentSpeech": {"none", "dtmf", "speech", "any"},
	"ignoreBackchannel":            {"true", "false"},
	"dtmfDetection":                {"true", "false"},
	"preemptible":                  {"true", "false"},
}

// elevenLabsVoice is an ID of ElevenLabs, with an optional model and optional speed, stability and similarity.
var elevenLabsVoice = regexp.MustCompile(`^[A-Za-z0-9]{20,40}(?:-([a-z]+_v2(?:_5)?))?(?:-[0-9.]+_[0-9.]+_[0-9.]+)?$`)

// refusalOf returns why Twilio does not open a relay with these attributes (64106), or an empty text.
// https://www.twilio.com/docs/api/errors/64106
func refusalOf(a map[string]string) string {
	for name, values := range oneOf {
		value := a[name]
		if strings.HasSuffix(name, "Provider") {
			value = strings.ToLower(value)
		}
		if value != "" && !slices.Contains(values, value) {
			return fmt.Sprintf("Invalid argument: %s %q", name, a[name])
		}
	}
	if ms := a["speechTimeout"]; ms != "" && ms != "auto" && !within(ms, 600, 5000) {
		return "Invalid argument: speechTimeout " + ms
	}
	model := a["speechModel"]
	if t := a["eotThreshold"]; t != "" && (!within(t, 0.5, 0.9) || model != speech.Flux) {
		return "Invalid argument: eotThreshold " + t
	}
	tts, stt := defaultLanguage, defaultLanguage
	for _, language := range []string{a["language"], a["ttsLanguage"]} {
		if language != "" {
			tts = language
		}
	}
	for _, language := range []string{a["language"], a["transcriptionLanguage"]} {
		if language != "" {
			stt = language
		}
	}
	provider := strings.ToLower(a["ttsProvider"])
	if provider == "" {
		provider = "elevenlabs"
	}
	if id := a["voice"]; id != "" && !speaks(speech.Provider(provider), id, tts) {
		return fmt.Sprintf("Invalid argument: %s/%s/%s is not supported", provider, tts, id)
	}
	provider = strings.ToLower(a["transcriptionProvider"])
	if provider == "" {
		provider = "deepgram"
	}
	if model != "" && !slices.Contains(speech.TranscriptionModels(speech.Provider(provider), stt), model) {
		return fmt.Sprintf("Invalid argument: %s/%s/%s is not supported", provider, stt, model)
	}
	return ""
}

// speaks reports whether a provider's voice speaks a language, with exactly this region.
func speaks(provider speech.Provider, id, language string) bool {
	if provider == speech.ElevenLabs {
		m := elevenLabsVoice.FindStringSubmatch(id)
		return m != nil && (m[1] == "" || slices.Contains(speech.VoiceModels(language), m[1]))
	}
	v, ok := speech.Find(provider, id)
	return ok && strings.EqualFold(v.Locale, language)
}

func within(number string, least, most float64) bool {
	n, err := strconv.ParseFloat(number, 64)
	return err == nil && n >= least && n <= most
}
