package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio's signature is HMAC-SHA1
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	answerTime = 15 * time.Second // the longest a callback may take
	maxTwiML   = 64 << 10
)

// pauses between the attempts of a callback: real time, because the server on
// the other side restarts in real time. RetryFor bounds their sum.
var pauses = []time.Duration{
	100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, time.Second,
}

// sign is X-Twilio-Signature, written a second time on purpose: a mistake that
// both sides share would go unnoticed.
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

// sign signs a callback with the auth token of the call's account.
func (c *call) sign(address string, form url.Values) string {
	return sign(AccountToken(c.n.token, c.account), address, form)
}

// withoutFragment cuts off connection overrides, which are neither sent nor signed.
func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// post makes one attempt at a callback.
func (c *call) post(ctx context.Context, address string, form url.Values) (answer []byte, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, false, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	req.Header.Set("User-Agent", "TwilioProxy/1.1")
	req.Header.Set("X-Twilio-Signature", c.sign(address, form))
	res, err := c.n.client.Do(req)
	if err != nil {
		return nil, ctx.Err() == nil || errors.Is(context.Cause(ctx), context.DeadlineExceeded), err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(res.Body, maxTwiML))
	if res.StatusCode >= 300 {
		return nil, res.StatusCode >= 500, fmt.Errorf("status %d", res.StatusCode)
	}
	return answer, err != nil, err
}

// insist posts until it is answered, or ctx is done, or trying is over.
func (c *call) insist(ctx context.Context, address string, form url.Values, attempts int) ([]byte, error) {
	address = withoutFragment(address)
	until := time.Now().Add(c.n.retryFor)
	for {
		if attempts > 0 {
			pause := pauses[min(attempts, len(pauses))-1]
			if time.Now().Add(pause).After(until) {
				return nil, fmt.Errorf("given up after %d attempts", attempts)
			}
			if !loop.Sleep(ctx, pause) {
				return nil, ctx.Err()
			}
		}
		answer, again, err := c.post(ctx, address, form)
		if err == nil || !again {
			return answer, err
		}
		attempts++
	}
}

// outbox posts the callbacks of a call in their order. One that fails is tried
// again beside the others, so that it does not hold them up.
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
	if address == "" {
		return
	}
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.waiting = append(c.out.waiting, notice{withoutFragment(address), form})
	if !c.out.running {
		c.out.running = c.n.start(c.drain)
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

		if _, again, err := c.post(c.n.ctx, next.address, next.form); err != nil && again {
			c.n.start(func() {
				if _, err := c.insist(c.n.ctx, next.address, next.form, 1); err != nil && c.n.ctx.Err() == nil {
					c.n.log.Warn("sandbox: callback was not taken", "call", c.sid,
						"status", next.form.Get("CallStatus"), "error", err)
				}
			})
		}
	}
}

// basics are the fields of every callback.
func (c *call) basics(status string) url.Values {
	return url.Values{
		"CallSid":    {c.sid},
		"AccountSid": {c.account},
		"ApiVersion": {"2010-04-01"},
		"Direction":  {"outbound-api"},
		"From":       {c.dial.From},
		"Caller":     {c.dial.From},
		"To":         {c.dial.To},
		"Called":     {c.dial.To},
		"CallStatus": {status},
	}
}

// eventNames are the names under which a callback is subscribed to.
var eventNames = map[string]string{
	"initiated": "initiated", "ringing": "ringing", "in-progress": "answered",
}

// report posts a status callback if it was subscribed to.
func (c *call) report(status string, extra url.Values) {
	name, ok := eventNames[status]
	if !ok {
		name = "completed" // the name for every end
	}
	if !slices.Contains(c.form["StatusCallbackEvent"], name) {
		return
	}
	form := c.basics(status)
	form.Set("Timestamp", time.Now().UTC().Format(time.RFC1123Z))
	form.Set("CallbackSource", "call-progress-events")
	form.Set("SequenceNumber", strconv.Itoa(c.sequence))
	c.sequence++
	maps.Copy(form, extra)
	address := c.form.Get("StatusCallback")
	if !c.plan.shuffles {
		c.notify(address, form)
		return
	}
	// Twice everything, "ringing" after "in-progress", and an old acquaintance
	// after the end.
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
