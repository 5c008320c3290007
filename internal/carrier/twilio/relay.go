package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	maxFrame  = 64 << 10
	setupTime = 10 * time.Second // from the handshake to the setup frame
)

// frame is any message of ConversationRelay, in either direction.
// https://www.twilio.com/docs/voice/conversationrelay/websocket-messages
type frame struct {
	Type string `json:"type"`

	// from Twilio
	SessionID               string            `json:"sessionId,omitempty"`
	CallSID                 string            `json:"callSid,omitempty"`
	CustomParameters        map[string]string `json:"customParameters,omitempty"`
	VoicePrompt             string            `json:"voicePrompt,omitempty"`
	Digit                   string            `json:"digit,omitempty"`
	UtteranceUntilInterrupt string            `json:"utteranceUntilInterrupt,omitempty"`
	// a number, in older versions a string; unused
	DurationUntilInterrupt json.RawMessage `json:"durationUntilInterruptMs,omitempty"`
	Name                   string          `json:"name,omitempty"`
	Value                  json.RawMessage `json:"value,omitempty"` // a string in all known frames
	Description            string          `json:"description,omitempty"`

	// to Twilio
	Token         string `json:"token,omitempty"`
	Interruptible *bool  `json:"interruptible,omitempty"` // absent: as in the TwiML, "any"
	HandoffData   string `json:"handoffData,omitempty"`   // comes back with the action callback
	Digits        string `json:"digits,omitempty"`        // of sendDigits

	TTSLanguage           string `json:"ttsLanguage,omitempty"`
	TranscriptionLanguage string `json:"transcriptionLanguage,omitempty"`

	// in both directions
	Last *bool  `json:"last,omitempty"`
	Lang string `json:"lang,omitempty"`
}

// value returns the frame's value if it is a string.
func (f frame) value() string {
	var s string
	_ = json.Unmarshal(f.Value, &s)
	return s
}

// relay opens a line for an admitted call and passes it to the host.
func (a *Adapter) relay(w http.ResponseWriter, r *http.Request, cb callback) {
	manner, err := a.admit(r.Context(), cb)
	if errors.Is(err, carrier.ErrNotAdmitted) {
		http.Error(w, "call is not admitted", http.StatusGone)
		return
	}
	if err != nil {
		a.fail(w, r, "admit a line", err)
		return
	}
	conn, err := accept(w, r)
	if err != nil {
		return // accept has answered
	}
	defer conn.CloseNow()

	// The context of the request ends with the hijack. The line lives as long as its
	// socket.
	ctx := context.WithoutCancel(r.Context())
	setup, err := readSetup(ctx, conn, cb)
	if err != nil {
		a.log.WarnContext(ctx, "twilio line was not set up", "call", cb.callID, "error", err)
		_ = conn.Close(websocket.StatusPolicyViolation, "setup expected")
		return
	}
	log := a.log.With("call", cb.callID, "connection", cb.connectionID)
	l := newLine(conn, setup.CallSID, manner, a.now, log)
	if !a.enter(cb.callID, l) {
		_ = conn.Close(websocket.StatusGoingAway, "")
		return
	}
	defer a.leave(cb.callID, l)
	go l.listen(ctx)
	a.host.Converse(ctx, cb.connectionID, cb.callID, l)

	if l.hungUp() {
		select { // let the relay close in order, after which it requests relay-ended
		case <-l.done:
		case <-time.After(partTime):
		}
		return
	}
	l.shut(carrier.CloseShutdown, "the conversation let go of the line")
	<-l.done
}

// accept opens the WebSocket of a request whose signature was checked. After an error, it has answered.
func accept(w http.ResponseWriter, r *http.Request) (*websocket.Conn, error) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // no browser connects here
	})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(maxFrame)
	return conn, nil
}

// hungUp reports whether the product ended the call or transfers it on this line, and the relay has
// not closed it yet.
func (l *line) hungUp() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.ended && (l.reason == carrier.CloseHangup || l.reason == carrier.CloseTransfer)
}

func readSetup(ctx context.Context, conn *websocket.Conn, cb callback) (frame, error) {
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	_, data, err := conn.Read(ctx)
	if err != nil {
		return frame{}, fmt.Errorf("read setup: %w", err)
	}
	var f frame
	if err := json.Unmarshal(data, &f); err != nil {
		return frame{}, fmt.Errorf("read setup: %w", err)
	}
	if f.Type != "setup" || f.CallSID == "" {
		return frame{}, errors.New("read setup: another frame came first")
	}
	if f.CustomParameters[callParameter] != cb.callID.String() {
		return frame{}, errors.New("read setup: it is for another call")
	}
	return f, nil
}
