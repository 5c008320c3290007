package sandbox

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"time"
)

// trouble is how the line of a call fails. The zero value is none.
type trouble struct {
	relay        string // the relay does not open, with this error code
	ofVoice      bool   // but only while the instructions name a voice or a transcription
	losesLines   bool   // the WebSocket breaks in every session
	refusesWords bool   // every text after the first of a session is refused
	unreachable  bool   // no callback arrives, as with a wrong public address
}

const (
	// openingTime is how long the relay tries to open before it fails.
	openingTime = 600 * time.Millisecond
	// unreachableTime is how long an answered call lasts for which no instructions can be
	// fetched. Twilio gives up after 15 s.
	// https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
	unreachableTime = 15 * time.Second
)

// relayErrors are the messages of relays that do not open.
// https://www.twilio.com/docs/api/errors/64102 and the following; Twilio has no public
// page of 64101.
var relayErrors = map[string]string{
	"64101": "Unable to start the session",
	"64102": "Unable to connect to websocket URL",
	"64106": "Invalid argument: the voice is not supported by the provider",
}

// opens returns how the opening of a relay fails. ok is true if it opens.
func (c *call) opens(r relay) (end sessionEnd, ok bool) {
	t := c.plan.trouble
	end = sessionEnd{status: "failed", code: t.relay, message: relayErrors[t.relay]}
	switch {
	case r.refusal != "":
		c.n.Log.Error("sandbox: a line is refused", "call", c.sid, "why", r.refusal)
		end.code, end.message = "64106", r.refusal
	case t.relay == "" || t.ofVoice && !r.named:
		return sessionEnd{}, true
	}
	if !c.wait(openingTime) {
		return sessionEnd{status: "completed", callOver: true}, false
	}
	return end, false
}

// say plays words of the carrier itself to the recipient. It returns false if somebody
// hangs up first.
func (c *call) say(text string) bool {
	began := time.Now()
	heard := c.wait(time.Duration(len(strings.Fields(text))) * agentWord)
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	c.dial.Turns = append(c.dial.Turns, Turn{
		Session: c.dial.Sessions, Who: Carrier, Text: text, Cut: !heard, Began: began, At: time.Now().UTC(),
	})
	return heard
}

// refuses reports whether a text of the product is refused. The recipient hears nothing
// and makes sure that somebody is there.
func (s *session) refuses() bool {
	if n := len(s.queue); n > 0 && !s.queue[n-1].complete {
		return false // more of an utterance
	}
	s.texts++
	if !s.c.plan.trouble.refusesWords || s.texts == 1 {
		return false
	}
	s.send(frame{Type: "error", Description: "Invalid message received: the token cannot be spoken"})
	if !s.talking && len(s.queue) == 0 {
		hello := s.person.say("Hello? Are you still there?", s.person.words.hello)
		s.plan(&act{after: 3 * time.Second, atLeast: graceTime, say: hello}, time.Now())
	}
	return true
}

// spoken is what the speech engine says of a token. Since October 2025 tokens are SSML, so
// a raw "&" or "<" makes a token that cannot be spoken.
// https://www.twilio.com/en-us/changelog/conversationrelay-now-supports-ssml-tags-to-fine-tune-speech
func spoken(token string) (text string, ok bool) {
	decoder := xml.NewDecoder(strings.NewReader("<speak>" + token + "</speak>"))
	for {
		switch t, err := decoder.Token(); {
		case errors.Is(err, io.EOF):
			return text, true
		case err != nil:
			return "", false
		default:
			if words, is := t.(xml.CharData); is {
				text += string(words)
			}
		}
	}
}
