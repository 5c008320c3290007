package sandbox

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// frame is any ConversationRelay message.
// https://www.twilio.com/docs/voice/conversationrelay/websocket-messages
type frame struct {
	Type string `json:"type"`

	// sent to the product
	VoicePrompt   string `json:"voicePrompt,omitempty"`
	Digit         string `json:"digit,omitempty"`
	Until         string `json:"utteranceUntilInterrupt,omitempty"`
	DurationUntil any    `json:"durationUntilInterruptMs,omitempty"` // a number, or a string as in older documentation
	Name          string `json:"name,omitempty"`
	Value         string `json:"value,omitempty"`
	Timestamp     int64  `json:"ts,omitempty"` // ms since 1970
	Description   string `json:"description,omitempty"`

	// sent by the product
	Token         string `json:"token,omitempty"`
	HandoffData   string `json:"handoffData,omitempty"`
	TTSLanguage   string `json:"ttsLanguage,omitempty"`
	HeardLanguage string `json:"transcriptionLanguage,omitempty"`
	Digits        string `json:"digits,omitempty"`        // of sendDigits
	Interruptible any    `json:"interruptible,omitempty"` // a boolean or a string
	Preemptible   any    `json:"preemptible,omitempty"`

	// sent in both directions
	Last *bool  `json:"last,omitempty"`
	Lang string `json:"lang,omitempty"`
}

// setup is the first frame of a session.
type setup struct {
	Type             string            `json:"type"`
	SessionID        string            `json:"sessionId"`
	AccountSID       string            `json:"accountSid"`
	ParentCallSID    string            `json:"parentCallSid"`
	CallSID          string            `json:"callSid"`
	From             string            `json:"from"`
	To               string            `json:"to"`
	ForwardedFrom    string            `json:"forwardedFrom"`
	CallType         string            `json:"callType"`
	CallerName       string            `json:"callerName"`
	Direction        string            `json:"direction"`
	CallStatus       string            `json:"callStatus"`
	CustomParameters map[string]string `json:"customParameters"`
}

func (s *session) send(message any) { s.c.n.write(s.conn, message) }

// socket opens a WebSocket of a call, with the signature of its account.
func (c *call) socket(address string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(c.ctx, lineTime)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient: c.n.Client,
		HTTPHeader: http.Header{"X-Twilio-Signature": {c.sign(address, nil)}},
	})
	return conn, err
}

// write sends a message on a WebSocket. The reader notices a broken one.
func (n *Network) write(conn *websocket.Conn, message any) {
	data, err := json.Marshal(message)
	if err != nil {
		panic("sandbox: message cannot be encoded: " + err.Error())
	}
	ctx, cancel := context.WithTimeout(n.Ctx, lineTime)
	defer cancel()
	_ = conn.Write(ctx, websocket.MessageText, data)
}

func hasWord(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}
