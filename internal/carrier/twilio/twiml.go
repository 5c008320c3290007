package twilio

import (
	"encoding/xml"

	"github.com/dialwright/dialwright/internal/carrier"
)

// callParameter is the name of the relay's parameter with the product's call ID.
const callParameter = "call"

type response struct {
	XMLName xml.Name `xml:"Response"`
	Pause   *pause   `xml:"Pause"`
	Say     *say     `xml:"Say"`
	Connect *connect `xml:"Connect"`
	Hangup  *empty   `xml:"Hangup"`
}

type empty struct{}

type pause struct {
	Length int `xml:"length,attr"` // seconds
}

// say is spoken by Twilio itself, without a relay.
// https://www.twilio.com/docs/voice/twiml/say
type say struct {
	Language string `xml:"language,attr,omitempty"`
	Text     string `xml:",chardata"`
}

type connect struct {
	Action string `xml:"action,attr"`
	Method string `xml:"method,attr"`
	Relay  relay  `xml:"ConversationRelay"`
}

// relay opens the WebSocket.
// https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
type relay struct {
	URL           string      `xml:"url,attr"`
	Language      string      `xml:"language,attr,omitempty"`
	Voice         string      `xml:"voice,attr,omitempty"`
	Interruptible string      `xml:"interruptible,attr"`
	ReportInput   string      `xml:"reportInputDuringAgentSpeech,attr"`
	DTMF          bool        `xml:"dtmfDetection,attr"`
	Preemptible   bool        `xml:"preemptible,attr"`
	Events        string      `xml:"events,attr"`
	Parameters    []parameter `xml:"Parameter"`
}

type parameter struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// hangupTwiML ends the call.
func hangupTwiML() []byte { return encode(response{Hangup: &empty{}}) }

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
	r := response{Connect: &connect{
		Action: action,
		Method: "POST",
		Relay: relay{
			URL:           socket,
			Language:      manner.Language,
			Voice:         manner.Voice,
			Interruptible: "any",
			ReportInput:   "any",
			DTMF:          true,
			Preemptible:   true,
			Events:        "speaker-events tokens-played",
			Parameters:    []parameter{{Name: callParameter, Value: callID}},
		},
	}}
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
