package twilio

import (
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// Values of attributes of TwiML. Nil: any value.
var (
	boolean  = []string{"true", "false"}
	inputs   = []string{"none", "dtmf", "speech", "any", "true", "false"}
	speakers = []string{"Google", "Amazon", "ElevenLabs"}
	hearers  = []string{"Google", "Deepgram"}
)

// twimlAttributes are the attributes of the elements that the adapter may send.
// https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
// https://www.twilio.com/docs/voice/conversationrelay/turn-detection
// https://www.twilio.com/docs/voice/twiml/connect
// https://www.twilio.com/docs/voice/twiml/say
// https://www.twilio.com/docs/voice/twiml/pause
var twimlAttributes = map[string]map[string][]string{
	"Response": {}, "Hangup": {},
	"Pause":     {"length": nil},
	"Say":       {"language": nil, "voice": nil, "loop": nil},
	"Connect":   {"action": nil, "method": {"GET", "POST"}},
	"Parameter": {"name": nil, "value": nil},
	"Language": {
		"code": nil, "ttsProvider": speakers, "voice": nil, "transcriptionProvider": hearers, "speechModel": nil,
	},
	"ConversationRelay": {
		"url": nil, "language": nil, "ttsLanguage": nil, "transcriptionLanguage": nil,
		"ttsProvider": speakers, "voice": nil, "transcriptionProvider": hearers, "speechModel": nil,
		"welcomeGreeting": nil, "welcomeGreetingInterruptible": inputs, "interruptible": inputs,
		"interruptSensitivity": {"low", "medium", "high"}, "reportInputDuringAgentSpeech": inputs,
		"preemptible": boolean, "partialPrompts": boolean, "profanityFilter": boolean, "dtmfDetection": boolean,
		"hints": nil, "speechTimeout": nil, "eotThreshold": nil, "turnDetection": nil, "ignoreBackchannel": boolean,
		"backgroundNoiseReduction": nil, "deepgramSmartFormat": boolean,
		"elevenlabsTextNormalization": {"on", "auto", "off"}, "intelligenceService": nil,
		"debug": nil, "events": nil,
	},
}

// checkTwiML compares the elements and attributes of a document with twimlAttributes.
func checkTwiML(t *testing.T, document string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		known, ok := twimlAttributes[element.Name.Local]
		if !ok {
			t.Errorf("unknown element %s", element.Name.Local)
		}
		for _, a := range element.Attr {
			values, ok := known[a.Name.Local]
			if !ok || values != nil && !slices.Contains(values, a.Value) {
				t.Errorf("Twilio does not know %s %s=%q", element.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

// Twilio ignores an attribute that it does not know, and only warns of it (error 12200).
func TestTwiMLConformance(t *testing.T) {
	t.Parallel()
	ms, threshold := 900, 0.8
	full := carrier.Manner{Language: "en-US", Trouble: "Sorry & goodbye.", Speech: speech.Settings{
		Provider: speech.Google, Voice: "en-GB-Wavenet-N", TranscriptionProvider: speech.Deepgram,
		TranscriptionModel: speech.Flux, EndOfTurnMS: &ms, EndOfTurnThreshold: &threshold,
		Interruptible: speech.BySpeech, InterruptSensitivity: speech.Low, IgnoreBackchannel: true,
		Hints: []string{"Acme & Co"},
	}, Others: []carrier.Voice{{Language: "de-DE"}, {Language: "es-US", Engines: speech.Engines{
		Provider: speech.Amazon, Voice: "Mia-Neural", TranscriptionProvider: speech.Google, TranscriptionModel: "long",
	}}}}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[carrier.Manner]()) {
		if reflect.ValueOf(full).FieldByIndex(field.Index).IsZero() {
			t.Errorf("no instructions are checked with %s", field.Name)
		}
	}
	form := url.Values{"CallSid": {"CA1"}, "CallStatus": {"in-progress"}}
	for _, manner := range []carrier.Manner{{}, full} {
		host := carriertest.NewHost()
		host.Manner = manner
		a := newTestAdapter(host)
		for _, path := range []string{"voice", "relay-ended"} {
			for _, code := range []string{"", "64101", "64105", "64106"} {
				form.Set("ErrorCode", code)
				w := call(a, callPath+path, form, sign("token", publicURL+callPath+path, form))
				if w.Code != 200 {
					t.Errorf("%s with %q: %d", path, code, w.Code)
				}
				checkTwiML(t, w.Body.String())
			}
		}
	}
}
