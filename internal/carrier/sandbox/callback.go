package sandbox

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio's signature is HMAC-SHA1
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// lineTime is the time limit for opening a line, and for sending a frame.
const lineTime = 15 * time.Second

// sign returns X-Twilio-Signature. The product has separate code for the signature, because a
// mistake in shared code would go unnoticed.
func sign(token, address string, form url.Values) string {
	text := address
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(form[name]))) {
			text += name + value
		}
	}
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// sign signs a callback with the primary auth token of the call's account.
func (c *call) sign(address string, form url.Values) string {
	c.n.Mu.Lock()
	token := c.n.credentialsOf(c.account).primary
	c.n.Mu.Unlock()
	return sign(token, address, form)
}

// withoutFragment cuts off connection overrides, which are neither sent nor signed.
func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// post makes one attempt at a callback. An answer of 4xx is final.
func (c *call) post(ctx context.Context, address string, form url.Values) (answer []byte, again bool, err error) {
	answer, status, err := c.n.Post(ctx, address, form.Encode(), http.Header{
		"Content-Type":       {"application/x-www-form-urlencoded; charset=UTF-8"},
		"User-Agent":         {"TwilioProxy/1.1"},
		"X-Twilio-Signature": {c.sign(address, form)},
	})
	return answer, ctx.Err() == nil && (status < 300 || status >= 500), err
}

// insist posts until the callback is answered, ctx ends, or the time for attempts is over.
func (c *call) insist(ctx context.Context, address string, form url.Values) (answer []byte, err error) {
	address = withoutFragment(address)
	err = c.n.Insist(ctx, func() (again bool, err error) {
		answer, again, err = c.post(ctx, address, form)
		return again, err
	})
	return answer, err
}

// outbox posts the callbacks of a call in order. A failed callback is repeated concurrently, so
// that it does not delay the other callbacks.
type outbox struct {
	mu      sync.Mutex
	waiting []notice
	running bool
}

type notice struct {
	address string
	form    url.Values
}

func (c *call) notify(address string, form url.Values) {
	if address == "" || c.plan.trouble.unreachable {
		return
	}
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.waiting = append(c.out.waiting, notice{withoutFragment(address), form})
	if !c.out.running {
		c.out.running = c.n.Start(c.drain)
	}
}

func (c *call) drain() {
	for {
		c.out.mu.Lock()
		if len(c.out.waiting) == 0 {
			c.out.running = false
			c.out.mu.Unlock()
			return
		}
		next := c.out.waiting[0]
		c.out.waiting = c.out.waiting[1:]
		c.out.mu.Unlock()

		if _, again, err := c.post(c.n.Ctx, next.address, next.form); err != nil && again {
			c.n.Start(func() {
				if _, err := c.insist(c.n.Ctx, next.address, next.form); err != nil && c.n.Ctx.Err() == nil {
					c.n.Log.Warn("sandbox: callback was not taken", "call", c.sid,
						"status", next.form.Get("CallStatus"), "error", err)
				}
			})
		}
	}
}

// basics returns the fields that every callback has.
func (c *call) basics(status string) url.Values {
	return url.Values{
		"CallSid":    {c.sid},
		"AccountSid": {c.account},
		"ApiVersion": {"2010-04-01"},
		"Direction":  {c.direction()},
		"From":       {c.dial.From},
		"Caller":     {c.dial.From},
		"To":         {c.dial.To},
		"Called":     {c.dial.To},
		"CallStatus": {status},
	}
}

// direction is the direction of the call in Twilio's terms.
func (c *call) direction() string {
	if c.dial.Inbound {
		return "inbound"
	}
	return "outbound-api"
}

// eventNames maps call statuses to the names in StatusCallbackEvent.
var eventNames = map[string]string{
	"initiated": "initiated", "ringing": "ringing", "in-progress": "answered",
}

// report posts a status callback if StatusCallbackEvent requests it.
func (c *call) report(status string, extra url.Values) {
	name, ok := eventNames[status]
	if !ok {
		name = "completed" // the name for every kind of end
	}
	if !slices.Contains(c.form["StatusCallbackEvent"], name) {
		return
	}
	form := c.basics(status)
	form.Set("Timestamp", time.Now().UTC().Format(time.RFC1123Z))
	form.Set("CallbackSource", "call-progress-events")
	form.Set("SequenceNumber", strconv.Itoa(c.sequence))
	c.sequence++
	if (status == "ringing" || status == "in-progress") && !c.plan.unattested {
		form.Set("StirStatus", cmp.Or(c.plan.attestation, "A"))
	}
	maps.Copy(form, extra)
	address := c.form.Get("StatusCallback")
	if !c.plan.shuffles {
		c.notify(address, form)
		return
	}
	// Post each callback twice, "ringing" after "in-progress", and an outdated callback after the
	// end.
	switch status {
	case "ringing":
		c.heldBack = form
	case "in-progress":
		for _, f := range []url.Values{form, c.heldBack, form, c.heldBack} {
			c.notify(address, f)
		}
	default:
		c.notify(address, form)
		if c.heldBack != nil {
			c.notify(address, c.heldBack)
		}
		c.notify(address, form)
	}
}
