package sandbox

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

// Reasons why a call ends, as the cause of its context.
var (
	errHungUp    = errors.New("hung up by request")
	errTimeLimit = errors.New("time limit reached")
)

// call is one call in the network. Its fields belong to its goroutine. n.Mu guards the fields that
// the REST interface shows.
type call struct {
	n       *Network
	sid     string
	account string
	form    url.Values // of the dial request
	plan    plan
	person  *recipient
	out     outbox
	created time.Time

	ctx    context.Context // ends when the call is hung up from outside
	cancel context.CancelCauseFunc

	sequence int        // of status callbacks
	heldBack url.Values // a status callback to send out of order
	obeyed   []verb     // the last document
	early    bool       // the end was reported while another phone was still up

	// guarded by n.Mu
	dial       *Dial
	started    time.Time // when it began to ring
	answeredAt time.Time
	answeredBy string
	seconds    int // talk time in network time
	recording  *recording
	pausedAt   time.Time // since when the recording is silent; zero: it is not
	pauses     []pause
	speaks     map[string]bool // by the track of a stream
	streams    map[*stream]struct{}
}

// run runs the call from the dial request to its end.
func (c *call) run() {
	defer c.cancel(nil)
	if c.plan.vanishes {
		c.end("")
		return
	}
	c.report("initiated", nil)
	if !c.wait(400 * time.Millisecond) {
		c.finish("canceled")
		return
	}
	if c.plan.fails {
		c.finish("failed")
		return
	}
	if c.plan.busy {
		c.finish("busy")
		return
	}
	c.setStatus("ringing")
	c.report("ringing", nil)
	patience := seconds(c.form.Get("Timeout"), 60*time.Second)
	if c.plan.noAnswer || c.plan.ring > patience {
		if c.wait(patience) {
			c.finish("no-answer")
		} else {
			c.finish("canceled")
		}
		return
	}
	if !c.wait(c.plan.ring) {
		c.finish("canceled")
		return
	}
	c.setStatus("in-progress")
	c.report("in-progress", nil)
	// The limit is in real time, as the product measures it. At high speeds, a call on a busy
	// machine would otherwise end in the middle.
	limit := time.AfterFunc(seconds(c.form.Get("TimeLimit"), 4*time.Hour), func() { c.cancel(errTimeLimit) })
	defer limit.Stop()
	c.detect()
	c.follow()
	if !c.early {
		c.finish("completed")
	}
}

// wait waits for network time. It returns false if the call is hung up meanwhile.
func (c *call) wait(d time.Duration) bool { return loop.Sleep(c.ctx, c.n.Scaled(d)) }

func (c *call) setStatus(status string) {
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	c.dial.Status = status
	switch status {
	case "ringing":
		c.started = time.Now()
	case "in-progress":
		c.answeredAt = time.Now()
	}
}

// follow carries out TwiML until the call is over.
func (c *call) follow() {
	if c.plan.trouble.unreachable {
		c.wait(unreachableTime)
		return
	}
	c.followFrom(c.form.Get("Url"), c.basics("in-progress"))
}

// followFrom carries out the TwiML of an address, and what follows it.
func (c *call) followFrom(address string, form url.Values) {
	for {
		document, err := c.insist(c.ctx, address, form)
		if err != nil {
			if c.ctx.Err() == nil {
				c.n.Log.Warn("sandbox: no instructions for an answered call", "call", c.sid, "error", err)
			}
			return
		}
		verbs, err := parseTwiML(document)
		if err != nil {
			c.n.Log.Error("sandbox: instructions cannot be followed", "call", c.sid, "error", err)
			return
		}
		address, form = c.obey(verbs)
		if address == "" {
			return
		}
	}
}

// obey carries out one document. It returns the address of the next document, or "" at the end of
// the call.
func (c *call) obey(verbs []verb) (address string, form url.Values) {
	c.obeyed = verbs
	for _, v := range verbs {
		switch v.name {
		case "Hangup":
			return "", nil
		case "Pause":
			if !c.wait(v.length) {
				return "", nil
			}
		case "Redirect":
			return v.action, c.basics("in-progress")
		case "Say":
			if !c.say(v.text) {
				return "", nil
			}
		case "Dial":
			form, over := c.dialOut(v.dial)
			if over {
				if !c.early {
					c.notify(v.action, form)
				}
				return "", nil
			}
			if v.action != "" {
				return v.action, form
			}
		case "Connect":
			end := c.converse(v.relay)
			form := c.basics("in-progress")
			form.Set("SessionId", end.id)
			form.Set("SessionStatus", end.status)
			form.Set("SessionDuration", strconv.Itoa(int(c.n.Unscaled(end.lasted).Seconds())))
			if end.code != "" {
				form.Set("ErrorCode", end.code)
				form.Set("ErrorMessage", end.message)
			}
			if end.handoff != "" {
				form.Set("HandoffData", end.handoff)
			}
			if end.callOver {
				form.Set("CallStatus", "completed")
				c.notify(v.action, form)
				return "", nil
			}
			if v.action != "" {
				return v.action, form
			}
		}
	}
	return "", nil
}

// finishEarly reports the end of the call, and of the dial in it, while the other phone is still up.
func (c *call) finishEarly(form url.Values) {
	c.early = true
	c.finish("completed")
	for _, v := range c.obeyed {
		if v.name == "Dial" {
			_, _ = c.insist(c.n.Ctx, v.action, form)
		}
	}
}

// finish reports the end of the call.
func (c *call) finish(status string) {
	if c.n.Ctx.Err() != nil {
		status = "" // the network itself has ended, so nothing is reported
	}
	c.end(status)
	if status == "" {
		return
	}
	c.n.Mu.Lock()
	extra := url.Values{}
	if c.answeredBy != "" {
		extra.Set("AnsweredBy", c.answeredBy)
	}
	if status == "completed" {
		extra.Set("CallDuration", strconv.Itoa(c.seconds))
		extra.Set("Duration", strconv.Itoa((c.seconds+59)/60))
	}
	c.n.Mu.Unlock()
	sip := map[string]string{"busy": "486", "no-answer": "487", "canceled": "487", "failed": "404"}
	if code := sip[status]; code != "" {
		extra.Set("SipResponseCode", code)
	}
	if status == "failed" { // Twilio sends no ErrorMessage with this code
		extra.Set("ErrorCode", "32011")
	}
	recorded := status == "completed" && c.form.Get("Record") == "true"
	if recorded && c.plan.shuffles { // the recording is reported before the end, and again after it
		c.record()
	}
	c.report(status, extra)
	if recorded && c.develop() {
		c.record()
	}
}

// end records the end of the call.
func (c *call) end(status string) {
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	now := time.Now().UTC()
	if status != "" {
		c.dial.Status = status
	}
	if !c.answeredAt.IsZero() {
		c.seconds = int(c.n.Unscaled(now.Sub(c.answeredAt)).Seconds() + 0.999)
	}
	c.dial.EndedAt = &now
	c.n.Counts.Live--
	c.n.Announce()
}

func seconds(s string, otherwise time.Duration) time.Duration {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return otherwise
	}
	return time.Duration(n) * time.Second
}
