package twilio

import (
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// callParameter is the name of the relay's parameter with the product's call ID.
const callParameter = "call"

type response struct {
	XMLName  xml.Name  `xml:"Response"`
	Pause    *pause    `xml:"Pause"`
	Redirect *redirect `xml:"Redirect"`
	Say      *say      `xml:"Say"`
	Gather   *gather   `xml:"Gather"`
	Connect  *connect  `xml:"Connect"`
	Dial     *dial     `xml:"Dial"`
	Reject   *reject   `xml:"Reject"`
	Hangup   *empty    `xml:"Hangup"`
}

type empty struct{}

type pause struct {
	Length int `xml:"length,attr"` // seconds
}

// redirect asks another address for instructions, with the fields that every request for instructions has.
// https://www.twilio.com/docs/voice/twiml/redirect
type redirect struct {
	Method  string `xml:"method,attr"`
	Address string `xml:",chardata"`
}

// say is spoken by Twilio itself, without a relay.
// https://www.twilio.com/docs/voice/twiml/say
type say struct {
	Language string `xml:"language,attr,omitempty"`
	Text     string `xml:",chardata"`
}

// reject ends an incoming call without answering it, which costs nothing.
// https://www.twilio.com/docs/voice/twiml/reject
type reject struct {
	Reason string `xml:"reason,attr"`
}

type connect struct {
	Action string `xml:"action,attr"`
	Method string `xml:"method,attr"`
	Relay  relay  `xml:"ConversationRelay"`
}

// relay opens the WebSocket. Without an optional attribute, Twilio's default for the language applies.
// https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
type relay struct {
	URL                   string      `xml:"url,attr"`
	Language              string      `xml:"language,attr,omitempty"`
	TTSLanguage           string      `xml:"ttsLanguage,attr,omitempty"`
	TTSProvider           string      `xml:"ttsProvider,attr,omitempty"`
	Voice                 string      `xml:"voice,attr,omitempty"`
	TranscriptionProvider string      `xml:"transcriptionProvider,attr,omitempty"`
	SpeechModel           string      `xml:"speechModel,attr,omitempty"`
	SpeechTimeout         string      `xml:"speechTimeout,attr,omitempty"`
	EOTThreshold          string      `xml:"eotThreshold,attr,omitempty"`
	Interruptible         string      `xml:"interruptible,attr,omitempty"`
	InterruptSensitivity  string      `xml:"interruptSensitivity,attr,omitempty"`
	IgnoreBackchannel     string      `xml:"ignoreBackchannel,attr,omitempty"`
	Hints                 string      `xml:"hints,attr,omitempty"`
	ReportInput           string      `xml:"reportInputDuringAgentSpeech,attr"`
	DTMF                  bool        `xml:"dtmfDetection,attr"`
	Preemptible           bool        `xml:"preemptible,attr"`
	Events                string      `xml:"events,attr"`
	Languages             []language  `xml:"Language"`
	Parameters            []parameter `xml:"Parameter"`
}

// language has the engines of a language to which the session may change.
type language struct {
	Code                  string `xml:"code,attr"`
	TTSProvider           string `xml:"ttsProvider,attr,omitempty"`
	Voice                 string `xml:"voice,attr,omitempty"`
	TranscriptionProvider string `xml:"transcriptionProvider,attr,omitempty"`
	SpeechModel           string `xml:"speechModel,attr,omitempty"`
}

// languagesOf returns the languages of a manner, without any if it has only one. A voice with another accent
// than the language has the language of its accent.
func languagesOf(manner carrier.Manner) (all []language) {
	if len(manner.Others) == 0 {
		return nil
	}
	own := carrier.Voice{Language: manner.Language, Engines: manner.Speech.Engines()}
	for _, v := range append([]carrier.Voice{own}, manner.Others...) {
		s := speech.Settings{}.With(v.Engines)
		heard := language{
			Code:                  v.Language,
			TranscriptionProvider: providers[s.TranscriptionProvider],
			SpeechModel:           s.TranscriptionModel,
		}
		spoken := &heard
		if locale := s.VoiceLocale(v.Language); locale != "" {
			spoken = &language{Code: locale}
		}
		spoken.TTSProvider, spoken.Voice = providers[s.Provider], voiceOf(s)
		if all = append(all, heard); spoken != &heard {
			all = append(all, *spoken)
		}
	}
	return all
}

// voiceOf is a voice with its model, as the relay takes it.
func voiceOf(s speech.Settings) string {
	if s.Model != "" {
		return s.Voice + "-" + s.Model
	}
	return s.Voice
}

// providers are Twilio's names of the providers.
var providers = map[speech.Provider]string{
	speech.ElevenLabs: "ElevenLabs",
	speech.Amazon:     "Amazon",
	speech.Google:     "Google",
	speech.Deepgram:   "Deepgram",
}

type parameter struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// hangupTwiML ends the call.
func hangupTwiML() []byte { return encode(response{Hangup: &empty{}}) }

// rejectTwiML does not answer an incoming call. The reason is "rejected" or "busy".
func rejectTwiML(reason string) []byte { return encode(response{Reject: &reject{Reason: reason}}) }

// laterTwiML asks an address for instructions after a second. Before the call is answered, it rings on meanwhile.
// https://www.twilio.com/docs/voice/twiml/pause
func laterTwiML(address string) []byte {
	return encode(response{
		Pause: &pause{Length: 1}, Redirect: &redirect{Method: http.MethodPost, Address: address},
	})
}

// partingTwiML says a sentence and ends the call.
func partingTwiML(language, text string) []byte {
	if text == "" {
		return hangupTwiML()
	}
	return encode(response{Say: &say{Language: language, Text: text}, Hangup: &empty{}})
}

// relayTwiML opens a line. Digits and speech are reported while the agent speaks too, because
// "press 9 or say stop" applies to the whole call. The events report what was played.
func relayTwiML(socket, action, callID string, manner carrier.Manner, pauseSeconds int) []byte {
	s := manner.Speech
	r := response{Connect: &connect{
		Action: action,
		Method: "POST",
		Relay: relay{
			URL:                   socket,
			Language:              manner.Language,
			TTSLanguage:           s.VoiceLocale(manner.Language),
			TTSProvider:           providers[s.Provider],
			Voice:                 voiceOf(s),
			TranscriptionProvider: providers[s.TranscriptionProvider],
			SpeechModel:           s.TranscriptionModel,
			Interruptible:         string(s.Interruptible),
			InterruptSensitivity:  string(s.InterruptSensitivity),
			Hints:                 strings.Join(s.Hints, ","),
			ReportInput:           "any",
			DTMF:                  true,
			Preemptible:           true,
			Events:                "speaker-events tokens-played",
			Languages:             languagesOf(manner),
			Parameters:            []parameter{{Name: callParameter, Value: callID}},
		},
	}}
	x := &r.Connect.Relay
	if s.EndOfTurnMS != nil {
		x.SpeechTimeout = strconv.Itoa(*s.EndOfTurnMS)
	}
	if s.EndOfTurnThreshold != nil {
		x.EOTThreshold = strconv.FormatFloat(*s.EndOfTurnThreshold, 'f', -1, 64)
	}
	if s.IgnoreBackchannel {
		x.IgnoreBackchannel = "true"
	}
	if pauseSeconds > 0 {
		r.Pause = &pause{Length: pauseSeconds}
	}
	return encode(r)
}

func encode(r response) []byte {
	out, err := xml.Marshal(r)
	if err != nil {
		panic("twilio: TwiML cannot be encoded: " + err.Error()) // only fixed types
	}
	return append([]byte(xml.Header), out...)
}
