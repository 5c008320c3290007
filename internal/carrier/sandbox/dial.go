package sandbox

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/simulation"
)

// This file simulates the people at the other phone of a <Dial>. Their number decides what they do.

// dialing is <Dial>.
type dialing struct {
	to            string // E.164, or a SIP address
	url           string // instructions for the person who answers, before the two are connected; empty: none
	from          string
	ringTime      time.Duration
	limit         time.Duration // of the conversation, in real time
	ringing       bool          // the caller hears ringing until the two are connected
	record        bool
	recordingHook string
}

// human is what a person at the other phone does.
type human struct {
	busy, away, unknown bool
	keys                []string      // pressed, one for each time that a key is waited for; "": none in time
	leaves              bool          // hangs up while being told who is calling
	talks               time.Duration // until they hang up
}

// humans are the people by the digits of the reserved block that choose them. Everybody else takes the call. The pages
// at /docs and the README list this table.
var humans = []struct {
	digits, text string
	human        human
}{
	{"70", "takes a transferred call with 1, and hangs up after a few sentences", human{keys: []string{"1"}}},
	{"71", "declines a transferred call with 2", human{keys: []string{"2"}}},
	{"72", "does not answer a transferred call", human{away: true}},
	{"73", "is busy when a call is transferred", human{busy: true}},
	{"74", "answers a transferred call and hangs up before pressing a key", human{leaves: true}},
	{"75", "presses the wrong key when a call is transferred, and then none", human{keys: []string{"5", "", ""}}},
	{"76", "presses the wrong key when a call is transferred, and then 1", human{keys: []string{"5", "1"}}},
	{"77", "answers a transferred call and presses no key", human{keys: []string{"", "", ""}}},
	{"78", "is a number that a call cannot be transferred to", human{unknown: true}},
	{"79", "takes a transferred call with 1, and the key is reported twice", human{keys: []string{"1"}}},
}

// Humans lists what a destination's number chooses about the person there.
func Humans() (all []simulation.Outcome) {
	for _, h := range humans {
		all = append(all, simulation.Outcome{Digits: h.digits, Text: h.text})
	}
	return all
}

// sipNumber is a number as the user of a SIP address.
var sipNumber = regexp.MustCompile(`^sips?:(\+?[0-9]+)@`)

func humanAt(to string) (h human, digits string) {
	if m := sipNumber.FindStringSubmatch(to); m != nil {
		to = "+" + strings.TrimPrefix(m[1], "+")
	}
	h = human{keys: []string{"1"}}
	m := magic.FindStringSubmatch(to)
	for _, one := range humans {
		if m != nil && one.digits == m[1] {
			h, digits = one.human, one.digits
		}
	}
	if h.talks == 0 {
		h.talks = 8 * time.Second
	}
	return h, digits
}

// Transfer is the record of one dial during a call.
type Transfer struct {
	CallSID   string   `json:"call_sid"`
	To        string   `json:"to"`
	From      string   `json:"from"`
	Heard     []string `json:"heard"`     // what the person heard before they were connected
	Keys      []string `json:"keys"`      // that they pressed
	Connected bool     `json:"connected"` // the two talked
	// Alone is set when the person was connected after the caller had hung up.
	Alone   bool       `json:"alone,omitempty"`
	Ringing bool       `json:"ringing"` // the caller heard ringing, and no silence
	Status  string     `json:"status"`  // DialCallStatus; empty while it lasts
	Began   time.Time  `json:"began"`
	EndedAt *time.Time `json:"ended_at"`
}

// leg is the call to the other phone.
type leg struct {
	c      *call
	d      dialing
	human  human
	digits string
	sid    string
	keys   []string
	note   func(change func(*Transfer)) // changes the record

	// guarded by n.Mu
	answeredAt, endedAt time.Time
}

// dialOut carries out <Dial>. It returns the form of the action callback, and whether the call is over.
func (c *call) dialOut(d dialing) (form url.Values, over bool) {
	l := &leg{c: c, d: d, sid: "CA" + strings.ReplaceAll(uuid.NewString(), "-", "")}
	l.human, l.digits = humanAt(d.to)
	l.keys = slices.Clone(l.human.keys)
	c.n.Mu.Lock()
	c.dial.Transfers = append(c.dial.Transfers, Transfer{
		CallSID: l.sid, To: d.to, From: d.from, Heard: []string{}, Keys: []string{}, Ringing: d.ringing,
		Began: time.Now().UTC(),
	})
	c.n.legs[l.sid] = l
	at := len(c.dial.Transfers) - 1
	c.n.Announce()
	c.n.Mu.Unlock()
	l.note = func(change func(*Transfer)) {
		c.n.Mu.Lock()
		defer c.n.Mu.Unlock()
		change(&c.dial.Transfers[at])
		c.n.Announce()
	}
	began := time.Now()
	status, connected, over := l.run()
	c.n.Mu.Lock()
	now := time.Now().UTC()
	c.dial.Transfers[at].Status, c.dial.Transfers[at].EndedAt = status, &now
	l.endedAt = now
	c.n.Announce()
	c.n.Mu.Unlock()
	form = c.basics("in-progress")
	form.Set("DialCallStatus", status)
	form.Set("DialCallSid", l.sid)
	form.Set("DialBridged", strconv.FormatBool(connected))
	if status == "completed" {
		form.Set("DialCallDuration", strconv.Itoa(int(c.n.Unscaled(time.Since(began)).Seconds())))
	}
	if over {
		form.Set("CallStatus", "completed")
	}
	return form, over
}

// run runs the other phone.
func (l *leg) run() (status string, connected, over bool) {
	c := l.c
	switch {
	case !c.wait(400 * time.Millisecond):
		return "canceled", false, true
	case l.human.unknown:
		return "failed", false, false
	case l.human.busy:
		return "busy", false, false
	case l.human.away:
		if !c.wait(l.d.ringTime) {
			return "canceled", false, true
		}
		return "no-answer", false, false
	case !c.wait(2 * time.Second):
		return "canceled", false, true
	}
	c.n.Mu.Lock()
	l.answeredAt = time.Now()
	c.n.Mu.Unlock()
	switch l.listen() {
	case callerGone:
		return "canceled", false, true
	case personGone:
		return "completed", false, false
	}
	l.note(func(t *Transfer) { t.Connected = true })
	return "completed", true, !l.talk()
}

// reached is how the whisper ended.
type reached uint8

const (
	joined     reached = iota
	personGone         // hung up, or was hung up on
	callerGone
)

// listen follows the instructions for the person who answered.
func (l *leg) listen() reached {
	c := l.c
	address, form := l.d.url, l.basics("")
	for address != "" {
		document, err := c.insist(c.ctx, address, form)
		if c.ctx.Err() != nil {
			return callerGone
		}
		if err != nil {
			c.n.Log.Warn("sandbox: no instructions for the other phone", "call", c.sid, "error", err)
			return personGone
		}
		verbs, err := parseTwiML(document)
		if err != nil {
			c.n.Log.Error("sandbox: instructions for the other phone cannot be followed", "call", c.sid, "error", err)
			return personGone
		}
		if len(verbs) == 0 {
			break
		}
		var end *reached
		if address, form, end = l.obey(verbs); end != nil {
			return *end
		}
	}
	return joined
}

// obey carries out a document on the other phone.
func (l *leg) obey(verbs []verb) (address string, form url.Values, end *reached) {
	c := l.c
	for _, v := range verbs {
		switch v.name {
		case "Say":
			if !l.hears(v.text) {
				return "", nil, new(callerGone)
			}
		case "Hangup":
			return "", nil, new(personGone)
		case "Gather":
			half := !l.hears(v.text)
			switch {
			case half:
				return "", nil, new(callerGone)
			case l.human.leaves:
				return "", nil, new(personGone)
			case c.person.plan.habit == wantsHumanBriefly:
				l.pressLate(v.action)
				return "", nil, new(callerGone)
			}
			key := ""
			if len(l.keys) > 0 {
				key, l.keys = l.keys[0], l.keys[1:]
			}
			pause := 700 * time.Millisecond
			if key == "" {
				pause = v.length
			} else {
				l.note(func(t *Transfer) { t.Keys = append(t.Keys, key) })
			}
			if !c.wait(pause) {
				return "", nil, new(callerGone)
			}
			form := l.basics(key)
			if l.digits == "79" { // the first report is slow, so Twilio repeats it
				_, _ = c.insist(c.ctx, v.action, form)
			}
			return v.action, form, nil
		default:
			c.n.Log.Error("sandbox: verb on the other phone", "call", c.sid, "verb", v.name)
			return "", nil, new(personGone)
		}
	}
	return "", nil, nil
}

// hears plays words to the person.
func (l *leg) hears(text string) bool {
	l.note(func(t *Transfer) { t.Heard = append(t.Heard, text) })
	return l.c.wait(time.Duration(len(strings.Fields(text))) * agentWord)
}

// pressLate presses 1 when the caller has hung up already. Whatever the answer is, the phone hears its words.
func (l *leg) pressLate(action string) {
	c := l.c
	gone := c.basics("completed")
	gone.Set("DialCallStatus", "canceled")
	gone.Set("DialBridged", "false")
	c.finishEarly(gone)
	l.note(func(t *Transfer) { t.Keys = append(t.Keys, "1") })
	document, err := c.insist(c.n.Ctx, action, l.basics("1"))
	if err != nil {
		return
	}
	verbs, err := parseTwiML(document)
	if err != nil {
		c.n.Log.Error("sandbox: instructions for the other phone cannot be followed", "call", c.sid, "error", err)
		return
	}
	alone := true
	for _, v := range verbs {
		switch v.name {
		case "Say":
			l.note(func(t *Transfer) { t.Heard = append(t.Heard, v.text) })
		case "Hangup":
			alone = false
		}
	}
	l.note(func(t *Transfer) { t.Alone = alone })
}

// resource returns the call to the other phone as the REST interface shows it.
func (l *leg) resource() map[string]any {
	n := l.c.n
	n.Mu.Lock()
	defer n.Mu.Unlock()
	res := map[string]any{
		"sid": l.sid, "parent_call_sid": l.c.sid, "account_sid": l.c.account, "api_version": "2010-04-01",
		"to": l.d.to, "from": l.d.from, "direction": "outbound-dial", "status": "ringing", "duration": nil,
		"price": nil, "price_unit": Currency,
	}
	if !l.answeredAt.IsZero() {
		res["status"] = "in-progress"
	}
	if !l.endedAt.IsZero() {
		seconds := 0
		if res["status"] = "no-answer"; !l.answeredAt.IsZero() {
			res["status"] = "completed"
			seconds = int(math.Ceil(n.Unscaled(l.endedAt.Sub(l.answeredAt)).Seconds()))
			res["price"] = l.c.plan.priced(legMinute*minutes(seconds), n.ageLocked(l.endedAt))
		}
		res["duration"] = strconv.Itoa(seconds)
	}
	return res
}

// talk lets the two talk. It returns false when the recipient hangs up first, or the call is ended.
func (l *leg) talk() bool {
	c := l.c
	if l.d.record {
		c.recordFrom(l.d.recordingHook)
	}
	ctx, cancel := context.WithTimeout(c.ctx, l.d.limit)
	defer cancel()
	sentences := []struct{ who, text string }{
		{Person, "Hello, how can I help you?"},
		{Recipient, "Hi. Thanks for taking the call."},
		{Person, "You're welcome. That's all sorted out now."},
	}
	for _, s := range sentences {
		began := time.Now()
		whole := loop.Sleep(ctx, c.n.Scaled(l.human.talks/time.Duration(len(sentences))))
		c.n.Mu.Lock()
		c.dial.Turns = append(c.dial.Turns, Turn{
			Session: c.dial.Sessions, Who: s.who, Text: s.text, Cut: !whole, Began: began, At: time.Now().UTC(),
		})
		c.n.Mu.Unlock()
		switch {
		case c.ctx.Err() != nil:
			return false
		case !whole:
			return true // the limit of the dial
		case s.who == Recipient && c.person.plan.habit == wantsHumanShortly:
			return false
		}
	}
	return true
}

// basics returns the form of a callback about the other phone.
func (l *leg) basics(key string) url.Values {
	form := l.c.basics("in-progress")
	form.Set("ParentCallSid", l.c.sid)
	form.Set("CallSid", l.sid)
	form.Set("Direction", "outbound-dial")
	form.Set("To", l.d.to)
	form.Set("Called", l.d.to)
	if key != "" {
		form.Set("Digits", key)
		form.Set("FinishedOnKey", "")
	}
	return form
}

// changeRecording pauses and continues the recording of a call.
func (n *Network) changeRecording(w http.ResponseWriter, r *http.Request) {
	c := n.find(w, r)
	if c == nil {
		return
	}
	status := r.FormValue("Status")
	n.Mu.Lock()
	defer n.Mu.Unlock()
	if r.PathValue("recording") != "Twilio.CURRENT.json" || c.dial.EndedAt != nil || c.form.Get("Record") != "true" {
		refuse(w, http.StatusNotFound, 20404, "The requested resource was not found")
		return
	}
	switch status {
	case "paused":
		if c.pausedAt.IsZero() {
			c.pausedAt = time.Now()
		}
	case "in-progress":
		c.endPause()
	default:
		refuse(w, http.StatusBadRequest, 20001, "Status must be paused, stopped or in-progress")
		return
	}
	simulation.JSON(w, http.StatusOK, map[string]any{"sid": "RE" + strings.TrimPrefix(c.sid, "CA"), "status": status})
}

// endPause ends the pause of a recording. The caller holds n.Mu.
func (c *call) endPause() {
	if !c.pausedAt.IsZero() {
		c.pauses = append(c.pauses, pause{c.pausedAt, time.Now()})
		c.pausedAt = time.Time{}
	}
}

// pause is a silent part of a recording.
type pause struct{ from, to time.Time }

// recordFrom records a call from now on.
func (c *call) recordFrom(hook string) {
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	c.form.Set("Record", "true")
	c.form.Set("RecordingStatusCallback", hook)
	c.pauses = append(c.pauses, pause{time.Time{}, time.Now()})
}

// silenced reports whether a turn is not in the recording. The caller holds n.Mu.
func (c *call) silenced(t Turn) bool {
	return slices.ContainsFunc(c.pauses, func(p pause) bool { return t.Began.Before(p.to) && p.from.Before(t.At) })
}
