package twilio

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

const (
	// settleTime is how long the line waits for the other reports on an utterance after the first
	// report of its end.
	settleTime = time.Second
	// writeTime is the deadline of one frame.
	writeTime = 10 * time.Second
	// resumeTime is how long the speech engine may take to go on after a pause for more text.
	resumeTime = 3 * time.Second
	// partTime is how long the relay may take to close after the frame "end".
	partTime = 3 * time.Second
	// maxRefusals is how many error frames end a line.
	maxRefusals = 2
)

// line is a carrier.Line over one ConversationRelay session.
//
// The line sends the relay one utterance at a time, and the next utterance when the last utterance
// was played. So an interruption or a report always belongs to a known utterance. Queued utterances
// can be dropped, although the protocol has no message for this.
//
// A streamed utterance is sent in tokens as its text comes. The relay adds all tokens to the same
// utterance until the one that is marked as the last. A token without words can't be relied on to be
// that one, so the last word is held back until the text is complete.
type line struct {
	conn   *websocket.Conn
	sid    string
	manner carrier.Manner
	voices map[string]voice // by language
	now    func() time.Time
	log    *slog.Logger // names the call

	mu       sync.Mutex
	heard    []carrier.Heard
	woken    chan struct{} // has one element after heard has grown
	ended    bool          // heard contains Closed, and nothing follows
	reason   carrier.CloseReason
	detail   string
	number   int          // of the last utterance
	queue    []*utterance // not sent to the relay yet
	dropped  []*utterance // were queued behind current, which is reported first
	current  *utterance   // sent to the relay
	previous *utterance   // was cut off by its successor; late reports may refer to it
	timer    *time.Timer  // ends current if no reports arrive
	timing   uint64       // counts the settings of timer, so that a late firing is ignored
	voice    voice        // of new utterances
	speaks   string       // the locale in which the relay speaks
	reports  bool         // the relay reports playing on this line
	refusals int          // error frames
	stray    int          // error frames that may follow about an utterance that was refused

	speakingSince, speakingUntil time.Time // the recipient's current speech, as reported

	done chan struct{} // closed when the socket is closed
}

func newLine(
	conn *websocket.Conn, sid string, manner carrier.Manner, now func() time.Time, log *slog.Logger,
) *line {
	voices := voicesOf(manner)
	own := voices[manner.Language]
	return &line{
		conn: conn, sid: sid, manner: manner, voices: voices, voice: own, speaks: own.locale, now: now, log: log,
		woken: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

func (l *line) CarrierCallID() string { return l.sid }

func (l *line) Next(ctx context.Context) (carrier.Heard, error) {
	for {
		l.mu.Lock()
		if len(l.heard) > 0 {
			h := l.heard[0]
			l.heard = l.heard[1:]
			l.mu.Unlock()
			return h, nil
		}
		ended := l.ended
		l.mu.Unlock()
		if ended {
			return nil, io.EOF
		}
		select {
		case <-l.woken:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *line) Say(_ context.Context, text string, opt carrier.SayOptions) (int, error) {
	u := l.utter(opt)
	u.voice.extend(u, text, true)
	return l.add(u)
}

// utter makes an utterance in the language of the line.
func (l *line) utter(opt carrier.SayOptions) *utterance {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &utterance{SayOptions: opt, voice: l.voice}
}

// Language changes the recognition at once. The speech changes with the next utterance, because those before
// it are in the language before.
func (l *line) Language(_ context.Context, tag string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return io.ErrClosedPipe
	}
	v, ok := l.voices[tag]
	if !ok {
		v = newVoice(tag, l.manner.Speech.With(speech.Engines{}))
	}
	l.voice = v
	f := frame{Type: "language", TranscriptionLanguage: tag}
	if l.current == nil && len(l.queue) == 0 {
		f.TTSLanguage, l.speaks = v.locale, v.locale
	}
	l.send(f)
	return nil
}

func (l *line) Stream(_ context.Context, opt carrier.SayOptions) (int, carrier.Speech, error) {
	u := l.utter(opt)
	n, err := l.add(u)
	if err != nil {
		return 0, nil, err
	}
	return n, stream{l, u}, nil
}

// add queues an utterance.
func (l *line) add(u *utterance) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, io.ErrClosedPipe
	}
	l.number++
	u.number = l.number
	l.queue = append(l.queue, u)
	l.pump()
	return u.number, nil
}

func (l *line) Press(_ context.Context, digits string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return io.ErrClosedPipe
	}
	l.send(frame{Type: "sendDigits", Digits: digits})
	return nil
}

func (l *line) Flush(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return io.ErrClosedPipe
	}
	for _, u := range l.queue {
		u.over = true
	}
	l.dropped, l.queue = append(l.dropped, l.queue...), nil
	switch u := l.current; {
	case u == nil:
		l.tellDropped()
	case u.tokens == 0:
		l.finish(carrier.CutFlushed, "", true)
	default:
		u.flushed = true
		l.extend(u, "", true)
	}
	return nil
}

func (l *line) Hangup(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil
	}
	if l.reason == "" {
		l.reason = carrier.CloseHangup
	}
	l.send(frame{Type: "end"})
	time.AfterFunc(partTime, func() { _ = l.conn.CloseNow() })
	return nil
}

func (l *line) Transfer(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return io.ErrClosedPipe
	}
	if l.reason != "" {
		return nil
	}
	l.reason = carrier.CloseTransfer
	l.send(frame{Type: "end", HandoffData: transferHandoff})
	time.AfterFunc(partTime, func() { _ = l.conn.CloseNow() })
	return nil
}

// shut closes the socket without ending the call.
func (l *line) shut(reason carrier.CloseReason, detail string) {
	l.mu.Lock()
	if l.reason == "" {
		l.reason, l.detail = reason, detail
	}
	l.mu.Unlock()
	// With 1001, "going away", the relay reports 64105.
	_ = l.conn.Close(websocket.StatusGoingAway, "")
}

// listen reads the socket until it is closed. It is the only reader.
func (l *line) listen(ctx context.Context) {
	defer close(l.done)
	for {
		_, data, err := l.conn.Read(ctx)
		if err != nil {
			l.end(err)
			return
		}
		var f frame
		if err := json.Unmarshal(data, &f); err != nil {
			continue // unknown frames are ignored
		}
		l.mu.Lock()
		l.take(f)
		l.mu.Unlock()
	}
}

// take applies one frame. The caller holds l.mu.
func (l *line) take(f frame) {
	switch f.Type {
	case "prompt":
		if f.Last != nil && !*f.Last {
			return // a part; the whole prompt follows
		}
		p := carrier.Prompt{
			Text: f.VoicePrompt, Language: f.Lang, Start: l.speakingSince, End: l.speakingUntil, At: l.now(),
		}
		l.speakingSince, l.speakingUntil = time.Time{}, time.Time{}
		if u := l.current; !l.reports && u != nil && u.complete && !u.Uninterruptible && l.voice.bySpeech {
			// The relay reports no playing on this line, but speech would have interrupted the
			// utterance. So the recipient heard the utterance.
			l.finish(carrier.CutNot, u.Written, false)
		}
		l.tell(p)
		l.pump()
	case "dtmf":
		if f.Digit != "" {
			l.tell(carrier.Digit{Digit: f.Digit})
		}
	case "interrupt":
		l.interrupted(f.UtteranceUntilInterrupt)
	case "info":
		l.info(f.Name, f.value())
	case "error":
		l.refused(f.Description)
	}
}

// refused handles an error frame: the relay did not accept a message. The current utterance
// was not spoken, unless the relay reported that it is being played. After maxRefusals the
// line ends the session, because the recipient hears only silence. The action callback then
// reports the failure. The caller holds l.mu.
func (l *line) refused(description string) {
	f := refusedMessage(description)
	l.log.Warn("twilio refused a message on a line", "code", f.code, "detail", f.detail)
	if l.reason != "" {
		return
	}
	if l.stray > 0 {
		l.stray--
		return
	}
	if u := l.current; u != nil && u.tokens > 0 && u.began.IsZero() && u.played == 0 {
		if u.tokens > 1 { // the relay may have accepted the others, and wait for more
			l.extend(u, "", true)
		}
		l.stray = u.tokens - 1
		l.finish(carrier.CutRefused, "", true)
	}
	if l.refusals++; l.refusals < maxRefusals {
		l.pump()
		return
	}
	l.reason, l.detail = carrier.CloseFailed, f.String()
	l.send(frame{Type: "end", HandoffData: f.handoff()})
	time.AfterFunc(partTime, func() { _ = l.conn.CloseNow() })
}

func (l *line) info(name, value string) {
	switch {
	case name == "clientSpeaking" && value == "on":
		l.speakingSince, l.speakingUntil = l.now(), time.Time{}
	case name == "clientSpeaking" && value == "off":
		l.speakingUntil = l.now()
	case l.current == nil || l.current.tokens == 0:
	case name == "agentSpeaking" && value == "on":
		l.reports, l.stray = true, 0
		if l.current.began.IsZero() {
			l.current.began = l.now()
		}
		l.current.ended = time.Time{}
		if l.current.complete {
			l.setTimer(slowest(l.current.Spoken))
		}
	case name == "agentSpeaking" && value == "off" && !l.current.began.IsZero():
		l.current.ended = l.now()
		l.settle()
	case name == "tokensPlayed":
		if l.current.heard(value) {
			l.reports, l.stray = true, 0
			l.settle()
		}
	}
}

// settle ends the current utterance when its text is complete and both reports say that it is over.
// After one report, it waits settleTime for the other report, because the speech engine may pause
// between sentences or spell words differently. A silence may also be the pause before the last
// words.
func (l *line) settle() {
	u := l.current
	if !u.complete {
		return
	}
	switch whole, silent := u.whole(), !u.ended.IsZero(); {
	case whole && silent:
		l.finish(carrier.CutNot, u.Written, true)
		l.pump()
	case whole:
		l.setTimer(settleTime)
	case silent:
		l.setTimer(u.lull())
	}
}

// interrupted ends the current utterance where the recipient interrupted it, and drops the queued
// utterances.
func (l *line) interrupted(until string) {
	u := l.current
	if u == nil || u.tokens == 0 {
		return
	}
	n, begins := u.beginning(until)
	if l.previous != nil && until != "" && !begins {
		if _, late := l.previous.beginning(until); late {
			return // about the previous utterance, which was cut off
		}
	}
	text := u.UpTo(max(n, u.played))
	if until != "" && !begins { // the engine spells words differently
		text = u.voice.words.Restore(unescaped.Replace(until))
	}
	if u.ended.IsZero() && !u.began.IsZero() {
		u.ended = l.now()
	}
	l.finish(carrier.CutRecipient, text, true)
	l.dropQueue(carrier.CutRecipient)
}

// finish reports how much of the current utterance was played. The caller holds l.mu.
func (l *line) finish(cut carrier.Cut, text string, confirmed bool) {
	u := l.current
	l.current, u.over = nil, true
	l.stopTimer()
	l.tell(carrier.Spoken{
		Utterance: u.number, Text: text, Cut: cut, Confirmed: confirmed, Start: u.began, End: u.ended,
	})
	l.tellDropped()
}

func (l *line) tellDropped() {
	for _, u := range l.dropped {
		l.tell(carrier.Spoken{Utterance: u.number, Cut: carrier.CutFlushed, Confirmed: true})
	}
	l.dropped = nil
}

func (l *line) dropQueue(cut carrier.Cut) {
	for _, u := range l.queue {
		u.over = true
		l.tell(carrier.Spoken{Utterance: u.number, Cut: cut, Confirmed: true})
	}
	l.queue = nil
}

// pump sends the next utterance to the relay when the current utterance is over or must be cut off.
// The caller holds l.mu.
func (l *line) pump() {
	for len(l.queue) > 0 && l.reason != carrier.CloseFailed {
		next := l.queue[0]
		if u := l.current; u != nil {
			if !u.flushed || next.sound == "" { // only words cut it off
				return
			}
			l.previous = u
			l.finish(carrier.CutFlushed, u.part(), l.reports)
		}
		l.current, l.queue = next, l.queue[1:]
		l.forward()
	}
}

// extend adds to the text of an utterance, and sends what can be sent of it. The caller holds l.mu.
func (l *line) extend(u *utterance, text string, complete bool) {
	if u.over || u.complete {
		return
	}
	u.voice.extend(u, text, complete)
	if u == l.current {
		l.forward()
	}
	l.pump()
}

// forward sends the relay what it does not have yet of the current utterance. An utterance that is
// complete without a word ends at once, because the relay refuses an empty token.
func (l *line) forward() {
	u := l.current
	token := u.Spoken[u.sent:]
	switch {
	case l.reason == carrier.CloseFailed:
		return
	case u.complete && u.sound == "":
		l.finish(carrier.CutNot, u.Written, true)
		return
	case token == "":
		return
	}
	if u.tokens == 0 && u.voice.locale != l.speaks {
		l.speaks = u.voice.locale
		l.send(frame{Type: "language", TTSLanguage: l.speaks})
	}
	f := frame{Type: "text", Token: u.voice.token(token), Last: &u.complete, Lang: u.Language}
	if u.Uninterruptible {
		f.Interruptible = new(false)
	}
	if !u.began.IsZero() {
		u.resumed, u.ended = l.now(), time.Time{}
	}
	u.sent, u.tokens = len(u.Spoken), u.tokens+1
	l.send(f)
	if u.complete {
		l.setTimer(slowest(u.Spoken))
	}
}

// send writes a frame. It ignores a failure, because the reader gets the failure too.
func (l *line) send(f frame) {
	data, err := json.Marshal(f)
	if err != nil {
		panic("twilio: frame cannot be encoded: " + err.Error()) // only fixed types
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	_ = l.conn.Write(ctx, websocket.MessageText, data)
}

func (l *line) setTimer(d time.Duration) {
	l.stopTimer()
	timing := l.timing
	l.timer = time.AfterFunc(d, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.timing != timing || l.current == nil {
			return
		}
		// No interruption came, so the utterance was played to the end. The end is confirmed if the
		// relay reported it, and otherwise inferred.
		l.finish(carrier.CutNot, l.current.Written, !l.current.ended.IsZero() || l.current.whole())
		l.pump()
	})
}

func (l *line) stopTimer() {
	l.timing++
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

// tell appends to heard. The caller holds l.mu.
func (l *line) tell(h carrier.Heard) {
	if l.ended {
		return
	}
	l.heard = append(l.heard, h)
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

// end reports every utterance and closes the line.
func (l *line) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != nil {
		l.finish(carrier.CutClosed, l.current.part(), l.reports || l.current.tokens == 0)
	}
	l.dropQueue(carrier.CutClosed)
	reason, detail := l.reason, l.detail
	if reason == "" {
		reason, detail = carrier.CloseLost, err.Error()
		if status := websocket.CloseStatus(err); status == websocket.StatusNormalClosure {
			reason, detail = carrier.CloseRemote, ""
		} else if errors.Is(err, io.EOF) || status != -1 {
			detail = "the relay closed the socket"
		}
	}
	l.tell(carrier.Closed{Reason: reason, Detail: detail})
	l.ended = true
	l.stopTimer()
}
