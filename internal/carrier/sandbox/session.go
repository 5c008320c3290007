package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"
)

// Speaking speeds of people and speech engines.
const (
	agentWord     = 370 * time.Millisecond
	recipientWord = 330 * time.Millisecond
	reportedWords = 8 // played words are reported in chunks of this many
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

// sessionEnd describes the end of a session.
type sessionEnd struct {
	id       string
	status   string // completed, ended or failed
	code     string // 64105 lost, others not opened
	message  string
	handoff  string // what the product passed on with its end
	lasted   time.Duration
	callOver bool // the call ended together with the session
}

// session is one WebSocket of a call: it plays the agent's words and lets the recipient speak.
// Everything happens in the call's goroutine, with one timer. A second goroutine only reads.
type session struct {
	c      *call
	relay  relay
	number int // position among the call's sessions, from 1
	conn   *websocket.Conn

	queue    []*utterance // the first utterance is being played
	agentAt  time.Time    // when the next words of the first utterance have been played
	person   *recipient
	next     *act      // the recipient's next action
	nextAt   time.Time // when the next action begins
	share    float64   // of the first utterance that is played before the next action, if it depends on that
	talking  bool      // the recipient is speaking
	saidFrom time.Time // when the recipient began to speak
	sayUntil time.Time // when the recipient stops speaking
	heard    []string  // words played since the recipient last spoke
	texts    int       // utterances that the product sent
	verdict  *sessionEnd
}

// utterance is one utterance of the agent.
type utterance struct {
	words         []string
	complete      bool // all tokens have arrived
	partial       bool // the last word may go on with the next token
	paused        bool // all words so far were played, and more must come
	interruptible interruption
	preemptible   bool
	began         time.Time
	reported      int // words reported as played
}

// converse opens the WebSocket and runs the conversation.
func (c *call) converse(r relay) (end sessionEnd) {
	began := time.Now()
	s := &session{c: c, relay: r, person: c.person}
	id := "VX" + strings.ReplaceAll(uuid.NewString(), "-", "")
	defer func() { end.id, end.lasted = id, time.Since(began) }()

	c.n.Mu.Lock()
	s.person.spokenTo(r.spoken) // machine detection reads the language
	c.dial.Relay = r.attributes
	c.n.Mu.Unlock()
	if failed, ok := c.opens(r); !ok {
		return failed
	}
	conn, err := c.socket(withoutFragment(r.url))
	if err != nil {
		if c.ctx.Err() != nil {
			return sessionEnd{status: "completed", callOver: true}
		}
		return sessionEnd{status: "failed", code: "64102", message: "Unable to connect to websocket URL"}
	}
	s.conn = conn
	s.open()
	defer s.close()

	frames := make(chan frame, 16)
	reading, stop := context.WithCancel(c.n.Ctx)
	defer stop()
	c.n.Start(func() { read(reading, conn, frames) })

	s.send(setup{
		Type: "setup", SessionID: id, AccountSID: c.account, CallSID: c.sid, From: c.dial.From, To: c.dial.To,
		CallType: "PSTN", Direction: s.c.direction(), CallStatus: "IN-PROGRESS", CustomParameters: r.parameters,
	})
	s.plan(s.person.begin(s.number), time.Now())
	return s.loop(frames)
}

// open counts the session as an open line.
func (s *session) open() {
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.n.Counts.Lines++
	s.c.n.Announce()
	s.c.dial.Sessions++
	s.number = s.c.dial.Sessions
}

func (s *session) close() {
	_ = s.conn.CloseNow()
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.n.Counts.Lines--
	s.c.speaks = nil
	s.c.n.Announce()
}

// read sends the frames of the socket to a channel, and closes the channel when the socket is
// closed.
func read(ctx context.Context, conn *websocket.Conn, frames chan<- frame) {
	defer close(frames)
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(data, &f) != nil {
			f = frame{Type: "?"}
		}
		select {
		case frames <- f:
		case <-ctx.Done():
			return
		}
	}
}

// loop handles frames and due actions until the session is over.
func (s *session) loop(frames <-chan frame) sessionEnd {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for s.verdict == nil {
		if at := s.soonest(); at.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(at))
		}
		select {
		case f, ok := <-frames:
			s.tick(time.Now()) // perform the actions that were due before the frame
			switch {
			case s.verdict != nil:
			case ok:
				s.take(f)
			default:
				s.cutOff(time.Now())
				return sessionEnd{status: "failed", code: "64105", message: "Websocket ended"}
			}
		case <-timer.C:
			s.tick(time.Now())
		case <-s.c.ctx.Done():
			s.cutOff(time.Now())
			s.bye()
			return sessionEnd{status: "completed", callOver: true}
		}
	}
	return *s.verdict
}

// soonest returns when the next action is due, or zero without an action.
func (s *session) soonest() time.Time {
	at := s.agentAt
	for _, t := range []time.Time{s.nextAt, s.sayUntil} {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at
}

// tick performs all due actions in the order of their times. A tick may be so late that both half
// of a sentence and the whole sentence have been played by then. A recipient who hangs up in the
// middle must do so before the end of the sentence is reported.
func (s *session) tick(now time.Time) {
	for s.verdict == nil {
		at := s.soonest()
		switch {
		case at.IsZero() || now.Before(at):
			return
		case at.Equal(s.agentAt):
			s.played(now)
		case at.Equal(s.nextAt):
			s.nextAt = time.Time{}
			s.begin(at, now)
		default:
			s.said(now)
		}
	}
}

// take processes a message of the product.
func (s *session) take(f frame) {
	s.acknowledge(f)
	switch f.Type {
	case "text":
		last := f.Last == nil || *f.Last
		if f.Token == "" {
			s.invalid("token is required")
			return
		}
		var ok bool
		if f.Token, ok = spoken(f.Token); !ok {
			s.invalid("token is not valid SSML")
			return
		}
		if !s.refuses() {
			s.say(f, last)
		}
	case "end":
		s.cutOff(time.Now())
		s.bye()
		s.verdict = &sessionEnd{status: "ended", handoff: f.HandoffData}
	case "language":
		s.changeLanguage(f)
	case "sendDigits":
		if !pressable.MatchString(f.Digits) {
			s.invalid("digits are not valid")
			return
		}
		s.book(Turn{Who: Agent, Digit: f.Digits, Began: time.Now()})
		if a := s.person.pressed(f.Digits); a != nil {
			s.talking, s.sayUntil, s.heard = false, time.Time{}, nil // the keys end what the menu is saying
			s.plan(a, time.Now())
		}
	case "play":
	default:
		s.invalid("unknown message")
	}
}

// changeLanguage changes what the agent speaks and what of the recipient is recognized.
func (s *session) changeLanguage(f frame) {
	if f.TTSLanguage == "" && f.HeardLanguage == "" {
		s.invalid("ttsLanguage or transcriptionLanguage is required")
		return
	}
	s.relay.heard = cmp.Or(f.HeardLanguage, s.relay.heard)
	if f.TTSLanguage != "" {
		s.c.n.Mu.Lock()
		defer s.c.n.Mu.Unlock()
		s.person.spokenTo(f.TTSLanguage)
	}
}

// pressable are the keys that Twilio sends, and its pauses.
var pressable = regexp.MustCompile(`^[0-9*#wW]+$`)

// invalid sends Twilio's answer to a message that it does not understand (64107).
func (s *session) invalid(why string) {
	s.c.n.Log.Error("sandbox: invalid message on a line", "call", s.c.sid, "why", why)
	s.send(frame{Type: "error", Description: "Invalid message received: " + why})
}

// say queues words, or adds them to an utterance that is still incomplete.
func (s *session) say(f frame, last bool) {
	now := time.Now()
	if n := len(s.queue); n > 0 && !s.queue[n-1].complete {
		u := s.queue[n-1]
		u.add(f.Token, last)
		if n == 1 {
			s.goOn(now)
		}
		return
	}
	u := &utterance{interruptible: s.relay.interruptible, preemptible: s.relay.preemptible}
	u.add(f.Token, last)
	if f.Interruptible != nil { // a boolean, or a string as in the instructions
		u.interruptible = interruptions[fmt.Sprint(f.Interruptible)]
	}
	if f.Preemptible != nil {
		u.preemptible = fmt.Sprint(f.Preemptible) == "true"
	}
	if len(s.queue) > 0 && s.queue[0].preemptible {
		s.cut(now)
	}
	s.queue = append(s.queue, u)
	if len(s.queue) == 1 {
		s.start(now)
	}
}

// add appends a token, which may go on with the last word.
func (u *utterance) add(token string, last bool) {
	words := strings.Fields(token)
	if n := len(u.words); u.partial && n > u.reported && len(words) > 0 && strings.HasPrefix(token, words[0]) {
		u.words[n-1] += words[0]
		words = words[1:]
	}
	u.words, u.complete = append(u.words, words...), last
	u.partial = !strings.HasSuffix(token, " ")
}

// goOn continues the first utterance after more of its text has come.
func (s *session) goOn(now time.Time) {
	u := s.queue[0]
	if u.paused && (u.reported < len(u.words) || u.complete) {
		u.paused = false
		u.began = now.Add(-time.Duration(u.reported) * s.c.n.Scaled(agentWord))
		s.speaking("agentSpeaking", "on")
	}
	s.schedule(now)
	if s.share > 0 {
		s.actWithin(u, now)
	}
}

// actWithin schedules an action of the recipient during an utterance. More of its text moves the action.
func (s *session) actWithin(u *utterance, now time.Time) {
	words := len(u.words)
	if !u.complete {
		words = max(words, reportedWords)
	}
	s.nextAt = u.began.Add(time.Duration(s.share * float64(words) * float64(s.c.n.Scaled(agentWord))))
	if s.nextAt.Before(now) {
		s.nextAt = now
	}
}

// start begins to play the first utterance of the queue.
func (s *session) start(now time.Time) {
	u := s.queue[0]
	u.began = now
	s.speaking("agentSpeaking", "on")
	s.schedule(now)
	if !s.talking && (s.next == nil || !s.next.deaf) {
		s.nextAt = time.Time{} // the recipient drops its planned words and listens
		text := ""
		if u.complete {
			text = strings.Join(u.words, " ")
		}
		if s.next, s.share = s.person.during(text); s.next != nil {
			s.actWithin(u, now)
		}
	}
}

// schedule sets when the next words will have been played.
func (s *session) schedule(now time.Time) {
	u := s.queue[0]
	s.agentAt = time.Time{}
	if u.reported < len(u.words) || u.complete {
		upTo := min(u.reported+reportedWords, len(u.words))
		at := u.began.Add(time.Duration(upTo) * s.c.n.Scaled(agentWord))
		if at.Before(now) { // the words arrived later than they could have been spoken
			u.began = now.Add(-time.Duration(u.reported) * s.c.n.Scaled(agentWord))
			at = u.began.Add(time.Duration(upTo) * s.c.n.Scaled(agentWord))
		}
		s.agentAt = at
	}
}

// played reports words, and continues with the next words or the next utterance.
func (s *session) played(now time.Time) {
	u := s.queue[0]
	s.tell(u, min(u.reported+reportedWords, len(u.words)))
	switch {
	case u.reported < len(u.words):
		s.schedule(u.began.Add(time.Duration(u.reported) * s.c.n.Scaled(agentWord)))
		return
	case !u.complete:
		u.paused, s.agentAt = true, time.Time{}
		s.speaking("agentSpeaking", "off")
		return
	}
	text := strings.Join(u.words, " ")
	s.book(Turn{Who: Agent, Text: text, Began: u.began})
	s.heard = append(s.heard, text)
	s.queue = s.queue[1:]
	s.agentAt = time.Time{}
	s.speaking("agentSpeaking", "off")
	switch {
	case len(s.queue) > 0:
		s.start(now)
	case !s.talking && (s.next == nil || !s.next.deaf):
		s.plan(s.person.silence(strings.Join(s.heard, " ")), now)
	}
}

// tell reports words as played, up to n words in total.
func (s *session) tell(u *utterance, n int) {
	if s.relay.tokensPlayed && n > u.reported {
		s.send(frame{Type: "info", Name: "tokensPlayed", Value: strings.Join(u.words[u.reported:n], " ")})
	}
	u.reported = n
}

// plan schedules the recipient's next action.
func (s *session) plan(a *act, now time.Time) {
	s.next, s.nextAt, s.share = a, time.Time{}, 0
	if a != nil {
		s.nextAt = now.Add(max(s.c.n.Scaled(a.after), a.atLeast))
	}
}

// begin starts the recipient's action, which was due at the time at. The agent is cut off at this
// time, however late the session is.
func (s *session) begin(at, now time.Time) {
	a := s.next
	s.share = 0
	switch {
	case a.drop:
		_ = s.conn.CloseNow()
		s.cutOff(at) // recorded only; the product gets no message
		s.verdict = &sessionEnd{status: "failed", code: "64105", message: "Websocket ended"}
	case a.hangUp:
		s.cutOff(at)
		s.bye()
		s.verdict = &sessionEnd{status: "completed", callOver: true}
	case a.digit != "":
		if s.interruptible().digits {
			s.bargeIn(at)
		}
		s.next = nil
		s.book(Turn{Who: Recipient, Digit: a.digit, Began: now})
		if s.relay.digits {
			s.send(frame{Type: "dtmf", Digit: a.digit})
		}
		s.heard = nil
		s.plan(s.person.after(), now)
	default:
		if s.interruptible().speech {
			s.bargeIn(at)
		}
		s.talking = true
		s.speaking("clientSpeaking", "on")
		s.saidFrom = now
		s.sayUntil = now.Add(time.Duration(len(strings.Fields(a.say)))*s.c.n.Scaled(recipientWord) +
			s.c.n.Scaled(s.relay.endOfTurn))
	}
}

// said sends the recipient's complete utterance to the product.
func (s *session) said(now time.Time) {
	a := s.next
	s.talking, s.sayUntil, s.next = false, time.Time{}, nil
	s.speaking("clientSpeaking", "off")
	if len(s.queue) == 0 || s.relay.report {
		s.person.did(a)
		s.book(Turn{Who: Recipient, Text: a.say, Began: s.saidFrom})
		s.send(frame{Type: "prompt", VoicePrompt: a.say, Lang: s.relay.heard, Last: new(true)})
	}
	s.heard = nil
	if len(s.queue) == 0 || len(s.person.parts) > 0 {
		s.plan(s.person.after(), now)
	}
}

// interruptible returns what interrupts the utterance that is being played.
func (s *session) interruptible() interruption {
	if len(s.queue) == 0 {
		return interruption{}
	}
	return s.queue[0].interruptible
}

// bargeIn cuts off the agent.
func (s *session) bargeIn(now time.Time) {
	u := s.queue[0]
	words := s.cut(now)
	s.queue, s.agentAt = nil, time.Time{}
	ms := s.c.n.Unscaled(now.Sub(u.began)).Milliseconds()
	var duration any = ms
	if s.number%2 == 1 && s.person.plan.habit == interrupts {
		duration = strconv.FormatInt(ms, 10) // the form of older documentation
	}
	s.send(frame{Type: "interrupt", Until: words, DurationUntil: duration})
}

// cut stops the current utterance, records the words that were played, and returns them.
func (s *session) cut(now time.Time) string {
	u := s.queue[0]
	s.queue, s.agentAt = s.queue[1:], time.Time{}
	n := int(now.Sub(u.began) / max(s.c.n.Scaled(agentWord), 1))
	n = min(max(n, u.reported), len(u.words))
	s.tell(u, n)
	words := strings.Join(u.words[:n], " ")
	if words != "" {
		s.book(Turn{Who: Agent, Text: words, Cut: true, Began: u.began})
		s.heard = append(s.heard, words)
	}
	if !u.paused {
		s.speaking("agentSpeaking", "off")
	}
	return words
}

// cutOff records the words that had been played when the session ended.
func (s *session) cutOff(at time.Time) {
	if len(s.queue) > 0 {
		s.cut(at)
		s.queue = nil
	}
}

// book records a turn.
func (s *session) book(t Turn) {
	t.Session, t.At = s.number, time.Now().UTC()
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.dial.Turns = append(s.c.dial.Turns, t)
}

// acknowledge marks the recipient's turns on this line, because the agent has spoken again or ended
// the session.
func (s *session) acknowledge(f frame) {
	if f.Type != "text" && f.Type != "end" {
		return
	}
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	turns := s.c.dial.Turns
	for i := len(turns) - 1; i >= 0 && turns[i].Session == s.number && !turns[i].Acknowledged; i-- {
		if turns[i].Who == Recipient {
			turns[i].Acknowledged = true
		}
	}
}

// trackOf is the track on which a speaker is heard, by the name of the speaker's events.
var trackOf = map[string]string{"agentSpeaking": "outbound", "clientSpeaking": "inbound"}

// speaking sends a speaker event if the relay requests speaker events.
func (s *session) speaking(who, value string) {
	s.c.n.Mu.Lock()
	if s.c.speaks == nil {
		s.c.speaks = map[string]bool{}
	}
	s.c.speaks[trackOf[who]] = value == "on"
	s.c.n.Mu.Unlock()
	if s.relay.speakerEvents {
		s.send(frame{Type: "info", Name: who, Value: value, Timestamp: time.Now().UnixMilli()})
	}
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

// bye closes the socket in order.
func (s *session) bye() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }

func hasWord(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}
